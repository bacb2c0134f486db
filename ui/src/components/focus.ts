// The elements that Tab reaches.
const candidates = 'a[href], button, input, select, textarea, summary, [tabindex]'

/** What Tab reaches inside `root`, in order. Of a group of radio buttons that is the chosen one alone. */
export function stops(root: HTMLElement): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(candidates)].filter((one) => {
    if (one.tabIndex < 0 || one.matches(':disabled') || one.closest('[hidden], [inert]')) return false
    if (!(one instanceof HTMLInputElement) || one.type !== 'radio' || one.checked) return true
    const group = [...root.querySelectorAll<HTMLInputElement>('input[type=radio]')].filter(({ name }) => name === one.name)
    return group.every(({ checked }) => !checked)
  })
}
