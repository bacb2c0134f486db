// The library as a whole: checked, repaired, backed up, compacted, restored. One at a time; it continues when the page is left.
import type { BackedUp, Checkup, ChosenBackup, Compacted, IpcError, Repaired, Restored, Work } from '../../ipc/types'
import { navigation } from '../../state/navigation.svelte'
import { session } from '../../state/session.svelte'
import { talk } from '../../state/talk.svelte'
import { applied } from './applied.svelte'

export type Keep = 'backup' | 'restore' | 'compact' | 'check' | 'repair'

interface Results {
  backup?: BackedUp
  restore?: Restored
  compact?: Compacted
  check?: Checkup
  repair?: Repaired
}

class Keeping {
  /** What is being done. */
  doing = $state<Keep | null>(null)
  /** How far it is, where that can be told. */
  written = $state.raw<Work | null>(null)
  /** Its last result. */
  results = $state.raw<Results>({})
  /** Which action was last cancelled. */
  cancelled = $state<Keep | null>(null)
  /** The backup that was chosen and waits for a decision. */
  chosen = $state.raw<ChosenBackup | null>(null)

  check() {
    this.results = { ...this.results, repair: undefined }
    return this.#do('check', () => session.host.call('check_library', null))
  }

  backup = () => this.#do('backup', () => session.host.stream('backup_library', null, this.#hear))

  compact = () => this.#do('compact', () => session.host.stream('compact_library', null, this.#hear))

  async repair() {
    await this.#do('repair', () => session.host.call('repair_library', null))
    // Its findings may be outdated.
    if (this.results.repair) this.results = { repair: this.results.repair }
  }

  async choose() {
    this.chosen = null
    this.chosen = (await applied.attempt('restore', () => session.host.call('choose_backup', null))) ?? null
  }

  async restore() {
    this.chosen = null
    await this.#do('restore', () => session.host.stream('restore_library', null, this.#hear))
    if (!this.results.restore) return
    // Everything shown belongs to the old library; only the page stays.
    this.results = { restore: this.results.restore }
    const { page } = navigation
    talk.fresh()
    navigation.page = page
    await applied.attempt('restore', () => session.renew())
  }

  stop = () => session.host.call('stop_work', 'maintenance')

  #hear = (written: Work) => (this.written = written)

  async #do<K extends Keep>(what: K, act: () => Promise<Results[K] | null>) {
    this.doing = what
    this.written = null
    this.cancelled = null
    this.results = { ...this.results, [what]: undefined }
    const result = await applied.attempt(what === 'repair' ? 'check' : what, async () => {
      try {
        return await act()
      } catch (error) {
        if ((error as Partial<IpcError>).kind !== 'cancelled') throw error
        this.cancelled = what
        return null
      }
    })
    this.results = { ...this.results, [what]: result ?? undefined }
    this.doing = null
  }
}

export const keeping = new Keeping()
