// What the shell told the window: library, settings, conversations, models. Changed by events alone.
import { i18n } from '../i18n/index.svelte'
import type { Host } from '../ipc/host'
import type { ConversationRow, Download, EngineLine, IpcError, LibraryState, Notice, Settings, Start } from '../ipc/types'

class Session {
  #host: Host | undefined
  /** Whether an event came that may be newer than the answer being loaded. */
  #heard = { library: false, conversations: false }
  #asked = 0
  #renewal: Promise<void> = Promise.resolve()
  /** The last change of settings that was asked for. */
  #changes: Promise<unknown> = Promise.resolve()
  start = $state.raw<Start>()
  library = $state.raw<LibraryState>()
  settings = $state.raw<Settings>() as Settings
  conversations = $state.raw<ConversationRow[]>([])
  engine = $state.raw<EngineLine>({ generator: null, generatorName: null, adapter: null, device: 'CPU', threads: 1, server: null })
  /** Downloads of models that run, or that failed and were not dismissed. */
  downloads = $state.raw<Download[]>([])
  /** Why the library cannot be opened. */
  trouble = $state.raw<Notice | null>(null)

  get host(): Host {
    if (!this.#host) throw new Error('the window was drawn before it had a host')
    return this.#host
  }

  get mac(): boolean {
    return this.start?.mac ?? false
  }

  /** Listens from now on, and asks for everything. */
  async boot(host: Host) {
    this.#host = host
    await Promise.all([
      host.listen('library', (library) => {
        this.library = library
        this.#heard.library = true
      }),
      host.listen('conversations', (rows) => this.#list(rows)),
      host.listen('conversation', (row) => this.#list([row, ...this.conversations.filter(({ id }) => id !== row.id)])),
      host.listen('engine', (engine) => (this.engine = engine)),
      host.listen('downloads', (downloads) => (this.downloads = downloads)),
      host.listen('reopened', () => void this.renew()),
    ])
    await this.renew()
  }

  /** Loads everything again: the library may be another one. */
  renew(): Promise<void> {
    return (this.#renewal = this.#renew(++this.#asked))
  }

  async #renew(asked: number) {
    this.#heard = { library: false, conversations: false }
    const start = await this.host.call('start', null)
    // Asked once more meanwhile: that answer counts.
    if (asked !== this.#asked) return this.#renewal
    this.start = start
    this.library = start.library ?? undefined
    this.conversations = start.conversations
    this.#began(start)
    if (start.trouble) return
    // An event in the meantime may be newer than this answer or older, so it is loaded again.
    while (this.#heard.library) {
      this.#heard.library = false
      this.library = await this.host.call('library_state', null)
    }
    while (this.#heard.conversations) {
      this.#heard.conversations = false
      this.conversations = await this.host.call('conversations', { query: '' })
    }
  }

  #list(rows: ConversationRow[]) {
    this.conversations = rows
    this.#heard.conversations = true
  }

  #began(start: Start) {
    this.trouble = start.trouble
    this.engine = start.engine
    this.downloads = start.downloads
    this.#apply(start.settings)
  }

  /**
   * Changes settings; they apply at once and are kept, one change after the other, so that the last one stays. What the
   * shell refuses is taken back.
   */
  async change(patch: Partial<Settings>) {
    const before = this.settings
    this.#apply({ ...before, ...patch })
    const kept = this.#changes.then(() => this.host.call('set_settings', { ...this.settings, ...patch }))
    this.#changes = kept.catch(() => undefined)
    try {
      this.engine = await kept
    } catch (error) {
      const refused = (Object.keys(patch) as (keyof Settings)[]).filter((name) => this.settings[name] === patch[name])
      this.#apply({ ...this.settings, ...Object.fromEntries(refused.map((name) => [name, before[name]])) })
      throw error
    }
  }

  #apply(settings: Settings) {
    this.settings = settings
    i18n.use(settings.language)
    const root = document.documentElement
    const dark = settings.theme === 'dark' || (settings.theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
    root.dataset.theme = dark ? 'dark' : 'light'
    root.style.fontSize = `${settings.textSize}%`
  }

  /** Applies the theme again after the system's has changed. */
  refreshTheme() {
    this.#apply(this.settings)
  }
}

export const session = new Session()

/** The notice of a failed command. */
export function noticeOf(error: unknown): Notice {
  if (typeof error === 'object' && error && 'notice' in error) return (error as IpcError).notice
  return { code: 'text', text: error instanceof Error ? error.message : String(error) }
}

/** The one line that an error shows. */
export const messageOf = (error: unknown): string => i18n.say(noticeOf(error))
