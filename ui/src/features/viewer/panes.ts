// F6 goes through the panes of the window. A pane is an element with `data-pane`.
import { t } from '../../i18n/index.svelte'
import { actions } from '../../state/actions.svelte'
import { navigation } from '../../state/navigation.svelte'

const focusable = 'button:not([disabled]), a[href], input:not([disabled]), textarea, select, [tabindex]:not([tabindex="-1"])'
const last = new WeakMap<Element, HTMLElement>()

function panes(): HTMLElement[] {
  // In a narrow window one pane may cover another.
  return [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter((pane) => getComputedStyle(pane).visibility !== 'hidden')
}

/** Moves the focus to the next pane (1) or the one before (-1), to where it last was in it. */
export function nextPane(by: 1 | -1) {
  const all = panes()
  if (all.length === 0) return
  const now = all.findIndex((pane) => pane.contains(document.activeElement))
  const pane = all[(now + (now < 0 && by < 0 ? 0 : by) + all.length) % all.length]
  if (!pane) return
  const before = last.get(pane)
  const start = before?.isConnected ? before : (pane.querySelector<HTMLElement>('[data-pane-start]') ?? pane.querySelector<HTMLElement>(focusable))
  start?.focus()
}

/** Whether the focus is in the pane beside the conversation. */
export function inSidePane(): boolean {
  return document.activeElement?.closest('[data-pane="side"]') != null
}

document.addEventListener('focusin', ({ target }) => {
  if (!(target instanceof HTMLElement)) return
  const pane = target.closest('[data-pane]')
  if (pane) last.set(pane, target)
})

const enabled = () => navigation.dialog === null
actions.register(
  { id: 'panes.next', group: 'app', label: () => t.viewer.nextPane, keys: ['F6'], keyOnly: true, enabled, run: () => nextPane(1) },
  { id: 'panes.previous', group: 'app', label: () => t.viewer.previousPane, keys: ['Shift+F6'], keyOnly: true, enabled, run: () => nextPane(-1) },
)
