// A question while it is answered: the events received so far.
import type { AskEvent, Coverage, Found, IpcError, Scope, SurveyRow, Turn, WindowSize } from '../ipc/types'
import { messageOf, noticeOf, session } from './session.svelte'

export class Live {
  conversation = $state<string | null>(null)
  /** Its place in the conversation, from 0. */
  turn = $state(0)
  searched = $state<string | null>(null)
  found = $state.raw<Found | null>(null)
  /** The documents that were found so far, where all are asked for. */
  survey = $state.raw<{ coverage: Coverage; rows: SurveyRow[] } | null>(null)
  /** Markdown as it was written so far, not checked yet. */
  text = $state('')
  /** Milliseconds from the question to the first piece, and to the last one so far. */
  firstWordMs = $state<number | null>(null)
  lastMs = $state(0)
  /** Until the first piece: the words of the best passage in which the search expects the answer. */
  readonly provisional = $derived.by(() => {
    const runs = this.text ? [] : (this.found?.cards[0]?.runs ?? [])
    return runs
      .filter((run) => run.words)
      .map((run) => run.text)
      .join('')
  })
  /** Whether it can still be stopped: not twice. */
  stoppable = $state(true)
  /** Why there is no answer; `null` while there may be one, or if the user stopped it. */
  error: string | null = null
  /** Whether it ended without text, so that the shell still keeps what it was to replace. */
  wordless = false
  /** Whether the shell has kept the question. */
  #begun = false
  readonly #from = performance.now()

  constructor(
    readonly question: string,
    readonly scope: Scope,
    readonly window: WindowSize,
    /** Where the user was when asking: tells whether they are still there. */
    readonly seat: number,
  ) {}

  /** Asks the shell and follows what it says; a failure is a turn too. `onBegun` once the question is kept. */
  async run(
    conversation: string | null,
    { replace = null, again = null, anyTime = false }: { replace?: number | null; again?: number | null; anyTime?: boolean },
    onBegun: () => void,
  ): Promise<Turn> {
    this.conversation = conversation
    const args = { conversation, replace, again, question: this.question, scope: this.scope, window: this.window, anyTime }
    try {
      return await session.host.stream('ask', args, (event) => {
        this.#take(event)
        if (event.is === 'begun') onBegun()
      })
    } catch (error) {
      return this.#failed(error as IpcError)
    }
  }

  /** Stops the answer, as soon as there is something to stop. */
  stop() {
    if (!this.stoppable) return
    this.stoppable = false
    if (this.#begun) this.#sendStop()
  }

  #take(event: AskEvent) {
    if (event.is === 'begun') {
      this.#begun = true
      this.conversation = event.conversation
      this.turn = event.turn
      this.searched = event.searched
      if (!this.stoppable) this.#sendStop()
    } else if (event.is === 'found') {
      this.found = event.found
    } else if (event.is === 'surveyed') {
      this.survey = { coverage: event.coverage, rows: [...(this.survey?.rows ?? []), ...event.rows] }
    } else if (event.is === 'piece') {
      this.lastMs = performance.now() - this.#from
      this.firstWordMs ??= this.lastMs
      this.text += event.text
    }
  }

  #sendStop() {
    if (!this.conversation) return
    // If it can no longer be stopped the answer follows; stopping can be tried again until then.
    session.host.call('stop', { conversation: this.conversation }).catch(() => (this.stoppable = true))
  }

  #failed(error: IpcError): Turn {
    const { question, searched, scope, window, found, text } = this
    const written = text.trim() && {
      text,
      abstained: false,
      quoted: false,
      overruled: false,
      parts: [],
      survey: null,
    rows: null,
    time: null,
      model: '',
      limit: 0,
      sentences: [],
      leftOut: [],
      firstWordMs: this.firstWordMs,
      totalMs: this.lastMs,
    }
    const stopped = error.kind === 'cancelled'
    this.error = stopped ? null : messageOf(error)
    this.wordless = !written
    const told = { answer: written || null, stopped, error: stopped ? null : noticeOf(error) }
    return { question, searched, words: [], asked: Date.now(), scope, window, found, table: null, proposed: null, ...told }
  }
}
