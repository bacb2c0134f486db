// The Markdown of an answer as blocks of text and citations. Tags, links, images and character references are not parsed:
// they stay text, so nothing that a model writes can become markup or load anything.
import type { PhrasingContent, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'

interface Style {
  strong: boolean
  em: boolean
  code: boolean
}

/** A piece of the source's text; `at` is its first UTF-16 unit in the source. */
export interface TextLeaf extends Style {
  is: 'text'
  text: string
  at: number
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

export type Block =
  | { is: 'paragraph' | 'heading' | 'code'; leaves: InlineLeaf[] }
  | { is: 'quote'; blocks: Block[] }
  | { is: 'list'; first: number | null; items: Block[][] }

export interface MarkdownOptions {
  /** The numbers that are citations; others stay text. */
  known: ReadonlySet<number>
  /** Whether more is to come: an open `**` is bold up to the end, half a citation is not shown yet. */
  streaming: boolean
}

/** What stays text. */
const DISABLED = [
  ...['autolink', 'definition', 'htmlFlow', 'htmlText', 'labelEnd', 'labelStartImage', 'labelStartLink'],
  ...['characterReference', 'codeIndented', 'setextUnderline'],
]

/** Lists and quotes nested deeper than this are shown as plain text. */
const MAX_DEPTH = 6

/**
 * An answer has at most 256 tokens. The parser takes quadratic time for long runs of marks, so a longer text or a deeper
 * list is shown as plain text.
 */
const MAX_LENGTH = 8000
const TOO_DEEP = /(?:(?:[-*+]|\d{1,9}[.)])[ \t]+){100}/

/** An escaped mark; a line break with the marks of the blocks around it; a citation. */
const SPECIAL = /\\(?=[!-\x2f:-@[-\x60{-~])(.)|[ \t]*\r?(\n)[ \t>]*|\[\s*(\d{1,3}(?:(?:\s*[,;]\s*|\s+)\d{1,3})*)\s*\]/g

const PLAIN: Style = { strong: false, em: false, code: false }

/** The blocks of an answer. Offsets of the leaves are UTF-16 units of `source`. */
export function markdown(source: string, { known, streaming }: MarkdownOptions): Block[] {
  if (streaming) source = source.replace(/\[[\d,; ]*$/, '')
  if (source.length > MAX_LENGTH || TOO_DEEP.test(source)) return [{ is: 'paragraph', leaves: pieces(0, source.length, PLAIN) }]
  const tree = parse(source)
  const open = streaming && openStrong(tree.at(-1))
  return blocks(open ? parse(source.trimEnd() + open) : tree, 0)

  /** The mark of bold text at the end that is not closed yet. */
  function openStrong(last: RootContent | undefined): string | undefined {
    if (last?.type !== 'paragraph' && last?.type !== 'heading') {
      return last && 'children' in last ? openStrong(last.children.at(-1)) : undefined
    }
    const texts = last.children.filter(({ type }) => type === 'text').map((node) => source.slice(...range(node)))
    return /(?:^|[^\\])(\*\*|__)(?=\S)/.exec(texts.join(' '))?.[1]
  }

  function blocks(nodes: RootContent[], depth: number): Block[] {
    return nodes.flatMap((node): Block[] => {
      const [from, to] = range(node)
      const deep = depth >= MAX_DEPTH
      if (node.type === 'thematicBreak') return []
      if (node.type === 'code') return [{ is: 'code', leaves: codeLines(node.value, from) }]
      if (node.type === 'blockquote' && !deep) return [{ is: 'quote', blocks: blocks(node.children, depth + 1) }]
      if (node.type === 'list' && !deep) {
        const items = node.children.map((item) => blocks(item.children, depth + 1))
        return [{ is: 'list', first: node.ordered ? (node.start ?? 1) : null, items }]
      }
      const prose = node.type === 'heading' || node.type === 'paragraph'
      const leaves = prose ? inline(node.children, PLAIN) : pieces(from, to, PLAIN)
      return leaves.length > 0 ? [{ is: node.type === 'heading' ? 'heading' : 'paragraph', leaves }] : []
    })
  }

  function inline(nodes: PhrasingContent[], style: Style): InlineLeaf[] {
    return nodes.flatMap((node): InlineLeaf[] => {
      const [from, to] = range(node)
      if (node.type === 'strong') return inline(node.children, { ...style, strong: true })
      if (node.type === 'emphasis') return inline(node.children, { ...style, em: true })
      if (node.type === 'break') return [textLeaf('\n', to - 1, style)]
      if (node.type !== 'inlineCode') return pieces(from, to, style)
      const ticks = /^`+/.exec(source.slice(from, to))?.[0].length ?? 0
      return [textLeaf(node.value, Math.max(from, source.indexOf(node.value, from + ticks)), { ...style, code: true })]
    })
  }

  /** The text of this range of the source, cut at citations and where characters are left out. */
  function pieces(from: number, to: number, style: Style): InlineLeaf[] {
    const leaves: InlineLeaf[] = []
    let at = from
    const textTo = (end: number) => end > at && leaves.push(textLeaf(source.slice(at, end), at, style))
    for (const match of source.slice(from, to).matchAll(SPECIAL)) {
      const start = from + match.index
      const [all, escaped, lineBreak, cited] = match
      const numbers = cited?.split(/\D+/).map(Number) ?? []
      if (!numbers.every((n) => known.has(n))) continue
      textTo(start)
      for (const n of numbers) leaves.push({ is: 'cite', n, at: start, claim: null })
      if (lineBreak) leaves.push(textLeaf('\n', start + all.indexOf('\n'), style))
      at = escaped ? start + 1 : start + all.length
    }
    textTo(to)
    return leaves
  }

  /** The lines of a code block that begins at `from`: each is the end of a line of the source. */
  function codeLines(value: string, from: number): InlineLeaf[] {
    let lineStart = source.indexOf('\n', from) + 1
    const lines = value.split(/\r?\n/)
    return lines.map((line, k) => {
      const end = (source.indexOf('\n', lineStart) + 1 || source.length + 1) - 1
      const at = lineStart + Math.max(0, source.slice(lineStart, end).replace(/\r$/, '').length - line.length)
      lineStart = end + 1
      return textLeaf(k < lines.length - 1 ? `${line}\n` : line, at, PLAIN)
    })
  }
}

const parse = (source: string) => fromMarkdown(source, { extensions: [{ disable: { null: DISABLED } }] }).children

const range = (node: RootContent): [number, number] => [node.position!.start.offset!, node.position!.end.offset!]

const textLeaf = (text: string, at: number, style: Style): TextLeaf => ({ is: 'text', text, at, ...style, doubt: false })

/** What blocks say, without marks and citations. */
export function plainText(all: Block[]): string {
  const parts = all.map((block) => {
    if (block.is === 'quote') return plainText(block.blocks)
    if (block.is === 'list') return block.items.map(plainText).join('\n')
    return block.leaves.map((leaf) => (leaf.is === 'text' ? leaf.text : '')).join('')
  })
  return parts.join('\n')
}
