// Arrows inside a list.
import type { Attachment } from 'svelte/attachments'

const steps: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
}

/** Moves the focus among what `selector` names inside the element. */
export function arrows(selector: string): Attachment<HTMLElement> {
  return (list) => {
    const onkeydown = (event: KeyboardEvent) => {
      const step = steps[event.key]
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey
      const from = event.target instanceof Element ? event.target.closest<HTMLElement>(selector) : null
      if (!step || !plain || !from || event.defaultPrevented) return
      const all = [...list.querySelectorAll<HTMLElement>(selector)]
      event.preventDefault()
      all[step(all.indexOf(from), all.length - 1)]?.focus()
    }
    list.addEventListener('keydown', onkeydown)
    return () => list.removeEventListener('keydown', onkeydown)
  }
}
