// Rectangles on pages and pages in a column, in numbers. Knows nothing of the DOM.
import type { Mark, PageMark } from '../../ipc/types'

/** A rectangle in fractions of its page, from the top left. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** A marked rectangle, with the sentence it belongs to. */
export interface MarkBox extends Box {
  mark: Mark
  hit: number | null
  /** Whether it is of the words of the answer. */
  words: boolean
}

export interface Size {
  width: number
  height: number
}

/** The top of every part of a column, and at the end where the next would be. */
export function tops(heights: number[], gap: number): number[] {
  const all = [0]
  for (const height of heights) all.push((all.at(-1) ?? 0) + height + gap)
  return all
}

/** The part that covers this height of the column, from 1. */
export function pageAt(tops: number[], y: number): number {
  let [low, high] = [0, Math.max(0, tops.length - 2)]
  while (low < high) {
    const half = (low + high + 1) >> 1
    if ((tops[half] ?? 0) <= y) low = half
    else high = half - 1
  }
  return low + 1
}

/** The first and last part to be drawn: what is seen and one more at either end. */
export function drawn(tops: number[], from: number, to: number): [number, number] {
  const last = Math.max(1, tops.length - 1)
  return [Math.max(1, pageAt(tops, from) - 1), Math.min(last, pageAt(tops, to) + 1)]
}

/** A third of the way down: where a marked sentence is shown. */
export const third = 1 / 3

/** Joins the rectangles of one line: a sentence is one box a line, however many pieces its text has. */
export function lines(boxes: Box[]): Box[] {
  const joined: Box[] = []
  for (const box of boxes) {
    if (box.right <= box.left || box.bottom <= box.top) continue
    const line = joined.at(-1)
    const height = box.bottom - box.top
    const overlap = line ? Math.min(line.bottom, box.bottom) - Math.max(line.top, box.top) : 0
    // Fractions of width and height are of different lengths; a page is some one and a half times as high as wide.
    const apart = line ? Math.max(box.left - line.right, line.left - box.right) : 0
    if (line && overlap > height / 2 && apart < height * 3) {
      line.left = Math.min(line.left, box.left)
      line.right = Math.max(line.right, box.right)
      line.top = Math.min(line.top, box.top)
      line.bottom = Math.max(line.bottom, box.bottom)
    } else joined.push({ ...box })
  }
  return joined
}

/** A rectangle of the window as fractions of the page's. */
export function within(box: Box, page: Box): Box {
  const [width, height] = [page.right - page.left || 1, page.bottom - page.top || 1]
  return {
    left: (box.left - page.left) / width,
    right: (box.right - page.left) / width,
    top: (box.top - page.top) / height,
    bottom: (box.bottom - page.top) / height,
  }
}

/** Whether the middle of one rectangle lies in one of the others. */
export function covered(box: Box, by: Box[]): boolean {
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
  return by.some((other) => x >= other.left && x <= other.right && y >= other.top && y <= other.bottom)
}

/** The rectangles of each page. */
export function grouped<T extends { page: number }>(all: T[]): Map<number, T[]> {
  const pages = new Map<number, T[]>()
  for (const one of all) {
    const page = pages.get(one.page)
    if (page) page.push(one)
    else pages.set(one.page, [one])
  }
  return pages
}

/** The marks of each page, the window's first and the words' last, so that these lie on top. */
export function byPage(marks: PageMark[]): Map<number, PageMark[]> {
  const pages = grouped(marks)
  for (const boxes of pages.values()) boxes.sort((a, b) => depth(a) - depth(b))
  return pages
}

function depth({ mark, words }: MarkBox): number {
  return Number(mark === 'sentence') + Number(words)
}

/** The box that is read first. */
export function firstOf<T extends Box>(boxes: T[]): T | undefined {
  return [...boxes].sort((a, b) => a.top - b.top || a.left - b.left)[0]
}

/** Where a marked sentence begins: its page, and its first box where that is known. */
export function placeOfHit(marks: PageMark[], hit: number, page: number | null): { page: number; box: Box | null } | null {
  const own = marks.filter((mark) => mark.hit === hit)
  const first = Math.min(...own.map((mark) => mark.page))
  const box = firstOf(own.filter((mark) => mark.page === first))
  return box ? { page: first, box } : page === null ? null : { page, box: null }
}

/**
 * How far to scroll sideways so that everything between `left` and `right` is visible, in pixels of the column. Stays as it
 * is if that is visible already.
 */
export function across(left: number, right: number, scrolled: number, room: number, margin: number): number {
  if (left >= scrolled + margin && right <= scrolled + room - margin) return scrolled
  return right - left > room - 2 * margin ? left - margin : (left + right - room) / 2
}

const steps = [0.25, 0.33, 0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4]

/** The next step of the zoom, larger (1) or smaller (-1). */
export function zoomStep(now: number, by: 1 | -1): number {
  const near = 0.01
  const next = by > 0 ? steps.find((step) => step > now + near) : steps.filter((step) => step < now - near).at(-1)
  return next ?? now
}

/** Pixels of the canvas to a pixel of the window: the screen's, but never more than a canvas can hold. */
export function sharpness(width: number, height: number, screen: number): number {
  const most = 16_000_000
  return Math.min(screen, 2, Math.sqrt(most / Math.max(1, width * height)))
}
