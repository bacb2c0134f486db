// A page that is loaded again in the same window: where the person was.
import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { tick } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import App from '../src/App.svelte'
// The window loads it when it is first needed; here it is loaded before.
import '../src/features/viewer/Viewer.svelte'
import { conversation, turn } from '../src/ipc/fake/chat'
import { fakeHost, type Calls, type Streams } from '../src/ipc/fake/host'
import { listed } from '../src/ipc/fake/mentions'
import type { OpenView } from '../src/ipc/types'
import { mentions } from '../src/state/mentions.svelte'
import { navigation } from '../src/state/navigation.svelte'
import { session } from '../src/state/session.svelte'
import { EVERYWHERE, talk } from '../src/state/talk.svelte'
import { viewer } from '../src/state/viewer.svelte'
import { why } from '../src/state/why.svelte'
import { restoreNavigation, saveNavigation } from '../src/state/savedNavigation.svelte'

// jsdom measures and draws nothing.
Range.prototype.getBoundingClientRect = () => document.body.getBoundingClientRect()

const id = conversation.id
const passage: OpenView = { is: 'passage', conversation: id, turn: 0, n: 1, claim: null }
let end = () => {}

const field = () => screen.getByTestId<HTMLTextAreaElement>('ask-field')

async function open(calls: Partial<Calls & Streams> = {}) {
  await session.boot(fakeHost({ conversation: () => ({ ...conversation, turns: [turn, turn] }), ...calls }))
  render(App)
  await talk.open(id)
  await tick()
}

/** The state of a page that has just begun. */
function beginAgain() {
  viewer.close()
  talk.fresh()
  talk.draft = ''
  navigation.page = 'talk'
  navigation.pane = null
  navigation.settingsPage = 'general'
}

/** Waits until it is kept where the person is. */
async function keep() {
  sessionStorage.removeItem('whereabouts')
  const stop = saveNavigation()
  await waitFor(() => expect(sessionStorage.getItem('whereabouts')).not.toBeNull())
  stop()
}

/** A page that has lasted is left, and begins again. */
async function again() {
  sessionStorage.removeItem('comes back')
  await keep()
  beginAgain()
}

beforeEach(() => {
  sessionStorage.clear()
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
})
afterEach(() => {
  end()
  end = () => {}
  beginAgain()
  vi.restoreAllMocks()
})

describe('a page that begins again', () => {
  it('has nothing to go back to where it is the first', async () => {
    await open()
    expect(await restoreNavigation()).toBe(false)
  })

  it('shows the conversation, with what was typed, its scope and a question that was being changed', async () => {
    await open()
    talk.draft = 'Half a question'
    talk.scope = { ...EVERYWHERE, kinds: ['pdf'] }
    talk.window = { before: 7, after: 7 }
    talk.edit(1)
    talk.edited = 'In other words'
    await keep()
    beginAgain()
    expect(await restoreNavigation()).toBe(true)
    expect(talk.id).toBe(id)
    expect(talk.draft).toBe('Half a question')
    expect(talk.scope.kinds).toEqual(['pdf'])
    expect([talk.editing, talk.edited]).toEqual([1, 'In other words'])
    expect(talk.window).toEqual({ before: 7, after: 7 })
  })

  it('does not show once more what ended it, and keeps what was written', async () => {
    await open()
    talk.draft = 'Half a question'
    await keep()
    beginAgain()
    await restoreNavigation()
    expect(talk.id).toBe(id)
    // It ended again, before it had lasted.
    beginAgain()
    expect(await restoreNavigation()).toBe(true)
    expect([talk.id, talk.draft]).toEqual([null, 'Half a question'])
  })

  it('keeps by itself what changes', async () => {
    await open()
    end = saveNavigation()
    await fireEvent.input(field(), { target: { value: 'And since when?' } })
    await waitFor(() => expect(sessionStorage.getItem('whereabouts')).toContain('And since when?'))
    await viewer.open(passage)
    await waitFor(() => expect(sessionStorage.getItem('whereabouts')).toContain('passage'))
    end()
    beginAgain()
    await restoreNavigation()
    expect(talk.draft).toBe('And since when?')
    expect([navigation.pane, viewer.request]).toEqual(['viewer', passage])
    await waitFor(() => expect(viewer.view).not.toBeNull())
  })

  it('opens the why-panel, the settings or the list of mentions again', async () => {
    await open({ mentions: () => listed })
    await why.open(id, 1)
    await keep()
    beginAgain()
    await restoreNavigation()
    expect([navigation.pane, why.turn]).toEqual(['why', { conversation: id, turn: 1 }])

    navigation.openSettings('storage')
    await again()
    await restoreNavigation()
    expect([navigation.page, navigation.settingsPage, navigation.pane]).toEqual(['settings', 'storage', 'why'])

    mentions.show('battery')
    await again()
    await restoreNavigation()
    expect([navigation.page, mentions.draft]).toEqual(['mentions', 'battery'])
    await waitFor(() => expect(mentions.rows.length).toBeGreaterThan(0))
  })

  it('leaves the person where they went meanwhile, and says what is not there any more', async () => {
    await open()
    navigation.openSettings('about')
    await keep()
    beginAgain()
    const back = restoreNavigation()
    talk.fresh()
    await back
    expect([talk.id, navigation.page]).toEqual([null, 'talk'])

    await open({ conversation: () => Promise.reject({ kind: 'gone', notice: { code: 'text', text: 'there is no such conversation' } }) })
    talk.draft = 'Half a question'
    navigation.openSettings('about')
    await again()
    await restoreNavigation()
    expect([talk.error, navigation.page, talk.draft]).toEqual(['there is no such conversation', 'talk', 'Half a question'])
  })
})
