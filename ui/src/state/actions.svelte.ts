// Everything that can be done by name or by key. Components register what they offer while they are there; the palette
// and the sheet of shortcuts list what is registered.
import { untrack } from 'svelte'
import { session } from './session.svelte'

export type Group = 'ask' | 'draft' | 'evaluation' | 'answer' | 'viewer' | 'library' | 'app'

export interface Action {
  id: string
  group: Group
  /** What the palette and the sheet call it. */
  label: () => string
  /** Key combinations such as `Mod+K`, `Alt+1`, `Escape`, `n`; `Mod` is Ctrl, on macOS ⌘. */
  keys: string[]
  run: () => void
  /** Whether it can be done now; always where left out. */
  enabled?: () => boolean
  /** Left out of the palette: keys that only make sense as keys. */
  keyOnly?: boolean
}

class Actions {
  list = $state.raw<Action[]>([])

  /** Offers actions until the result is called. The last one registered wins a key. */
  register(...added: Action[]): () => void {
    // Registering in an effect must not make the effect depend on the list.
    untrack(() => (this.list = [...this.list, ...added]))
    return () => untrack(() => (this.list = this.list.filter((action) => !added.includes(action))))
  }

  /** Runs the action of a key; returns whether there was one. */
  dispatch(event: KeyboardEvent): boolean {
    if (event.isComposing || event.defaultPrevented) return false
    const pressed = combination(event)
    const typing = isField(event.target)
    // Single letters work only outside fields.
    if (typing && pressed.length === 1) return false
    for (const action of [...this.list].reverse()) {
      if (!action.keys.includes(pressed) || action.enabled?.() === false) continue
      event.preventDefault()
      action.run()
      return true
    }
    return false
  }
}

export const actions = new Actions()

/** What Option makes of the keys + = and −, on all layouts where this is known. */
const optioned: Record<string, string> = { '±': '+', '≠': '=', '–': '-', '—': '-' }

/** The combination as actions write it. */
export function combination(event: KeyboardEvent): string {
  const mod = session.mac ? event.metaKey : event.ctrlKey
  // On macOS Option makes other characters. Digits are at the same place on all layouts, + and − are not.
  const meant = session.mac && event.altKey ? (/^Digit(\d)$/.exec(event.code)?.[1] ?? optioned[event.key]) : undefined
  const key = meant ?? (event.key.length === 1 && (mod || event.altKey) ? event.key.toUpperCase() : event.key)
  const shift = event.shiftKey && (key.length > 1 || mod || event.altKey) && !/[?+,]/.test(key)
  return [mod && 'Mod', event.altKey && 'Alt', shift && 'Shift', key].filter(Boolean).join('+')
}

/** The combination as a user reads it: `Ctrl K`, `⌘K`. */
export function keyLabel(keys: string): string {
  const names: Record<string, string> = session.mac
    ? { Mod: '⌘', Alt: '⌥', Shift: '⇧', ArrowLeft: '←', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc' }
    : { Mod: 'Ctrl', ArrowLeft: '←', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc' }
  const parts = keys.split(/\+(?!$)/).map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part))
  return parts.join(session.mac ? '' : ' ')
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
