// A long column of parts: pages, or parts of a text. Only parts near the visible area are drawn. What is shown a third from
// the top stays there while heights become known or change.
import { drawn, pageAt, third, tops } from './geometry'

export class Column {
  /** The scroller's width, height and scroll position. */
  wide = $state(0)
  high = $state(0)
  from = $state(0)
  /** The top of each part, and where the column ends. */
  readonly tops: number[] = $derived.by(() => tops(this.heights(), this.gap))
  /** The parts that have to be there, from 1. */
  readonly near: number[] = $derived.by(() => {
    if (this.tops.length < 2) return []
    const [first, last] = drawn(this.tops, this.from - this.margin, this.from - this.margin + this.high)
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  })
  /** What is read: what was jumped to, until the user scrolls. At the ends of the column that is not a third from the top. */
  #anchor = $state.raw({ part: 1, at: 0 })

  constructor(
    private readonly scroller: () => HTMLElement | undefined,
    private readonly heights: () => number[],
    private readonly gap: number,
    /** Between the scroller's edge and the column. */
    private readonly margin: number,
  ) {}

  /** How high the column is. */
  get height(): number {
    return Math.max(0, (this.tops.at(-1) ?? 0) - this.gap)
  }

  /** The part that is read, from 1. */
  get part(): number {
    return Math.min(this.#anchor.part, Math.max(1, this.tops.length - 1))
  }

  /** How far down in it, as a fraction of its height. */
  get at(): number {
    return this.#anchor.at
  }

  get #eye(): number {
    return this.from - this.margin + this.high * third
  }

  /** Shows a part at this fraction of its height. */
  go(part: number, at: number) {
    this.#anchor = { part: Math.min(Math.max(1, part), Math.max(1, this.tops.length - 1)), at }
    this.settle()
  }

  /** Restores the position of what is being read. */
  settle() {
    const scroller = this.scroller()
    if (!scroller || this.tops.length < 2) return
    const { part, at } = this.#anchor
    scroller.scrollTop = this.margin + this.#top(part) + at * this.#height(part) - this.high * third
    this.from = scroller.scrollTop
  }

  /** Called when the user has scrolled. */
  scrolled() {
    const scroller = this.scroller()
    // Ignores scrolling that this code caused.
    if (!scroller || scroller.scrollTop === this.from) return
    this.from = scroller.scrollTop
    const part = pageAt(this.tops, this.#eye)
    this.#anchor = { part, at: (this.#eye - this.#top(part)) / Math.max(1, this.#height(part)) }
  }

  #top(part: number): number {
    return this.tops[part - 1] ?? 0
  }

  #height(part: number): number {
    return Math.max(0, (this.tops[part] ?? 0) - this.#top(part) - this.gap)
  }
}
