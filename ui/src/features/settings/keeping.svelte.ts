// The library as a whole: checked, repaired, backed up, compacted, restored. One at a time; it goes on when the page is left.
import type { BackedUp, Checkup, ChosenBackup, Compacted, IpcError, Repaired, Restored, Written } from '../../ipc/types'
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
  written = $state.raw<Written | null>(null)
  /** What came of it the last time. */
  results = $state.raw<Results>({})
  /** What was given up the last time. */
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
    // What it found does not hold any more.
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
    // Nothing that is shown is of this library, but where the person is stays.
    this.results = { restore: this.results.restore }
    const { page } = navigation
    talk.fresh()
    navigation.page = page
    await applied.attempt('restore', () => session.renew())
  }

  stop = () => session.host.call('stop_keeping', null)

  #hear = (written: Written) => (this.written = written)

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
