// The table of an answer: which turn it belongs to, its cells as they are read, the cell that has the focus.
import { tick } from 'svelte'
import type { CellView, QuoteView, TableRowView, TableView, Turn, TurnRef } from '../ipc/types'
import { navigation } from './navigation.svelte'
import { messageOf, session } from './session.svelte'
import { talk } from './talk.svelte'
import { viewer } from './viewer.svelte'

/** A table has this many questions at most. */
export const MAX_QUESTIONS = 8

/** What the dialog that makes a table asks about. */
export interface Making {
  at: TurnRef
  /** What the list is about. */
  thing: string
  /** Documents that are listed, and all that were searched. */
  listed: number
  all: number
}

class Table {
  /** The dialog that makes a table. */
  making = $state.raw<Making | null>(null)
  /** The turn whose table is shown. */
  at = $state.raw<TurnRef | null>(null)
  /** What it is about. */
  thing = $state('')
  view = $state.raw<TableView | null>(null)
  running = $state(false)
  stopping = $state(false)
  error = $state<string | null>(null)
  /** The column that the rows are sorted by; `null` for the order of the list. */
  sorted = $state<number | null>(null)
  /** The cell that is open in the viewer, by its place in `view`. */
  open = $state.raw<{ row: number; column: number } | null>(null)
  /** Milliseconds until everything is read, once a few cells were. */
  left = $state<number | null>(null)
  #run = 0

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

  /** Shows the kept table of a turn. */
  show(at: TurnRef, thing: string, view: TableView) {
    const same = this.at?.conversation === at.conversation && this.at.turn === at.turn
    this.at = at
    this.thing = thing
    this.error = null
    this.sorted = null
    this.open = null
    if (!this.running || !same) this.view = view
    this.#turn()
  }

  /** Makes a table of what the dialog asks about. */
  make(questions: string[], everything: boolean) {
    const making = this.making
    if (!making) return
    this.making = null
    this.at = making.at
    this.thing = making.thing
    this.view = null
    this.sorted = null
    this.open = null
    this.#turn()
    void this.#fill(questions, everything)
  }

  /** Asks these questions instead; a question that was asked already keeps its cells. */
  ask(questions: string[]) {
    void this.#fill(questions, null)
  }

  /** Reads what was not read yet. */
  goOn() {
    if (this.view) this.ask(this.view.questions)
  }

  stop() {
    if (!this.running || this.stopping) return
    this.stopping = true
    session.host.call('stop_table', null).catch(() => (this.stopping = false))
  }

  /** Empties a cell: the person says that it does not answer. */
  async empty(row: number, column: number) {
    if (!this.at || this.running) return
    try {
      this.#take(this.at, await session.host.call('empty_cell', { ...this.at, row, column }))
    } catch (error) {
      this.error = messageOf(error)
    }
  }

  /** Opens a quote beside the table. */
  see(place: { row: number; column: number }, document: number, { at }: QuoteView) {
    this.open = place
    void viewer.open({ is: 'place', document, at })
  }

  /** Back to the list; the focus goes to the button that opened the table. What is being read goes on. */
  leave() {
    if (navigation.pane === 'viewer') viewer.close()
    navigation.page = 'talk'
    void tick().then(() => document.querySelector<HTMLElement>('[data-opens-table]')?.focus())
  }

  #turn() {
    navigation.pane = null
    navigation.page = 'table'
  }

  async #fill(questions: string[], everything: boolean | null) {
    const at = this.at
    if (!at) return
    const run = ++this.#run
    const isIt = () => run === this.#run
    const [begun, before] = [performance.now(), this.cells.length]
    this.running = true
    this.stopping = false
    this.error = null
    this.left = null
    const listed = this.view?.rows.length
    const all = everything ?? (listed !== undefined && this.#isEverything(at, listed))
    try {
      const turn = await session.host.stream('fill_table', { ...at, questions, everything: all }, (event) => {
        if (!isIt()) return
        if (event.is === 'begun') this.view = event.table
        else this.#put(event.row, event.column, event.cell)
        const read = this.cells.length - before
        if (read >= 4) this.left = ((performance.now() - begun) / read) * (this.size - this.cells.length)
      })
      this.#take(at, turn)
    } catch (error) {
      if (isIt()) this.error = messageOf(error)
    }
    if (isIt()) this.running = this.stopping = false
  }

  /** Whether the table has other documents than the list: it was made of all. */
  #isEverything({ turn }: TurnRef, rows: number): boolean {
    const survey = talk.turns[turn]?.answer?.survey
    return survey != null && survey.rows.filter(({ included }) => included !== false).length !== rows
  }

  #put(row: number, column: number, cell: CellView) {
    if (!this.view) return
    const rows = this.view.rows.map((one, at) =>
      at === row ? { ...one, cells: one.cells.map((kept, other) => (other === column ? cell : kept)) } : one,
    )
    this.view = { ...this.view, rows }
  }

  #take(at: TurnRef, turn: Turn) {
    talk.take(at, turn)
    const isShown = this.at?.conversation === at.conversation && this.at.turn === at.turn
    if (isShown && turn.table) this.view = turn.table
  }
}

export const table = new Table()
