// The panel that explains an answer, or why a file is not in it.
import { untrack } from 'svelte'
import type { AnswerView, DocumentRow, TurnRef, Why, WhyNot } from '../ipc/types'
import type { Live } from './live.svelte'
import { navigation } from './navigation.svelte'
import { messageOf, session } from './session.svelte'
import { talk } from './talk.svelte'
import { leavePane } from './viewer.svelte'

/** What the control on top lists. */
export type StageList = 'all' | 'dense' | 'sparse' | 'fused' | 'rerank'

class WhyPanel {
  /** The turn it explains. */
  turn = $state.raw<TurnRef | null>(null)
  /** Whether it explains the answer or looks for a file. */
  about = $state<'answer' | 'file'>('answer')
  why = $state.raw<Why | null>(null)
  answer = $state.raw<AnswerView | null>(null)
  error = $state<string | null>(null)
  list = $state<StageList>('all')
  /** Whether the rows are shown that are left out at first. */
  everything = $state(false)
  /** Counts requests to show the check. */
  toCheck = $state(0)
  /** The row that was opened last: it takes the focus when the panel comes back. */
  opened = $state.raw<number | null>(null)
  /** The file that is looked up, and its result. */
  file = $state.raw<DocumentRow | null>(null)
  not = $state.raw<WhyNot | null>(null)
  #asked = 0
  #lookedInto = 0

  /** Whether the turn it explains is still being answered. */
  readonly waits: boolean = $derived(talk.live !== null && isAt(talk.live, this.turn))

  constructor() {
    $effect.root(() => {
      let live: Live | null = null
      $effect(() => {
        const before = live
        live = talk.live
        untrack(() => this.#follow(before, talk.live))
      })
    })
  }

  /** Explains an answer; with `check`, from the check on. */
  async open(conversation: string, turn: number, at?: 'check') {
    this.#show('answer', { conversation, turn })
    if (at === 'check') this.toCheck += 1
    await this.#load()
  }

  /** Asks for a file and shows how it ranked in the current question. */
  openNot() {
    const turn = talk.id === null || talk.current === null ? null : { conversation: talk.id, turn: talk.current }
    this.#show('file', turn ?? this.turn)
    this.file = null
    this.not = null
    void this.#load()
  }

  /** Switches between the table and the search for a file. */
  turnTo(about: 'answer' | 'file') {
    this.about = about
    this.error = null
  }

  /** Looks into one file. */
  async lookInto(file: DocumentRow) {
    if (!this.turn) return
    const asked = ++this.#lookedInto
    this.file = file
    this.not = null
    this.error = null
    if (this.waits) return
    try {
      const not = await session.host.call('why_not', { ...this.turn, document: file.id })
      if (asked === this.#lookedInto) this.not = not
    } catch (error) {
      if (asked === this.#lookedInto) this.error = messageOf(error)
    }
  }

  close() {
    this.#asked += 1
    this.#lookedInto += 1
    leavePane()
  }

  /** When a turn is asked again, the new turn is explained instead. */
  #follow(before: Live | null, live: Live | null) {
    const { turn, file } = this
    if (live && turn && talk.replaces(live, turn)) {
      this.#asked += 1
      this.#lookedInto += 1
      this.#turnTo({ conversation: turn.conversation, turn: live.turn })
      this.why = null
      this.answer = null
      this.not = null
      this.error = null
      this.opened = null
    } else if (before && !live && navigation.pane !== null && isAt(before, turn) && talk.id === turn?.conversation) {
      void this.#load()
      if (file) void this.lookInto(file)
    }
  }

  #show(about: 'answer' | 'file', turn: TurnRef | null) {
    if (navigation.pane === null) navigation.keepFocus()
    navigation.page = 'talk'
    navigation.pane = 'why'
    this.about = about
    this.error = null
    this.opened = null
    this.#turnTo(turn)
  }

  #turnTo(turn: TurnRef | null) {
    if (turn?.conversation !== this.turn?.conversation || turn?.turn !== this.turn?.turn) {
      this.why = null
      this.answer = null
      this.list = 'all'
      this.everything = false
    }
    this.turn = turn
  }

  async #load() {
    const turn = this.turn
    // A turn that is still being answered is explained later.
    if (!turn || this.waits) return
    const asked = ++this.#asked
    try {
      const [why, turns] = await Promise.all([
        session.host.call('why', turn),
        talk.id === turn.conversation ? talk.turns : session.host.call('conversation', turn).then((kept) => kept.turns),
      ])
      if (asked !== this.#asked) return
      this.why = why
      this.answer = turns[turn.turn]?.answer ?? null
    } catch (error) {
      if (asked === this.#asked) this.error = messageOf(error)
    }
  }
}

function isAt(live: Live, turn: TurnRef | null): boolean {
  return turn !== null && live.conversation === turn.conversation && live.turn === turn.turn
}

export const why = new WhyPanel()
