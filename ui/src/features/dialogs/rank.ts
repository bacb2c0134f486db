// How well a text fits what was typed: where words begin counts most, letters in order count least.
import { fold } from './fold'

export interface Fit {
  /** Higher is better. */
  score: number
  /** The letters that were matched, as ranges of the text, ascending. */
  marks: [start: number, end: number][]
}

/** The folded text, each unit with its place in the original. */
function folding(text: string): { folded: string; at: number[] } {
  let folded = ''
  const at: number[] = []
  let index = 0
  for (const letter of text) {
    const plain = fold(letter)
    for (let unit = 0; unit < plain.length; unit++) at.push(index)
    folded += plain
    index += letter.length
  }
  at.push(text.length)
  return { folded, at }
}

const wordChar = /[\p{L}\p{N}]/u
const begins = (text: string, at: number) => at === 0 || !wordChar.test(text[at - 1]!)

/** Where `part` begins a word, else where it is found, from `from` on; -1 if nowhere. */
function place(text: string, part: string): { at: number; word: boolean } {
  let first = -1
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (begins(text, at)) return { at, word: true }
    if (first < 0) first = at
  }
  return { at: first, word: false }
}

/** All letters of `part` in order, as close to beginnings of words as can be; `null` where one is missing. */
function scattered(text: string, part: string): { places: number[]; words: number } | null {
  const places: number[] = []
  let words = 0
  let from = 0
  for (const letter of part) {
    let at = text.indexOf(letter, from)
    if (at < 0) return null
    // Prefers a letter that follows the last match, or begins a word.
    if (at !== from || from === 0) {
      for (let next = at; next >= 0; next = text.indexOf(letter, next + 1)) {
        if (!begins(text, next)) continue
        const rest = part.slice(places.length + 1)
        if (next === at || rest === '' || includesInOrder(text, rest, next + 1)) at = next
        break
      }
    }
    if (begins(text, at)) words += 1
    places.push(at)
    from = at + 1
  }
  return { places, words }
}

function includesInOrder(text: string, letters: string, from: number): boolean {
  for (const letter of letters) {
    const at = text.indexOf(letter, from)
    if (at < 0) return false
    from = at + 1
  }
  return true
}

/** How `text` fits `query`; `null` where it does not. An empty query fits everything equally. */
export function fit(query: string, text: string): Fit | null {
  const parts = fold(query.trim()).split(/\s+/).filter(Boolean)
  if (parts.length === 0) return { score: 0, marks: [] }
  const { folded, at } = folding(text)
  const short = 1 / (1 + folded.length)
  const found = parts.map((part) => ({ ...place(folded, part), length: part.length }))
  if (found.every((one) => one.at >= 0)) {
    const worst = found.every(({ word }) => word) ? (found[0]!.at === 0 ? 4 : 3) : 2
    const marks = found.map((one): [number, number] => [at[one.at]!, at[one.at + one.length]!])
    return { score: worst + short, marks: join(marks) }
  }
  // Letters in order only for one word of at least two letters, if they are initials or close together.
  const letters = parts.join('')
  if (letters.length < 2) return null
  const loose = scattered(folded, letters)
  if (!loose) return null
  const span = loose.places.at(-1)! - loose.places[0]! + 1
  if (loose.words <= letters.length / 2 && span > letters.length * 3) return null
  const score = (loose.words / letters.length + letters.length / span) / 2
  return { score: score + short / 10, marks: join(loose.places.map((one) => [at[one]!, at[one + 1]!])) }
}

/** Ranges in order, those that touch made one. */
function join(ranges: [number, number][]): [number, number][] {
  const out: [number, number][] = []
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = out.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else out.push([start, end])
  }
  return out
}

/** The text cut where its marks begin and end. */
export function pieces(text: string, marks: Fit['marks']): { text: string; marked: boolean }[] {
  const out: { text: string; marked: boolean }[] = []
  let from = 0
  for (const [start, end] of marks) {
    if (start > from) out.push({ text: text.slice(from, start), marked: false })
    out.push({ text: text.slice(start, end), marked: true })
    from = end
  }
  if (from < text.length) out.push({ text: text.slice(from), marked: false })
  return out
}

/** The best of `all`, best first; equals stay in their order. */
export function best<T>(query: string, all: T[], text: (one: T) => string, limit: number): { one: T; fit: Fit }[] {
  return all
    .map((one) => ({ one, fit: fit(query, text(one)) }))
    .filter((row): row is { one: T; fit: Fit } => row.fit !== null)
    .sort((a, b) => b.fit.score - a.fit.score)
    .slice(0, limit)
}
