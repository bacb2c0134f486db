import { cleanup } from '@testing-library/svelte'
import { afterEach } from 'vitest'

afterEach(() => cleanup())

// jsdom lays nothing out: no media query holds until a test says so.
window.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  })

window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
