// The list of mentions: words, scope, and the results so far. One list at a time.
import { tick } from 'svelte'
import type { MentionRow, Mentions as Listed, Scope } from '../ipc/types'
import { navigation } from './navigation.svelte'
import { messageOf, session } from './session.svelte'
import { EVERYWHERE } from './talk.svelte'
import { viewer } from './viewer.svelte'

class Mentions {
  /** The text of the field. */
  draft = $state('')
  /** The scope. */
  scope = $state.raw<Scope>(EVERYWHERE)
  /** The words of `listed`. */
  words = $state('')
  /** Counts of the whole list; null before the first. */
  listed = $state.raw<Listed | null>(null)
  /** The documents of it that are here. */
  rows = $state.raw<MentionRow[]>([])
  /** What is being asked for: the list, its next documents, or more sentences of one. */
  busy = $state.raw<'list' | 'more' | { document: number } | null>(null)
  error = $state<string | null>(null)
  #asked = 0

  /** The mention that is open in the viewer. */
  readonly open = $derived(navigation.pane === 'viewer' && viewer.request?.is === 'mention' ? viewer.request : null)

  /** Shows the page; with words the list of them, else the field alone. */
  show(words = '', scope: Scope = EVERYWHERE) {
    navigation.pane = null
    navigation.page = 'mentions'
    this.draft = words
    this.scope = scope
    this.#clear()
    if (words) void this.list()
  }

  /** Lists what mentions the words of the field. */
  async list() {
    const words = this.draft.trim()
    if (!words) return
    this.#clear()
    this.words = words
    const scope = this.scope
    await this.#ask('list', async () => {
      const listed = await session.host.call('mentions', { words, scope, from: 0 })
      return () => {
        this.listed = listed
        this.rows = listed.rows
      }
    })
  }

  /** The same in the whole library. */
  everywhere() {
    this.scope = EVERYWHERE
    void this.list()
  }

  /** The next documents of the list. */
  async more() {
    if (this.busy) return
    const { words, scope } = this
    const from = this.rows.length
    await this.#ask('more', async () => {
      const listed = await session.host.call('mentions', { words, scope, from })
      return () => {
        const here = new Set(this.rows.map(({ document }) => document.id))
        this.listed = listed
        this.rows = [...this.rows, ...listed.rows.filter(({ document }) => !here.has(document.id))]
      }
    })
  }

  /** More sentences of one document. */
  async moreOf(row: MentionRow) {
    if (this.busy) return
    const { words } = this
    const document = row.document.id
    await this.#ask({ document }, async () => {
      const more = await session.host.call('more_mentions', { words, document, from: row.mentions.length })
      return () => {
        const longer = { ...more, mentions: [...row.mentions, ...more.mentions] }
        this.rows = this.rows.map((one) => (one === row ? longer : one))
      }
    })
  }

  /** Back to the question; the focus goes to the row from where the list was opened. */
  leave() {
    if (this.busy === 'list') session.host.call('stop_work', 'mentions').catch(() => {})
    this.#clear()
    if (navigation.pane === 'viewer') viewer.close()
    navigation.page = 'talk'
    void tick().then(() => document.querySelector<HTMLElement>('[data-lists-mentions]')?.focus())
  }

  #clear() {
    this.#asked += 1
    this.listed = null
    this.rows = []
    this.busy = null
    this.error = null
  }

  async #ask(what: NonNullable<typeof this.busy>, run: () => Promise<() => void>) {
    const asked = ++this.#asked
    this.busy = what
    this.error = null
    try {
      const take = await run()
      if (asked === this.#asked) take()
    } catch (error) {
      if (asked === this.#asked) this.error = messageOf(error)
    }
    if (asked === this.#asked) this.busy = null
  }
}

export const mentions = new Mentions()
