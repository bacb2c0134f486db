// The table of an answer: which turn it belongs to, its cells as they are read, the cell that has the focus.
import { tick } from 'svelte'
import type { CellView, QuoteView, TableRowView, TableSource, TableView, TurnRef } from '../ipc/types'
import { navigation } from './navigation.svelte'
import { messageOf, session } from './session.svelte'
import { talk } from './talk.svelte'
import { viewer } from './viewer.svelte'

/** A table has this many questions at most. */
export const MAX_QUESTIONS = 8

/** What the dialog that makes a table asks about. */
export interface Making {
  at: TurnRef
  /** What it is about. */
  thing: string
  /** Documents that are listed; `null` where there is no list. */
  listed: number | null
  /** All documents that were searched. */
  all: number
  /** What it is to ask at first. */
  questions: string[]
}

/** A table while it is filled. */
class Filling {
  view = $state.raw<TableView | null>(null)
  stopping = $state(false)
  /** Milliseconds until everything is read, once a few cells were. */
  left = $state<number | null>(null)

  constructor(readonly at: TurnRef) {}

  put(row: number, column: number, cell: CellView) {
    if (!this.view) return
    const rows = this.view.rows.map((one, at) =>
      at === row ? { ...one, cells: one.cells.map((kept, other) => (other === column ? cell : kept)) } : one,
    )
    this.view = { ...this.view, rows }
  }
}

const same = (a: TurnRef | null | undefined, b: TurnRef | null | undefined) =>
  a != null && b != null && a.conversation === b.conversation && a.turn === b.turn

class Table {
  /** The dialog that makes a table. */
  making = $state.raw<Making | null>(null)
  /** The turn whose table is shown. */
  at = $state.raw<TurnRef | null>(null)
  /** What it is about. */
  thing = $state('')
  #kept = $state.raw<TableView | null>(null)
  /** The tables that are filled: one, and for a moment the one that it stops. */
  #fillings = $state.raw<Filling[]>([])

  readonly #filling: Filling | null = $derived(this.#fillings.filter(({ at }) => same(at, this.at)).at(-1) ?? null)
  readonly view: TableView | null = $derived(this.#filling?.view ?? this.#kept)
  readonly running: boolean = $derived(this.#filling !== null)
  readonly stopping: boolean = $derived(this.#filling?.stopping ?? false)
  readonly left: number | null = $derived(this.#filling?.left ?? null)
  error = $state<string | null>(null)
  /** The column that the rows are sorted by; `null` for the order of the list. */
  sorted = $state<number | null>(null)
  /** The cell that is open in the viewer, by its place in `view`. */
  open = $state.raw<{ row: number; column: number } | null>(null)

  /** The rows with their places in `view`, in the order in which they are shown. */
  readonly rows: { row: TableRowView; place: number }[] = $derived.by(() => {
    const rows = (this.view?.rows ?? []).map((row, place) => ({ row, place }))
    const column = this.sorted
    if (column === null) return rows
    const words = ({ row }: (typeof rows)[number]) => row.cells[column]?.quotes[0]?.words ?? null
    const compare = (a: string | null, b: string | null) => {
      if (a === null || b === null) return Number(a === null) - Number(b === null)
      return a.localeCompare(b, undefined, { numeric: true, sensitivity: 'base' })
    }
    return rows.sort((a, b) => compare(words(a), words(b)) || a.place - b.place)
  })
  readonly cells: CellView[] = $derived((this.view?.rows ?? []).flatMap(({ cells }) => cells.filter((cell) => cell !== null)))
  /** All cells, read or not. */
  readonly size: number = $derived((this.view?.rows.length ?? 0) * (this.view?.questions.length ?? 0))

  /** Whether the table of a turn is being filled. */
  fills(at: TurnRef): boolean {
    return this.#fillings.some((one) => same(one.at, at))
  }

  /** Shows the table of a turn: as it is kept, or while it is filled. */
  show(at: TurnRef, thing: string, kept: TableView | null) {
    this.#turn(at, thing)
    this.#kept = kept
  }

  /** Makes a table of what the dialog asks about. */
  make(questions: string[], documents: TableSource) {
    const making = this.making
    if (!making) return
    this.making = null
    this.#turn(making.at, making.thing)
    this.#kept = null
    void this.#fill(making.at, questions, documents)
  }

  /** Asks these questions instead; a question that was asked already keeps its cells. */
  ask(questions: string[]) {
    if (this.at) void this.#fill(this.at, questions, 'kept')
  }

  /** Reads what was not read yet. */
  goOn() {
    if (this.view) this.ask(this.view.questions)
  }

  stop() {
    const filling = this.#filling
    if (!filling || filling.stopping) return
    filling.stopping = true
    session.host.call('stop_work', 'table').catch(() => (filling.stopping = false))
  }

  /** Empties a cell: the user says that it does not answer. */
  async empty(row: number, column: number) {
    const at = this.at
    if (!at || this.running) return
    try {
      const turn = await session.host.call('empty_cell', { ...at, row, column })
      talk.take(at, turn)
      if (same(at, this.at)) this.#kept = turn.table
    } catch (error) {
      this.error = messageOf(error)
    }
  }

  /** Opens a quote beside the table. */
  see(place: { row: number; column: number }, document: number, { at }: QuoteView) {
    this.open = place
    void viewer.open({ is: 'place', document, at })
  }

  /** Back to the answer; the focus goes to the button that opened the table. Reading continues. */
  leave() {
    if (navigation.pane === 'viewer') viewer.close()
    navigation.page = 'talk'
    void tick().then(() => document.querySelector<HTMLElement>('[data-opens-table]')?.focus())
  }

  #turn(at: TurnRef, thing: string) {
    this.at = at
    this.thing = thing
    this.error = null
    this.sorted = null
    this.open = null
    navigation.pane = null
    navigation.page = 'table'
  }

  async #fill(at: TurnRef, questions: string[], documents: TableSource) {
    const filling = new Filling(at)
    this.#fillings = [...this.#fillings, filling]
    this.error = null
    const begun = performance.now()
    let read = 0
    try {
      const turn = await session.host.stream('fill_table', { ...at, questions, documents }, (event) => {
        if (event.is === 'begun') filling.view = event.table
        else {
          filling.put(event.row, event.column, event.cell)
          read += 1
        }
        const open = filling.view?.rows.flatMap(({ cells }) => cells).filter((cell) => cell === null).length ?? 0
        if (read >= 4) filling.left = ((performance.now() - begun) / read) * open
        // It may have been stopped before the shell had begun.
        if (event.is === 'begun' && filling.stopping) session.host.call('stop_work', 'table').catch(() => {})
      })
      talk.take(at, turn)
      if (same(at, this.at)) this.#kept = turn.table
    } catch (error) {
      if (same(at, this.at)) this.error = messageOf(error)
    }
    this.#fillings = this.#fillings.filter((one) => one !== filling)
  }
}

export const table = new Table()
