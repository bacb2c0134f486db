// The models and the machine, and downloads under way. Downloads go on when the page is left.
import type { IpcError, ModelProgress, ModelRow, ModelsState } from '../../ipc/types'
import { messageOf, session } from '../../state/session.svelte'

class Models {
  state = $state.raw<ModelsState>()
  /** Why the models cannot be listed. */
  error = $state<string | null>(null)
  /** Downloads by id; `null` until the first figure is here. */
  downloads = $state<Record<string, ModelProgress | null>>({})
  /** What went wrong, by the model's id. */
  errors = $state<Record<string, string>>({})
  /** The id of a model that was just imported. */
  imported = $state<string | null>(null)
  /** Whether a file is being chosen, tried and taken over. */
  importing = $state(false)
  /** How far that is; `null` until one is chosen. */
  importProgress = $state.raw<ModelProgress | null>(null)
  #asked = 0

  readonly here = $derived(this.state?.models.filter(({ place }) => place.is !== 'remote') ?? [])
  readonly remote = $derived(this.state?.models.filter(({ place }) => place.is === 'remote') ?? [])

  async load() {
    const asked = ++this.#asked
    try {
      const state = await session.host.call('models', null)
      if (asked !== this.#asked) return
      this.state = state
      this.error = null
    } catch (error) {
      if (asked === this.#asked) this.error = messageOf(error)
    }
  }

  /** Fetches a model; the person has agreed to the connection. */
  async download({ id, role }: ModelRow) {
    delete this.errors[id]
    this.downloads[id] = null
    try {
      await this.#hold(role)
      await session.host.stream('download_model', { id }, (progress) => (this.downloads[id] = progress))
    } catch (error) {
      if ((error as Partial<IpcError>).code !== 'cancelled') this.errors[id] = messageOf(error)
    }
    delete this.downloads[id]
    await this.load()
  }

  async cancel({ id }: ModelRow) {
    await this.#attempt(id, () => session.host.call('cancel_download', { id }))
  }

  async remove({ id }: ModelRow) {
    await this.#attempt(id, () => session.host.call('remove_model', { id }))
    await this.load()
  }

  /** Lets the person choose a file; nothing happens where they change their mind. */
  async import() {
    this.imported = null
    this.importing = true
    let held = false
    try {
      held = await this.#hold('generator')
      this.imported = await session.host.stream('import_model', null, (progress) => (this.importProgress = progress))
      if (this.imported) await this.load()
    } catch (error) {
      if ((error as Partial<IpcError>).code !== 'cancelled') throw error
    } finally {
      // Nothing came that could have taken its place.
      if (held && this.imported === null) await session.change({ generator: null })
      this.importing = false
      this.importProgress = null
    }
  }

  /** Ends the import; nothing of it stays. */
  async cancelImport() {
    await session.host.call('cancel_import', null)
  }

  /** Where nobody chose, what is in use is chosen: a model that comes does not take its place unasked. Whether that was needed. */
  async #hold(role: ModelRow['role']): Promise<boolean> {
    const serving = this.state?.models.find((model) => model.role === role && model.inUse)
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
