// Copies to the clipboard in all browser engines.

/**
 * Puts text on the clipboard, in every engine. Text that is still on its way is promised: WebKit takes nothing once the
 * press that asked for it is over.
 */
export async function copy(text: string | Promise<string>) {
  if (typeof ClipboardItem !== 'undefined' && navigator.clipboard) {
    const words = Promise.resolve(text).then((words) => new Blob([words], { type: 'text/plain' }))
    // Shows why there is no text instead of an error about copying.
    await Promise.all([text, navigator.clipboard.write([new ClipboardItem({ 'text/plain': words })])])
    return
  }
  if (navigator.clipboard) return navigator.clipboard.writeText(await text)
  const field = document.createElement('textarea')
  const back = document.activeElement
  field.value = await text
  field.className = 'off'
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
  if (back instanceof HTMLElement) back.focus()
}
