// The models, downloads and imports. Downloads and imports continue when the page is left.
import { untrack } from 'svelte'
import { SvelteSet } from 'svelte/reactivity'
import type { Download, IpcError, ModelProgress, ModelRole, ModelRow, ModelsState, Trial, Work } from '../ipc/types'
import { messageOf, session } from './session.svelte'
import { talk } from './talk.svelte'

/** A role whose model a user chooses; the checker comes with Oriel. */
export type ChosenRole = Exclude<ModelRole, 'checker'>

/** What can be done with a model now. */
export type Status =
  | { is: 'running'; download: Download }
  | { is: 'failed'; download: Download; error: IpcError }
  | { is: 'paused'; host: string; downloaded: number }
  | { is: 'remote'; host: string }
  | { is: 'ready' }
  | { is: 'in-use' }

/** Fewer questions say nothing about an embedder. */
export const LEAST_QUESTIONS = 5

class Models {
  state = $state.raw<ModelsState>()
  /** Why the models cannot be listed. */
  error = $state<string | null>(null)
  /** What went wrong, by the model's id. */
  errors = $state<Record<string, string>>({})
  /** The id of a model that was just imported. */
  imported = $state<string | null>(null)
  /** Whether a file is being chosen, tried and copied. */
  importing = $state(false)
  /** How far that is; `null` until one is chosen. */
  importProgress = $state.raw<ModelProgress | null>(null)
  /** The trial of an embedder: its progress, its result, or its error. */
  trial = $state.raw<{ id: string; work: Work | null; result: Trial | null; error: string | null } | null>(null)
  /** The generator that a download has just brought. */
  arrived = $state<string | null>(null)
  /** Downloads that were cancelled: what is here of them is kept, but not shown as paused. */
  readonly #cancelled = new SvelteSet<string>()
  /** The generator to return to when quotes are switched off. */
  #before: string | null = null
  #asked = 0
  #loading: Promise<void> = Promise.resolve()

  readonly here = $derived(this.state?.models.filter(({ place }) => place.is !== 'remote') ?? [])
  /** The download of a generator: running or failed. */
  readonly coming = $derived(session.downloads.find(({ id }) => this.find(id)?.role === 'generator'))
  /** Whether there is something to ask, no model writes and nobody decided against one. */
  readonly mayOffer = $derived(
    !!(session.library?.folders.length || session.library?.readsFrom) && session.engine.generator === null && session.settings?.generator !== 'quotes',
  )
  /** The generator that suits this computer. */
  readonly offered = $derived(this.mayOffer ? (this.of('generator').find(({ recommended }) => recommended) ?? null) : null)
  /** A larger one that another program has, and that fits. */
  readonly offeredFound = $derived.by(() => {
    const size = ({ parameters }: ModelRow) => parameters ?? 0
    const least = this.offered?.parameters ?? Infinity
    const larger = this.of('generator').filter((one) => one.place.is === 'found' && one.fit === 'fits' && size(one) > least)
    return larger.sort((a, b) => size(b) - size(a))[0] ?? null
  })

  /** An embedder for many languages, where a good part of the library is not in English and the one in use reads only that. */
  readonly proposed = $derived.by(() => {
    const share = this.state?.foreignShare ?? null
    const model = this.of('embedder').find(({ recommended, languageCount }) => recommended && languageCount > 1)
    return share !== null && model && this.inUse('embedder')?.languageCount === 1 ? { share, model } : null
  })

  constructor() {
    $effect.root(() => {
      // Another index is complete: the one before can be gone back to.
      let wasBuilding = false
      $effect(() => {
        const isBuilding = (session.library?.unembeddedNext ?? null) !== null
        untrack(() => {
          if (wasBuilding && !isBuilding && this.state) void this.load()
          wasBuilding = isBuilding
        })
      })
      let before: string[] = []
      $effect(() => {
        const now = session.downloads.map(({ id }) => id)
        untrack(() => {
          const ended = before.filter((id) => !now.includes(id))
          before = now
          if (ended.length > 0) void this.#end(ended)
          else if (now.length > 0 && !this.state) void this.load()
        })
      })
    })
  }

  of(role: ModelRole): ModelRow[] {
    return this.state?.models.filter((model) => model.role === role) ?? []
  }

  find(id: string): ModelRow | undefined {
    return this.state?.models.find((model) => model.id === id)
  }

  inUse(role: ModelRole): ModelRow | undefined {
    return this.of(role).find((model) => model.inUse)
  }

  statusOf(model: ModelRow): Status {
    const download = session.downloads.find(({ id }) => id === model.id)
    if (download?.error) return { is: 'failed', download, error: download.error }
    if (download) return { is: 'running', download }
    if (model.inUse) return { is: 'in-use' }
    if (model.place.is !== 'remote') return { is: 'ready' }
    const { host, downloaded } = model.place
    return downloaded > 0 && !this.#cancelled.has(model.id) ? { is: 'paused', host, downloaded } : { is: 'remote', host }
  }

  /** Bytes that are free on the disk, where they are too few for the rest of a download. */
  shortOfDisk({ size, place }: ModelRow): number | null {
    const free = this.state?.diskFree ?? null
    return free !== null && place.is === 'remote' && free < size - place.downloaded ? free : null
  }

  load(): Promise<void> {
    return (this.#loading = this.#load(++this.#asked))
  }

  async #load(asked: number): Promise<void> {
    try {
      const state = await session.host.call('models', null)
      // Asked once more meanwhile: that answer counts.
      if (asked !== this.#asked) return await this.#loading
      this.state = state
      this.error = null
    } catch (error) {
      if (asked !== this.#asked) return await this.#loading
      this.error = messageOf(error)
    }
  }

  /** Starts or resumes a download; its host stands beside the button. */
  async download({ id, role }: ModelRow) {
    this.#cancelled.delete(id)
    await this.#attempt(id, async () => {
      if (role !== 'checker') await this.#hold(role)
      await session.host.call('download_model', { id })
    })
  }

  /** Stops a download; what is here of it is kept. */
  async pause(id: string) {
    await this.#attempt(id, async () => {
      await session.host.call('pause_download', { id })
      if (talk.whenReady?.for === 'model' && this.find(id)?.role === 'generator') talk.whenReady = null
    })
  }

  /** Stops a download that is not to be resumed. */
  async cancel(id: string) {
    this.#cancelled.add(id)
    if (session.downloads.some((download) => download.id === id)) await this.pause(id)
  }

  /** Takes a download that failed off the list. */
  async dismiss(id: string) {
    await this.#attempt(id, () => session.host.call('dismiss_download', { id }))
  }

  /** Measures the speed of the models in use that were never measured here. */
  async measure() {
    try {
      await session.host.call('measure_models', null)
    } catch (error) {
      this.error = messageOf(error)
    }
  }

  async remove({ id, role }: ModelRow) {
    await this.#attempt(id, async () => {
      await session.host.call('remove_model', { id })
      if (role !== 'checker' && session.settings[role] === id) await session.change({ [role]: null })
    })
    await this.load()
  }

  /** Answers with quotes alone, or with the model that wrote before. */
  async quoteOnly(on: boolean) {
    if (on) this.#before = session.engine.generator
    await session.change({ generator: on ? 'quotes' : this.#before })
  }

  /** Lets the user choose a file; nothing happens where they change their mind. */
  async import() {
    this.imported = null
    this.importing = true
    let held = false
    try {
      held = await this.#hold('generator')
      this.imported = await session.host.stream('import_model', null, (progress) => (this.importProgress = progress))
      if (this.imported) await this.load()
    } catch (error) {
      if ((error as Partial<IpcError>).kind !== 'cancelled') throw error
    } finally {
      // Nothing came that could have taken its place.
      if (held && this.imported === null) await session.change({ generator: null })
      this.importing = false
      this.importProgress = null
    }
  }

  /** Tries an embedder on the questions asked last. */
  async try({ id }: ModelRow) {
    const trial = { id, work: null, result: null, error: null }
    this.trial = trial
    try {
      const result = await session.host.stream('try_embedder', { id }, (work) => {
        if (this.trial?.id === id && !this.trial.result) this.trial = { ...trial, work }
      })
      this.trial = { ...trial, result }
    } catch (error) {
      const cancelled = (error as Partial<IpcError>).kind === 'cancelled'
      this.trial = cancelled ? null : { ...trial, error: messageOf(error) }
    }
  }

  /** Cancels the trial. */
  async cancelTrial() {
    if (this.trial && !this.trial.result && !this.trial.error) await session.host.call('stop_work', 'trial')
  }

  /** Cancels the import and removes what was copied. */
  async cancelImport() {
    await session.host.call('stop_work', 'importing')
  }

  /** After downloads left the list: a generator that is here now writes, if none does and nobody decided against one. */
  async #end(ids: string[]) {
    await this.load()
    const came = ids.find((id) => this.here.some((model) => model.id === id && model.role === 'generator'))
    if (came === undefined) return
    this.arrived = came
    if (session.engine.generator !== null || session.settings.generator === 'quotes') return
    await this.#attempt(came, () => session.change({ generator: came }))
  }

  /** Where nobody chose, what is in use is chosen: a model that comes does not take its place unasked. Whether that was needed. */
  async #hold(role: ChosenRole): Promise<boolean> {
    const serving = this.inUse(role)
    if (!serving || session.settings[role] !== null) return false
    await session.change({ [role]: serving.id })
    return true
  }

  async #attempt(id: string, act: () => Promise<unknown>) {
    delete this.errors[id]
    try {
      await act()
    } catch (error) {
      this.errors[id] = messageOf(error)
    }
  }
}

export const models = new Models()
