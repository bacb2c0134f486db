// The check of an answer laid over its text: which words are in doubt, where the reason is shown, which sentence a citation
// belongs to; then citations glued to the word before them.
import type { Claim, Difference } from '../../ipc/types'
import type { Block, CiteLeaf, InlineLeaf, TextLeaf } from './markdown'

/** Why the sentence before it is in doubt. */
export interface ReasonLeaf {
  is: 'reason'
  claim: number
}

/** Leaves that a line break must not separate. */
export interface Glue {
  is: 'glue'
  leaves: (TextLeaf | CiteLeaf)[]
}

export type Part = TextLeaf | CiteLeaf | ReasonLeaf | Glue

/** A longer word would not fit a narrow line. */
const LONGEST = 30

/** A block, ready to be drawn. */
export type Laid =
  | { is: 'paragraph' | 'heading' | 'code'; parts: Part[] }
  | { is: 'quote'; blocks: Laid[] }
  | { is: 'list'; first: number | null; items: Laid[][] }

/** A sentence before, within and after the words that are wrong in it; these are whole words. */
export function around(text: string, difference: Difference | null | undefined): [string, string, string] {
  const wrong = difference?.claim
  const isPart = (letter: string | undefined) => letter !== undefined && /[\p{L}\p{N}]/u.test(letter)
  for (let at = wrong ? text.indexOf(wrong) : -1; wrong && at >= 0; at = text.indexOf(wrong, at + 1)) {
    const end = at + wrong.length
    const goesOn = isPart(wrong.at(-1)) && isPart(text[end])
    const isDecimal =
      (/\d[.,]$/.test(text.slice(0, at)) && /^\d/.test(wrong)) || (/\d$/.test(wrong) && /^[.,]\d/.test(text.slice(end)))
    if (!goesOn && !isDecimal && !(isPart(wrong[0]) && isPart(text[at - 1]))) return [text.slice(0, at), wrong, text.slice(end)]
  }
  return [text, '', '']
}

/** The text with its first sentence as a paragraph of its own, and the claims at their new offsets. */
export function withLead(text: string, claims: Claim[]): { text: string; claims: Claim[] } {
  const second = claims[1]
  const first = text.slice(0, second?.start).trimEnd()
  // A list, a quotation, emphasis or code may go on in the second sentence.
  if (!second || /\n|[*_`]|^(?:[-+#>|]|\d+[.)]\s)/.test(first)) return { text, claims }
  const lead = `${first}\n\n`
  const by = lead.length - second.start
  const moved = claims.map((claim, k) => (k === 0 ? claim : { ...claim, start: claim.start + by, end: claim.end + by }))
  return { text: lead + text.slice(second.start), claims: moved }
}

/** The blocks of an answer with its check. */
export function layOut(blocks: Block[], claims: Claim[]): Laid[] {
  const holders = textBlocks(blocks)
  const reasons = new Map<Block, number[]>()
  claims.forEach((claim, k) => {
    if (claim.supported) return
    const holder = holders.filter((block) => block.leaves[0]!.at < claim.end).at(-1)
    if (holder) reasons.set(holder, [...(reasons.get(holder) ?? []), k])
  })
  const lay = (block: Block): Laid => {
    if (block.is === 'quote') return { is: 'quote', blocks: block.blocks.map(lay) }
    if (block.is === 'list') return { ...block, items: block.items.map((item) => item.map(lay)) }
    const leaves = block.leaves.flatMap((leaf) => split(leaf, claims))
    return { is: block.is, parts: glue(withReasons(leaves, claims, reasons.get(block) ?? [])) }
  }
  return blocks.map(lay)
}

type TextBlock = Extract<Block, { leaves: InlineLeaf[] }>

function textBlocks(blocks: Block[]): TextBlock[] {
  return blocks.flatMap((block) => {
    if (block.is === 'quote') return textBlocks(block.blocks)
    if (block.is === 'list') return block.items.flatMap(textBlocks)
    return block.leaves.length > 0 ? [block] : []
  })
}

/** The sentence that holds this place, or that the citation there follows. */
function claimAt(at: number, claims: Claim[]): number | null {
  for (let k = claims.length - 1; k >= 0; k -= 1) if (claims[k]!.start <= at) return k
  return null
}

function split(leaf: InlineLeaf, claims: Claim[]): InlineLeaf[] {
  if (leaf.is === 'cite') return [{ ...leaf, claim: claimAt(leaf.at, claims) }]
  const end = leaf.at + leaf.text.length
  const cuts = claims.filter((claim) => !claim.supported).flatMap(({ start, end }) => [start, end])
  const inside = cuts.filter((cut) => cut > leaf.at && cut < end)
  const edges = [...new Set([leaf.at, ...inside, end])].sort((a, b) => a - b)
  return edges.slice(0, -1).map((from, k) => {
    const doubt = claims.some((claim) => !claim.supported && claim.start <= from && from < claim.end)
    return { ...leaf, at: from, text: leaf.text.slice(from - leaf.at, edges[k + 1]! - leaf.at), doubt }
  })
}

/** Puts the reasons of these sentences behind them and their citations, before the next sentence. */
function withReasons(leaves: InlineLeaf[], claims: Claim[], ending: number[]): (InlineLeaf | ReasonLeaf)[] {
  const here = ending.map((k) => ({ k, until: claims[k + 1]?.start ?? Infinity }))
  const out: (InlineLeaf | ReasonLeaf)[] = []
  const put = () => out.push({ is: 'reason', claim: here.shift()!.k })
  for (let leaf of leaves) {
    while (here[0] && leaf.at >= here[0].until) put()
    // What follows a sentence may be one leaf with the next one: it is cut between them.
    while (leaf.is === 'text' && here[0] && leaf.at + leaf.text.length > here[0].until) {
      const cut = here[0].until - leaf.at
      out.push({ ...leaf, text: leaf.text.slice(0, cut) })
      leaf = { ...leaf, text: leaf.text.slice(cut), at: here[0].until }
      put()
    }
    out.push(leaf)
  }
  while (here.length > 0) put()
  return out
}

/** Keeps citations with the word before them and the mark after them. */
function glue(leaves: (InlineLeaf | ReasonLeaf)[]): Part[] {
  const out: Part[] = []
  let k = 0
  while (k < leaves.length) {
    const leaf = leaves[k]!
    if (leaf.is !== 'cite') {
      out.push(leaf)
      k += 1
      continue
    }
    const held: (TextLeaf | CiteLeaf)[] = lastWord(out)
    let now: InlineLeaf | ReasonLeaf | undefined = leaf
    while (now?.is === 'cite') {
      held.push(now)
      const [after, then]: (InlineLeaf | ReasonLeaf | undefined)[] = [leaves[k + 1], leaves[k + 2]]
      k += after?.is === 'text' && /^[ \t]+$/.test(after.text) && then?.is === 'cite' ? 2 : 1
      now = leaves[k]
    }
    const mark = now?.is === 'text' ? /^[.,;:!?…)\]»”"’]+/.exec(now.text)?.[0] : undefined
    if (now?.is === 'text' && mark) {
      held.push({ ...now, text: mark })
      leaves[k] = { ...now, text: now.text.slice(mark.length), at: now.at + mark.length }
    }
    out.push({ is: 'glue', leaves: held })
  }
  return out
}

/** Removes the last word and the space after it from the end. */
function lastWord(out: Part[]): TextLeaf[] {
  const word: TextLeaf[] = []
  const taken = () => word.map(({ text }) => text).join('')
  for (;;) {
    const leaf = out.at(-1)
    const end = leaf?.is === 'text' ? (taken().trim() ? /\S*$/ : /\S*[ \t]*$/).exec(leaf.text)?.[0] : undefined
    if (leaf?.is !== 'text' || !end) break
    out.pop()
    const cut = leaf.text.length - end.length
    if (cut > 0) out.push({ ...leaf, text: leaf.text.slice(0, cut) })
    word.unshift({ ...leaf, text: end, at: leaf.at + cut })
    if (cut > 0) break
  }
  if (taken().length <= LONGEST) return word
  out.push(...word)
  return []
}
