// Markdown of an answer to nodes: paragraphs, headings, lists, code, quotes. Words of a model are data: there is no
// node for a tag, a picture or a link, so none can be drawn.
import { inline, type InlineLeaf, type InlineOptions, type SourceLine } from './inline'

export type Block =
  | { is: 'paragraph' | 'heading' | 'code'; leaves: InlineLeaf[] }
  | { is: 'quote'; blocks: Block[] }
  | { is: 'list'; first: number | null; items: Block[][] }

/** Lists and quotes within each other; what lies deeper is a paragraph. */
const DEEPEST = 6

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const HEADING = /^ {0,3}#{1,6}(?:[ \t]+|$)/
const QUOTE = /^ {0,3}> ?/
const ITEM = /^( *)([-*+]|\d{1,9}[.)])( +|$)/
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/

/** The blocks of an answer. Offsets of the leaves are UTF-16 units of `source`. */
export function markdown(source: string, options: InlineOptions): Block[] {
  const lines: SourceLine[] = []
  let at = 0
  for (const text of source.split('\n')) {
    lines.push({ text: text.endsWith('\r') ? text.slice(0, -1) : text, at })
    at += text.length + 1
  }
  return blocks(lines, options, 0)
}

function blocks(lines: SourceLine[], options: InlineOptions, depth: number): Block[] {
  const found: Block[] = []
  let k = 0
  while (k < lines.length) {
    const line = lines[k]!
    const fence = FENCE.exec(line.text)?.[1]
    if (line.text.trim() === '' || RULE.test(line.text)) {
      k += 1
    } else if (fence) {
      let end = k + 1
      while (end < lines.length && !closes(lines[end]!.text, fence)) end += 1
      found.push({ is: 'code', leaves: plain(lines.slice(k + 1, end)) })
      k = end + 1
    } else if (HEADING.test(line.text)) {
      const mark = HEADING.exec(line.text)![0].length
      const text = line.text.slice(mark).replace(/[ \t]+#*[ \t]*$/, '')
      if (text) found.push({ is: 'heading', leaves: inline([{ text, at: line.at + mark }], options) })
      k += 1
    } else if (QUOTE.test(line.text) && depth < DEEPEST) {
      let end = k
      while (end < lines.length && QUOTE.test(lines[end]!.text)) end += 1
      const inside = lines.slice(k, end).map((one) => without(one, QUOTE.exec(one.text)![0].length))
      found.push({ is: 'quote', blocks: blocks(inside, options, depth + 1) })
      k = end
    } else if (ITEM.test(line.text) && depth < DEEPEST) {
      const [list, end] = listFrom(lines, k, options, depth)
      found.push(list)
      k = end
    } else {
      let end = k + 1
      while (end < lines.length && !startsBlock(lines[end]!.text)) end += 1
      found.push({ is: 'paragraph', leaves: inline(lines.slice(k, end).map(trimmed), options) })
      k = end
    }
  }
  return found
}

/** A list that begins at line `k`, and the line after it. */
function listFrom(lines: SourceLine[], k: number, options: InlineOptions, depth: number): [Block, number] {
  const [, indent = '', sign = ''] = ITEM.exec(lines[k]!.text)!
  const ordered = /\d/.test(sign)
  const items: Block[][] = []
  while (k < lines.length) {
    const match = ITEM.exec(lines[k]!.text)
    if (!match || Math.abs(match[1]!.length - indent.length) > 1 || /\d/.test(match[2]!) !== ordered) break
    const inner = Math.min(match[0].length, match[1]!.length + match[2]!.length + 4)
    const item = [without(lines[k]!, match[0].length)]
    k += 1
    while (k < lines.length) {
      const { text } = lines[k]!
      const space = text.length - text.trimStart().length
      if (text.trim() === '') {
        // A blank line ends the item unless what follows is indented.
        const next = lines.slice(k, k + 3).find((one) => one.text.trim() !== '')
        if (!next || next.text.length - next.text.trimStart().length < inner) break
      } else if (space < inner && startsBlock(text)) break
      item.push(without(lines[k]!, Math.min(space, inner)))
      k += 1
    }
    items.push(blocks(item, options, depth + 1))
    let next = k
    while (next < lines.length && lines[next]!.text.trim() === '') next += 1
    if (next > k && next < lines.length && ITEM.test(lines[next]!.text)) k = next
  }
  return [{ is: 'list', first: ordered ? Number.parseInt(sign, 10) : null, items }, k]
}

function startsBlock(text: string): boolean {
  return [FENCE, HEADING, QUOTE, ITEM, RULE].some((mark) => mark.test(text)) || text.trim() === ''
}

function closes(text: string, fence: string): boolean {
  const bare = text.trim()
  return bare.length >= fence.length && bare === fence[0]!.repeat(bare.length)
}

function without(line: SourceLine, length: number): SourceLine {
  return { text: line.text.slice(length), at: line.at + length }
}

function trimmed(line: SourceLine): SourceLine {
  const space = line.text.length - line.text.trimStart().length
  return { text: line.text.trim(), at: line.at + space }
}

/** Lines as they stand, for code. */
function plain(lines: SourceLine[]): InlineLeaf[] {
  return lines.map(({ text, at }, k) => ({
    is: 'text',
    text: k < lines.length - 1 ? `${text}\n` : text,
    at,
    strong: false,
    em: false,
    code: false,
    doubt: false,
  }))
}

/** What a block says without its marks and citations. */
export function spoken(all: Block[]): string {
  const parts = all.map((block) => {
    if (block.is === 'quote') return spoken(block.blocks)
    if (block.is === 'list') return block.items.map(spoken).join('\n')
    return block.leaves.map((leaf) => (leaf.is === 'text' ? leaf.text : '')).join('')
  })
  return parts.join('\n')
}
