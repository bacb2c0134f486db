// Marks matches without changing the DOM: with CSS highlights, or, where there are none, by selecting
// the place that is shown.
import type { Stretch } from './fold'

/** The range of a stretch of an element's text; `null` where it is not there. */
export function rangeOf(element: Element | null, stretch: Stretch): Range | null {
  if (!element) return null
  const range = document.createRange()
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  let at = 0
  let begun = false
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const length = node.nodeValue?.length ?? 0
    if (!begun && stretch.start < at + length) {
      range.setStart(node, stretch.start - at)
      begun = true
    }
    if (begun && stretch.end <= at + length) {
      range.setEnd(node, stretch.end - at)
      return range
    }
    at += length
  }
  return null
}

const highlights = () => (typeof CSS !== 'undefined' && 'highlights' in CSS && typeof Highlight !== 'undefined' ? CSS.highlights : null)

/** Marks the ranges, the shown one differently. */
export function paint(ranges: Range[], shown: Range | null) {
  const all = highlights()
  if (all) {
    all.set('find', new Highlight(...ranges.filter((range) => range !== shown)))
    if (shown) all.set('find-shown', new Highlight(shown))
    else all.delete('find-shown')
  } else if (shown) {
    getSelection()?.removeAllRanges()
    getSelection()?.addRange(shown)
  }
}

/** Removes the marks. */
export function unpaint() {
  highlights()?.delete('find')
  highlights()?.delete('find-shown')
}
