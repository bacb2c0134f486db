// A library on screen, its host a fake, for the tests of it.

import axe from 'axe-core'
import { tick } from 'svelte'
import { afterEach, beforeEach, vi } from 'vitest'
import { fakeHost, type Calls, type FakeHost, type Streams } from '../src/ipc/fake/host'
import { library as whole, start } from '../src/ipc/fake/library'
import type { LibraryState, Start } from '../src/ipc/types'
import { actions } from '../src/state/actions.svelte'
import { library } from '../src/state/library.svelte'
import { navigation } from '../src/state/navigation.svelte'
import { session } from '../src/state/session.svelte'

export { button, failing, press } from './hands'
export let host: FakeHost

export async function boot(library: LibraryState | null = whole, calls: Partial<Calls & Streams> = {}, more: Partial<Start> = {}) {
  host = fakeHost({ start: () => ({ ...start, library, ...more }), ...calls })
  await session.boot(host)
  await tick()
}

export const called = (name: string) => host.log.filter((one) => one.name === name).map(({ args }) => args)
const onKey = (event: KeyboardEvent) => void actions.dispatch(event)

export async function axeFinds(container: Element) {
  const found = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } })
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

/** What comes before and after every test of a file. */
export function around() {
  beforeEach(() => {
    window.addEventListener('keydown', onKey)
    navigation.page = 'talk'
  })
  afterEach(() => {
    window.removeEventListener('keydown', onKey)
    library.drop = library.excluding = library.notice = null
    library.dragging = false
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
}
