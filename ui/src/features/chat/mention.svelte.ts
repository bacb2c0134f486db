// The list that `@` opens above the box: folders and documents whose name has what is typed after it.
import type { DocumentKind, Named } from '../../ipc/types'
import { library } from '../../state/library.svelte'
import { messageOf, session } from '../../state/session.svelte'

export type Entry =
  | { is: 'folder'; folder: Named; documents: number }
  | { is: 'document'; document: Named; place: string; kind: DocumentKind }

const MOST_DOCUMENTS = 7
const MOST_FOLDERS = 4

export class Mention {
  /** The text to find; null if the list is closed. */
  query = $state<string | null>(null)
  entries = $state.raw<Entry[]>([])
  active = $state(0)
  error = $state<string | null>(null)
  /** Whether the entries are still those of what was typed before. */
  searching = $state(false)
  /** The position of the `@`. */
  start = 0
  /** Settles when the entries are those of what is typed. */
  #search: Promise<void> = Promise.resolve()
  #closedAt = -1
  #asked = 0

  get open(): boolean {
    return this.query !== null
  }

  get chosen(): Entry | undefined {
    return this.entries[this.active]
  }

  /** Follows what is typed: opens, narrows or closes the list. */
  follow(text: string, caret: number) {
    const match = /(?:^|[\s(])@([^@\n]{0,60})$/.exec(text.slice(0, caret))
    const query = match?.[1]
    if (query === undefined) {
      this.#closedAt = -1
      this.query = null
      return
    }
    this.start = caret - query.length - 1
    if (this.start === this.#closedAt) return
    if (this.query === query) return
    // Words after a space are the question unless they go on with a name.
    if (this.query === null && query.includes(' ')) return
    this.look(query)
  }

  /** Lists the names that have this in them. */
  look(query: string) {
    if (this.query === null) this.#show([], null)
    this.query = query
    this.#search = this.#find(query)
  }

  /** What a key does to the open list: it steps, closes, or takes what is chosen. Returns whether it did anything. */
  press(key: string, take: (entry: Entry) => void, wait: (key: string) => void): boolean {
    if (!this.open) return false
    if (key === 'Escape') this.close()
    else if (key === 'ArrowDown') this.step(1)
    else if (key === 'ArrowUp') this.step(-1)
    else if (key !== 'Enter' && key !== 'Tab') return false
    else if (this.searching) wait(key)
    else if (this.chosen) take(this.chosen)
    else return false
    return true
  }

  /** What is chosen once the search for what is typed has ended; nothing where the list was closed meanwhile. */
  async choice(): Promise<Entry | undefined> {
    const search = this.#search
    await search
    return this.open && search === this.#search ? this.chosen : undefined
  }

  /** Closes it; it stays closed for this `@`. */
  close() {
    this.#closedAt = this.start
    this.query = null
  }

  step(by: number) {
    const count = this.entries.length
    if (count > 0) this.active = (this.active + by + count) % count
  }

  async #find(query: string) {
    const asked = ++this.#asked
    this.searching = true
    const wanted = query.trim().toLowerCase()
    const folders = (session.library?.folders ?? [])
      .map((folder) => ({ id: folder.id, name: library.nameOf(folder), documents: folder.documents }))
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .slice(0, MOST_FOLDERS)
      .map(({ id, name, documents }): Entry => ({ is: 'folder', folder: { id, name }, documents }))
    try {
      const rows = await session.host.call('documents', { query: query.trim(), limit: MOST_DOCUMENTS })
      if (asked !== this.#asked || this.query === null) return
      const documents = rows.map(
        ({ id, name, place, kind }): Entry => ({ is: 'document', document: { id, name }, place, kind }),
      )
      this.#show([...folders, ...documents], null)
    } catch (error) {
      if (asked === this.#asked) this.#show(folders, messageOf(error))
    }
    if (this.entries.length === 0 && query.includes(' ')) this.close()
  }

  #show(entries: Entry[], error: string | null) {
    this.searching = false
    this.entries = entries
    this.error = error
    this.active = 0
  }
}
