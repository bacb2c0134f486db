// The text laid over a page: from a stretch of it to rectangles, and from rectangles to the text under them.
import { fold, type Folded, type Stretch } from './fold'
import type { ViewHit } from '../../ipc/types'
import { covered, lines, within, type Box } from './geometry'

/** The text of a page in the order in which it was drawn, with its elements in the text layer. */
export interface PageText {
  pieces: { element: HTMLElement; text: string }[]
}

/** A marked sentence to be looked for in the text of a page. */
export interface Wanted {
  hit: number
  text: string
  /** Whether it begins here, or continues from the page before. */
  part: 'head' | 'tail'
}

/** The sentences to be looked for on a page: those that begin on it, and those of the page before it. */
export function wantedOn(page: number, hits: ViewHit[]): Wanted[] {
  return hits.flatMap(({ text, page: begins }, hit): Wanted[] => {
    if (begins === page) return [{ hit, text, part: 'head' }]
    return begins === page - 1 ? [{ hit, text, part: 'tail' }] : []
  })
}

export function sourceOf(text: PageText): string {
  return text.pieces.map((piece) => piece.text).join('')
}

const letters = new WeakMap<PageText, Folded>()

/** The text without spaces and hyphens, for sentences. */
export function lettersOf(text: PageText): Folded {
  let folded = letters.get(text)
  if (!folded) letters.set(text, (folded = fold(sourceOf(text), 'letters')))
  return folded
}

/** The rectangles of a stretch of the text, one a line, in fractions of the page. */
export function boxesOf(text: PageText, stretch: Stretch, page: Box): Box[] {
  const boxes: Box[] = []
  let at = 0
  for (const piece of text.pieces) {
    const [from, to] = [Math.max(stretch.start - at, 0), Math.min(stretch.end - at, piece.text.length)]
    at += piece.text.length
    if (from < to) boxes.push(...rectangles(piece.element, from, to).map((one) => within(one, page)))
  }
  return lines(boxes)
}

/** The text under these rectangles, as a reader would copy it. */
export function textUnder(text: PageText, boxes: Box[], page: Box): string {
  let under = ''
  for (const piece of text.pieces) {
    const length = piece.element.textContent?.length ?? 0
    const whole = rectangles(piece.element, 0, length).map((one) => within(one, page))
    if (length > 0 && whole.some((one) => boxes.some((box) => overlap(one, box)))) {
      for (const [from, to] of words(piece.text.slice(0, length))) {
        if (rectangles(piece.element, from, to).some((one) => covered(within(one, page), boxes))) under += piece.text.slice(from, to)
      }
    }
    if (piece.text.endsWith('\n')) under += '\n'
  }
  return readable(under)
}

/** The words of a text and what is between them; sign by sign where a word is too long to be one. */
export function words(text: string): [number, number][] {
  return [...text.matchAll(/\s+|\S{1,30}(?!\S)|\S/gu)].map(({ 0: word, index }) => [index, index + word.length])
}

/** Lines joined: a hyphen that parted a word goes, any other break is a space. */
export function readable(text: string): string {
  return text
    .replace(/\u00ad/gu, '')
    .replace(/(\p{L})[-\u2010][ \t]*\n\s*(?=\p{Ll})/gu, '$1')
    .replace(/\s+/gu, ' ')
    .trim()
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

/** Rectangles of part of an element's text, in the window. */
function rectangles(element: HTMLElement, from: number, to: number): DOMRect[] {
  const node = element.firstChild
  if (!(node instanceof Text)) return []
  const range = document.createRange()
  range.setStart(node, Math.min(from, node.length))
  range.setEnd(node, Math.min(to, node.length))
  return [...range.getClientRects()]
}
