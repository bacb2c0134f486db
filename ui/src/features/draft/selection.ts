// The text that is selected in an answer, a passage or a document.

/** Where text can be selected to be checked. */
const SOURCES = '[data-pane="page"] :is(.a, .card), [data-pane="side"] .scroller'
const BLOCKS = 'p, li, h3, pre, blockquote, br'

/** The selected range as far as it is in the source in which it begins. */
export function selectedRange(): Range | null {
  const selection = getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null
  const range = selection.getRangeAt(0).cloneRange()
  const begins = range.startContainer
  const source = (begins instanceof Element ? begins : begins.parentElement)?.closest(SOURCES)
  if (!source) return null
  // Three clicks on the last paragraph select up to what follows it.
  if (!source.contains(range.endContainer)) range.setEnd(source, source.childNodes.length)
  return range
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
