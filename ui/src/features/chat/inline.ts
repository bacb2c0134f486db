// A line of Markdown to leaves: text with its style and its place in the source. Everything that is not emphasis, code
// or a citation stays the text it is: tags, images, links and addresses too. Linear in the length of the text.

/** A piece of text; `at` is its first UTF-16 unit in the source, its characters are those of the source. */
export interface TextLeaf {
  is: 'text'
  text: string
  at: number
  strong: boolean
  em: boolean
  code: boolean
  /** Whether it is part of a sentence that no passage supports. */
  doubt: boolean
}

/** A citation. */
export interface CiteLeaf {
  is: 'cite'
  n: number
  at: number
  /** The sentence of the answer that it belongs to. */
  claim: number | null
}

export type InlineLeaf = TextLeaf | CiteLeaf

/** A line of a block without the marks of the blocks around it. */
export interface SourceLine {
  text: string
  at: number
}

export interface InlineOptions {
  /** The numbers that are citations; others stay text. */
  known: ReadonlySet<number>
  /** Whether more is to come: an open `**` is bold up to the end, half a citation is not shown yet. */
  streaming: boolean
}

const STRONG = 1
const EM = 2
const CODE = 4
/** Escaped: shown, but never a mark. */
const LITERAL = 8
const HIDDEN = 16

const PUNCTUATION = /[!-/:-@[-`{-~\u2010-\u2027\u00ab\u00bb]/
const CITATION = /\[\s*(\d{1,3}(?:(?:\s*[,;]\s*|\s+)\d{1,3})*)\s*\]/g

/** The leaves of a paragraph, heading or list line. */
export function inline(lines: SourceLine[], options: InlineOptions): InlineLeaf[] {
  let text = lines.map((line) => line.text).join('\n')
  if (options.streaming) text = text.replace(/\[[\d,; ]*$/, '')
  const style = new Uint8Array(text.length)
  escapesAndCode(text, style)
  emphasis(text, style, options.streaming)
  return emit(text, style, lines, options)
}

function escapesAndCode(text: string, style: Uint8Array) {
  const runs = new Map<number, number[]>()
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const places = runs.get(run.length)
    if (places) places.push(index)
    else runs.set(run.length, [index])
  }
  for (const places of runs.values()) places.reverse()
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\' && PUNCTUATION.test(text[at + 1] ?? '')) {
      style[at] = HIDDEN
      style[at + 1] = LITERAL
      at += 1
    } else if (text[at] === '`') {
      const length = /^`+/.exec(text.slice(at, at + 80))?.[0].length ?? 1
      const places = runs.get(length) ?? []
      while (places.length > 0 && (places.at(-1) ?? 0) <= at) places.pop()
      const end = places.at(-1)
      if (end === undefined) {
        at += length - 1
        continue
      }
      style.fill(HIDDEN, at, at + length)
      style.fill(CODE, at + length, end)
      style.fill(HIDDEN, end, end + length)
      at = end + length - 1
    }
  }
}

function emphasis(text: string, style: Uint8Array, streaming: boolean) {
  /** Where `*`, `**`, `_`, `__` was opened last. */
  const open = new Map<string, number>()
  /** The last character that is no mark: there is no emphasis of nothing. */
  let word = -1
  const close = (mark: string, at: number) => {
    const from = open.get(mark)
    if (from === undefined || word < from) return false
    const bit = mark.length === 2 ? STRONG : EM
    for (let k = from + mark.length; k < at; k += 1) style[k]! |= bit
    for (let k = 0; k < mark.length; k += 1) style[from + k]! |= HIDDEN
    for (let k = 0; k < mark.length && at + k < text.length; k += 1) style[at + k]! |= HIDDEN
    open.delete(mark)
    return true
  }
  for (let at = 0; at < text.length; ) {
    const sign = text[at]!
    if ((sign !== '*' && sign !== '_') || style[at] !== 0) {
      if (style[at] !== HIDDEN) word = at
      at += 1
      continue
    }
    let end = at
    while (text[end] === sign && style[end] === 0) end += 1
    const { opens, closes } = flanks(sign, text[at - 1] ?? ' ', text[end] ?? ' ')
    if (closes) {
      while (at < end) {
        if (end - at >= 2 && close(sign + sign, at)) at += 2
        else if (close(sign, at)) at += 1
        else break
      }
    }
    if (opens) {
      if (end - at >= 2 && !open.has(sign + sign)) {
        open.set(sign + sign, at)
        at += 2
      }
      if (end - at >= 1 && !open.has(sign)) open.set(sign, at)
    }
    at = end
  }
  if (streaming) for (const mark of ['**', '__']) close(mark, text.length)
}

/** Whether a run of marks between these two characters can open and close. */
function flanks(sign: string, before: string, after: string) {
  const blank = (char: string) => /\s/.test(char)
  const sharp = (char: string) => PUNCTUATION.test(char)
  const left = !blank(after) && (!sharp(after) || blank(before) || sharp(before))
  const right = !blank(before) && (!sharp(before) || blank(after) || sharp(after))
  if (sign === '*') return { opens: left, closes: right }
  return { opens: left && (!right || sharp(before)), closes: right && (!left || sharp(after)) }
}

function emit(text: string, style: Uint8Array, lines: SourceLine[], options: InlineOptions): InlineLeaf[] {
  const leaves: InlineLeaf[] = []
  let base = 0
  for (const line of lines) {
    // The break belongs to the line that it ends.
    const end = Math.min(text.length, base + line.text.length + 1)
    for (let from = base; from < end; ) {
      let to = from + 1
      while (to < end && style[to] === style[from]) to += 1
      const bits = style[from]!
      if ((bits & HIDDEN) === 0) piece(leaves, text.slice(from, to), line.at + from - base, bits, options)
      from = to
    }
    base = end
  }
  return leaves
}

function piece(leaves: InlineLeaf[], text: string, at: number, bits: number, options: InlineOptions) {
  const add = (from: number, to: number) => {
    if (to <= from) return
    const [strong, em, code] = [(bits & STRONG) !== 0, (bits & EM) !== 0, (bits & CODE) !== 0]
    leaves.push({ is: 'text', text: text.slice(from, to), at: at + from, strong, em, code, doubt: false })
  }
  let from = 0
  if ((bits & (CODE | LITERAL)) === 0) {
    for (const match of text.matchAll(CITATION)) {
      const numbers = (match[1] ?? '').split(/[^\d]+/).map(Number)
      if (!numbers.every((n) => options.known.has(n))) continue
      add(from, match.index)
      for (const n of numbers) leaves.push({ is: 'cite', n, at: at + match.index, claim: null })
      from = match.index + match[0].length
    }
  }
  add(from, text.length)
}
