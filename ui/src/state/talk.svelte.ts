// The conversation: its turns, the one being answered, where the next question looks. Knows no component and no other
// feature's state.
import type { Named, Scope, Turn, TurnRef, WindowSize } from '../ipc/types'
import { Live } from './live.svelte'
import { navigation } from './navigation.svelte'
import { messageOf, session } from './session.svelte'
import { Widening } from './widening.svelte'

/** A scope that leaves nothing out. */
export const EVERYWHERE: Scope = { documents: [], folders: [], kinds: [], since: null, until: null, from: [], gone: [] }

/** The widest window. */
export const WIDEST = 10

class Talk {
  id = $state<string | null>(null)
  /** The text of the box. */
  draft = $state('')
  /** Where the next question looks. */
  scope = $state.raw<Scope>(EVERYWHERE)
  /** The passage that pointer or focus is on. */
  lit = $state.raw<{ turn: number; n: number } | null>(null)
  /** The turn whose question is being edited. */
  editing = $state<number | null>(null)
  /** Its new text. */
  edited = $state('')
  loading = $state(false)
  /** Whether the conversation could not be read: what it holds is not known, so nothing is asked in it. */
  unseen = $state(false)
  /** Why the conversation cannot be shown, or a question in it not asked anew. */
  error = $state<string | null>(null)
  /** The turn that is asked again automatically once the library is ready, or a model can write. */
  whenReady = $state.raw<{ conversation: string; turn: number; for: 'library' | 'model' } | null>(null)
  /** The turn that is shown again because the question that was to replace it failed. */
  givenBack = $state.raw<TurnRef | null>(null)
  /** Counts requests to focus the box. */
  toBox = $state(0)
  /** The turn to show at the top, and whether because it was just asked. */
  toTurn = $state.raw<{ turn: number; asked: boolean } | null>(null)
  /** Passages of the last turn for another window. */
  readonly widening = new Widening()

  #kept = $state.raw<Turn[]>([])
  /** Failed questions by conversation, until it is shown again. */
  readonly #undone = new Map<string, { live: Live; replaced: Turn }>()
  #window = $state.raw<WindowSize | null>(null)
  #title = $state.raw<{ was: string | undefined; now: string } | null>(null)
  #lives = $state.raw<Live[]>([])
  #seat = $state(0)

  /** The turn being answered in this conversation. */
  readonly live: Live | null = $derived(this.#lives.find((live) => this.#isHere(live)) ?? null)
  /** What was asked and answered, without the one being answered. */
  readonly turns: Turn[] = $derived(this.live ? this.#kept.slice(0, this.live.turn) : this.#kept)
  /** Index of the last turn. */
  readonly current: number | null = $derived(this.live?.turn ?? (this.turns.length > 0 ? this.turns.length - 1 : null))
  readonly title: string = $derived.by(() => {
    const row = this.#row()
    if (this.#title && (row === undefined || row === this.#title.was)) return this.#title.now
    return row ?? this.turns[0]?.question ?? this.live?.question ?? ''
  })

  /** How far the next question widens. Where it is set the passages of the last turn follow at once. */
  get window(): WindowSize {
    return this.#window ?? session.settings?.window ?? { before: 3, after: 3 }
  }

  set window(size: WindowSize) {
    this.#window = size
    const last = this.turns.at(-1)
    if (last?.found && !this.live) void this.widening.to(last, size)
  }

  /** Shows a kept conversation. */
  async open(id: string) {
    const seat = this.#leave(id)
    this.loading = true
    try {
      const kept = await session.host.call('conversation', { conversation: id })
      if (seat !== this.#seat) return
      this.#kept = kept.turns
      this.#title = { was: this.#row(), now: kept.title }
      this.#giveBack(id)
      const last = this.live ?? kept.turns.at(-1)
      this.scope = last?.scope ?? EVERYWHERE
      this.#window = last?.window ?? null
      if (this.current !== null) this.toTurn = { turn: this.current, asked: false }
    } catch (error) {
      if (seat !== this.#seat) return
      this.error = messageOf(error)
      this.unseen = true
    } finally {
      if (seat === this.#seat) this.loading = false
    }
  }

  /** An empty page for a new question; the box gets the focus. */
  fresh() {
    this.#leave(null)
    this.toBox += 1
  }

  /**
   * Asks; with `replace` in the place of that turn and all that follow, with `again` as that turn's question, with `anyTime` of
   * documents of any time. One at a time.
   */
  async ask(question: string, { replace, again, anyTime }: { replace?: number; again?: number; anyTime?: boolean } = {}) {
    const asked = question.trim()
    if (!asked || this.live || this.loading || this.unseen) return
    const live = new Live(asked, this.scope, this.window, this.#seat)
    live.conversation = this.id
    live.turn = replace ?? this.#kept.length
    const replaced = this.id !== null && replace !== undefined ? this.#kept[replace] : undefined
    this.editing = null
    this.error = null
    this.whenReady = null
    this.givenBack = null
    this.widening.reset()
    this.#lives = [...this.#lives, live]
    this.toTurn = { turn: live.turn, asked: true }
    const where = this.id === null ? { anyTime } : { replace, again, anyTime }
    const turn = await live.run(this.id, where, () => {
      if (live.seat === this.#seat) this.id = live.conversation
    })
    const here = this.#isHere(live)
    const undone = replaced !== undefined && live.wordless
    if (undone && live.conversation) this.#undone.set(live.conversation, { live, replaced })
    if (here && !this.loading && !undone) this.#kept = [...this.#kept.slice(0, live.turn), turn]
    this.#lives = this.#lives.filter((one) => one !== live)
    if (here && !this.loading && live.conversation) this.#giveBack(live.conversation)
    // What is being opened may have been read before the answer was kept.
    if (here && this.loading && this.id) void this.open(this.id)
  }

  /** Shows a turn that the shell changed in its place. */
  take({ conversation, turn }: TurnRef, changed: Turn) {
    if (conversation === this.id) this.#kept = this.#kept.map((kept, at) => (at === turn ? changed : kept))
  }

  /** Whether what is being asked took the place of a turn, or of one before it. */
  replaces(live: { conversation: string | null; turn: number }, { conversation, turn }: TurnRef): boolean {
    return live.conversation === conversation && turn >= live.turn
  }

  /**
   * Asks a turn's question once more, with `anyTime` of documents of any time: in its place where it is the last, else at the end, so
   * that nothing is lost.
   */
  again(turn: number, anyTime = false) {
    const question = this.turns[turn]?.question
    if (question) void this.ask(question, turn === this.current ? { replace: turn, anyTime } : { again: turn, anyTime })
  }

  /** The same in all folders, whatever the scope was. */
  againEverywhere(turn: number) {
    this.scope = EVERYWHERE
    this.again(turn)
  }

  /** Opens the field for a question in other words, with these in it or its own; while it is answered that is stopped first. */
  edit(turn: number, words?: string) {
    this.edited = words ?? (this.live?.turn === turn ? this.live.question : this.turns[turn]?.question) ?? ''
    this.stop()
    this.editing = turn
  }

  /** Whether a turn is asked again automatically. */
  isWaiting({ conversation, turn }: { conversation: string | null; turn: number }, what: 'library' | 'model'): boolean {
    const wait = this.whenReady
    return wait?.for === what && wait.turn === turn && wait.conversation === conversation
  }

  /** Asks a turn again automatically once that is ready; a second call undoes this. */
  toggleWaiting({ conversation, turn }: { conversation: string | null; turn: number }, what: 'library' | 'model') {
    if (this.isWaiting({ conversation, turn }, what)) this.whenReady = null
    else if (conversation !== null) this.whenReady = { conversation, turn, for: what }
  }

  /** Stops the answer; what was written is kept. */
  stop() {
    this.live?.stop()
  }

  /** Adds this to the scope of the next question. */
  addToScope(what: { document: Named } | { folder: Named }) {
    const add = (list: Named[], { id, name }: Named) => (list.some((one) => one.id === id) ? list : [...list, { id, name }])
    if ('document' in what) this.scope = { ...this.scope, documents: add(this.scope.documents, what.document) }
    else this.scope = { ...this.scope, folders: add(this.scope.folders, what.folder) }
  }

  /** Gives the conversation another title. */
  async rename(title: string) {
    const id = this.id
    if (!id) return
    await session.host.call('rename_conversation', { conversation: id, title })
    if (this.id === id) this.#title = { was: this.#row(), now: title }
  }

  /** Deletes the conversation and shows an empty page. */
  async remove() {
    const id = this.id
    if (!id) return
    this.stop()
    await session.host.call('delete_conversation', { conversation: id })
    if (this.id === id) this.fresh()
  }

  /** If a question fails, what it was to replace is shown again and its text goes back into the box. */
  #giveBack(conversation: string) {
    const undone = this.#undone.get(conversation)
    if (!undone) return
    this.#undone.delete(conversation)
    const { live, replaced } = undone
    this.error = live.error
    this.givenBack = { conversation, turn: live.turn }
    this.toTurn = { turn: live.turn, asked: false }
    if (live.question === replaced.question) return
    this.draft = this.draft.trim() ? `${live.question}\n${this.draft}` : live.question
    this.toBox += 1
  }

  #isHere(live: Live): boolean {
    return live.conversation ? live.conversation === this.id : live.seat === this.#seat
  }

  /** The title in the list of conversations. */
  #row(): string | undefined {
    return session.conversations.find((row) => row.id === this.id)?.title
  }

  #leave(id: string | null): number {
    this.id = id
    this.scope = EVERYWHERE
    this.#kept = []
    this.#window = null
    this.#title = null
    this.loading = false
    this.unseen = false
    this.error = null
    this.editing = null
    this.lit = null
    this.givenBack = null
    this.toTurn = null
    this.widening.reset()
    navigation.page = 'talk'
    navigation.pane = null
    return ++this.#seat
  }
}

export const talk = new Talk()
