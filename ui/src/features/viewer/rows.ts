// Rows of a sheet: cells, widths, addresses; lines of code as blocks. In text and numbers, without the DOM.
import type { Block, Run, ViewRows } from '../../ipc/types'

/** The most rows whose cells decide how wide a column is. */
const SAMPLE = 400
/** Width of a sign and of what is around it, and the bounds of a column, at 100%. */
const SIGN = 7.3
const AROUND = 18
const NARROWEST = 52
const WIDEST = 300

/** Cuts marked text at every separator. */
function cut(runs: Run[], separator: string): Run[][] {
  const pieces: Run[][] = [[]]
  for (const run of runs) {
    for (const [i, text] of run.text.split(separator).entries()) {
      if (i > 0) pieces.push([])
      if (text !== '') pieces.at(-1)?.push({ ...run, text })
    }
  }
  return pieces
}

/** The cells of a row. */
export const cellsOf = (runs: Run[]): Run[][] => cut(runs, '\t')

/** The rows of a table, in cells. */
export const rowsOf = (runs: Run[]): Run[][][] => cut(runs, '\n').map(cellsOf)

/** Where a stretch of a row is: its cell, and the stretch in it up to the cell's end. */
export function inCell(row: string, start: number, end: number): { column: number; start: number; end: number } {
  const before = row.slice(0, start)
  const from = before.lastIndexOf('\t') + 1
  const to = row.indexOf('\t', start)
  return { column: before.split('\t').length - 1, start: start - from, end: Math.min(end, to < 0 ? row.length : to) - from }
}

/** `A`, `Z`, `AA`: a column, from 0. */
export function letters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last
}

const figure = /^[-+(−]?[\d.,\s\u00a0]*\d[\d.,\s\u00a0]*[)%]?\s?[€$£]?$/u

/** Whether a cell is a number, which is aligned right. */
export const isFigure = (text: string) => text.length < 24 && figure.test(text)

/** A sheet that is parsed only where it is visible. */
export class Sheet {
  readonly lines: string[]
  readonly columns: number
  /** The number of each row in the sheet; rows without text have one and are not here. */
  readonly numbers: number[]
  readonly #marked: Map<number, Run[]>

  constructor(readonly rows: ViewRows) {
    this.lines = rows.text.split('\n')
    this.columns = this.lines.reduce((most, line) => Math.max(most, cellsIn(line)), 1)
    const given = new Map(rows.numbers.map(({ row, number }) => [row, number]))
    let number = 0
    this.numbers = this.lines.map((_, row) => (number = given.get(row) ?? number + 1))
    this.#marked = new Map(rows.marked.map(({ row, runs }) => [row, runs]))
  }

  /** The cells of a row with their marks. */
  cells(row: number): Run[][] {
    return cellsOf(this.#marked.get(row) ?? [{ text: this.lines[row] ?? '', mark: 'plain' }])
  }

  /** The text of one cell. */
  cell(row: number, column: number): string {
    return this.lines[row]?.split('\t')[column] ?? ''
  }

  /** How deep a row is marked. */
  mark(row: number): 'plain' | 'window' | 'sentence' {
    const runs = this.#marked.get(row)
    if (!runs) return 'plain'
    return runs.some(({ mark }) => mark === 'sentence') ? 'sentence' : 'window'
  }

  /** The place of a marked sentence, at the words of the answer where they are known. */
  placeOf(hit: number): { row: number; column: number } | null {
    const own = this.rows.marked.find(({ runs }) => runs.some((run) => run.hit === hit))
    if (!own) return null
    const cells = cellsOf(own.runs)
    const words = cells.findIndex((runs) => runs.some((run) => run.words && run.hit === hit))
    return { row: own.row, column: Math.max(0, words < 0 ? cells.findIndex((runs) => runs.some((run) => run.hit === hit)) : words) }
  }

  /** How wide each column is at 100%: what most of its cells need. */
  widths(): number[] {
    const step = Math.max(1, Math.floor(this.lines.length / SAMPLE))
    const longest = Array.from({ length: this.columns }, () => 0)
    for (let row = 0; row < this.lines.length; row += step) {
      for (const [column, text] of (this.lines[row] ?? '').split('\t').entries()) {
        longest[column] = Math.max(longest[column] ?? 0, text.length)
      }
    }
    return longest.map((signs) => Math.min(WIDEST, Math.max(NARROWEST, Math.ceil(signs * SIGN) + AROUND)))
  }
}

/** How many cells a row has; counted without cutting it, as there are many rows. */
function cellsIn(line: string): number {
  let count = 1
  for (let at = line.indexOf('\t'); at >= 0; at = line.indexOf('\t', at + 1)) count++
  return count
}

/** The lines of code, each a block. */
export function lineBlocks({ text, marked }: ViewRows): Block[] {
  const runs = new Map(marked.map((one) => [one.row, one.runs]))
  return text.split(/\r?\n/u).map((line, row) => ({ style: 'fixed', runs: runs.get(row) ?? [{ text: line, mark: 'plain' }] }))
}
