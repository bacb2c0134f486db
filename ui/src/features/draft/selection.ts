// The text that is selected in an answer, a passage or a document.

/** Where text can be selected to be checked. */
const SOURCES = '[data-pane="page"] :is(.a, .card), [data-pane="side"] .sheet'
const BLOCKS = 'p, li, h3, pre, blockquote, article, br'

/** The selected range, if all of it is in one of the sources. */
export function selectedRange(): Range | null {
  const selection = getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null
  const range = selection.getRangeAt(0)
  const within = range.commonAncestorContainer
  const element = within instanceof Element ? within : within.parentElement
  // A selection of several paragraphs of a column may have the column's scroller as its ancestor.
  const isSource = element?.closest(SOURCES) ?? (element?.closest('[data-pane="side"]') && element.querySelector('.sheet'))
  return isSource ? range : null
}

/** The selected text by paragraphs, without the numbers of citations; empty if nothing is selected. */
export function selectedText(): string {
  const range = selectedRange()
  if (!range) return ''
  const copy = range.cloneContents()
  copy.querySelectorAll('button, header').forEach((one) => one.remove())
  copy.querySelectorAll(BLOCKS).forEach((one) => one.after(one.matches('br') ? '\n' : '\n\n'))
  return (copy.textContent ?? '').replace(/[ \t]+/g, ' ').replace(/ ?\n ?/g, '\n').replace(/\n{3,}/g, '\n\n').replace(/ ([.,;:!?])/g, '$1').trim()
}
