// A page that begins again: where the person was, and when it may begin anew.
import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { tick } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import App from '../src/App.svelte'
// The window loads it when it is first needed; here it is loaded before.
import '../src/features/viewer/Viewer.svelte'
import { conversation, turn } from '../src/ipc/fake/chat'
import { fakeHost, type Calls, type FakeHost, type Streams } from '../src/ipc/fake/host'
import { settings, start } from '../src/ipc/fake/library'
import { listed } from '../src/ipc/fake/mentions'
import type { OpenView } from '../src/ipc/types'
import { renewWhileAway } from '../src/state/away.svelte'
import { library } from '../src/state/library.svelte'
import { mentions } from '../src/state/mentions.svelte'
import { place } from '../src/state/place.svelte'
import { session } from '../src/state/session.svelte'
import { EVERYWHERE, talk } from '../src/state/talk.svelte'
import { viewer } from '../src/state/viewer.svelte'
import { why } from '../src/state/why.svelte'
import { bringBack, keepWhereabouts, keepWhereaboutsNow } from '../src/state/whereabouts.svelte'

// jsdom measures and draws nothing.
Range.prototype.getBoundingClientRect = () => document.body.getBoundingClientRect()

const id = conversation.id
const passage: OpenView = { is: 'passage', conversation: id, turn: 0, n: 1, claim: null }
let host: FakeHost
let end = () => {}

const called = (name: string) => host.log.filter((one) => one.name === name).map(({ args }) => args)
const field = () => screen.getByTestId<HTMLTextAreaElement>('ask-field')

async function open(calls: Partial<Calls & Streams> = {}) {
  host = fakeHost({ conversation: () => ({ ...conversation, turns: [turn, turn] }), ...calls })
  await session.boot(host)
  render(App)
  await talk.open(id)
  await tick()
}

/** The state of a page that has just begun. */
function beginAgain() {
  viewer.close()
  talk.fresh()
  talk.draft = ''
  place.page = 'talk'
  place.pane = null
  place.settingsPage = 'general'
}

/** A page that has lasted is left, and begins again. */
function again() {
  sessionStorage.removeItem('comes back')
  keepWhereaboutsNow()
  beginAgain()
}

beforeEach(() => {
  sessionStorage.clear()
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
})
afterEach(() => {
  end()
  end = () => {}
  library.notice = null
  beginAgain()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('a page that begins again', () => {
  it('has nothing to go back to where it is the first', async () => {
    await open()
    expect(await bringBack()).toBe(false)
  })

  it('shows the conversation from where it was read, with what was typed, its scope and a question that was being changed', async () => {
    await open()
    talk.draft = 'Half a question'
    talk.scope = { ...EVERYWHERE, kinds: ['pdf'] }
    talk.window = { before: 7, after: 7 }
    talk.edit(1)
    talk.edited = 'In other words'
    talk.top = () => ({ turn: 0, below: 40 })
    keepWhereaboutsNow()
    beginAgain()
    expect(await bringBack()).toBe(true)
    expect(talk.id).toBe(id)
    expect(talk.toTurn).toEqual({ turn: 0, below: 40, asked: false })
    expect(talk.draft).toBe('Half a question')
    expect(talk.scope.kinds).toEqual(['pdf'])
    expect([talk.editing, talk.edited]).toEqual([1, 'In other words'])
    expect(talk.window).toEqual({ before: 7, after: 7 })
  })

  it('does not show once more what ended it, and keeps what was written', async () => {
    await open()
    talk.draft = 'Half a question'
    keepWhereaboutsNow()
    beginAgain()
    await bringBack()
    expect(talk.id).toBe(id)
    // It ended again, before it had lasted.
    beginAgain()
    expect(await bringBack()).toBe(true)
    expect([talk.id, talk.draft]).toEqual([null, 'Half a question'])
  })

  it('keeps by itself what changes', async () => {
    await open()
    end = keepWhereabouts()
    await fireEvent.input(field(), { target: { value: 'And since when?' } })
    await waitFor(() => expect(sessionStorage.getItem('whereabouts')).toContain('And since when?'))
    await viewer.open(passage)
    await waitFor(() => expect(sessionStorage.getItem('whereabouts')).toContain('passage'))
    end()
    beginAgain()
    await bringBack()
    expect(talk.draft).toBe('And since when?')
    expect([place.pane, viewer.request]).toEqual(['viewer', passage])
    await waitFor(() => expect(viewer.view).not.toBeNull())
  })

  it('opens the why-panel, the settings or the list of mentions again', async () => {
    await open({ mentions: () => listed })
    await why.open(id, 1)
    keepWhereaboutsNow()
    beginAgain()
    await bringBack()
    expect([place.pane, why.turn]).toEqual(['why', { conversation: id, turn: 1 }])

    place.openSettings('storage')
    again()
    await bringBack()
    expect([place.page, place.settingsPage, place.pane]).toEqual(['settings', 'storage', 'why'])

    mentions.show('battery')
    again()
    await bringBack()
    expect([place.page, mentions.draft]).toEqual(['mentions', 'battery'])
    await waitFor(() => expect(mentions.rows.length).toBeGreaterThan(0))
  })

  it('leaves the person where they went meanwhile, and says what is not there any more', async () => {
    await open()
    place.openSettings('about')
    keepWhereaboutsNow()
    beginAgain()
    const back = bringBack()
    talk.fresh()
    await back
    expect([talk.id, place.page]).toEqual([null, 'talk'])

    await open({ conversation: () => Promise.reject({ code: 'gone', message: 'there is no such conversation' }) })
    talk.draft = 'Half a question'
    place.openSettings('about')
    again()
    await bringBack()
    expect([talk.error, place.page, talk.draft]).toEqual(['there is no such conversation', 'talk', 'Half a question'])
  })
})

describe('a page whose person is away', () => {
  const minutes = async (count: number) => vi.advanceTimersByTimeAsync(count * 60_000)

  async function work(freeAfter: number | null = 10, calls: Partial<Calls & Streams> = {}) {
    await open({ start: () => ({ ...start, settings: { ...settings, freeAfter } }), ...calls })
    vi.useFakeTimers()
    end = renewWhileAway()
    field().focus()
    await fireEvent.keyDown(field(), { key: 'a' })
  }

  it('begins anew once, after so many minutes without a sign of them', async () => {
    await work()
    await minutes(9)
    await fireEvent.pointerMove(document.body)
    await minutes(9)
    expect(called('renew_page')).toHaveLength(0)
    await minutes(2)
    expect(called('renew_page')).toHaveLength(1)
    expect(sessionStorage.getItem('whereabouts')).toContain(id)
    await minutes(60)
    expect(called('renew_page'), 'nothing was done in it since').toHaveLength(1)
  })

  it('does not where nothing was done in it', async () => {
    await open()
    vi.useFakeTimers()
    end = renewWhileAway()
    await fireEvent.pointerMove(document.body)
    await minutes(60)
    expect(called('renew_page')).toHaveLength(0)
  })

  it('does not where the person does not want memory to be freed', async () => {
    await work(null)
    await minutes(60)
    expect(called('renew_page')).toHaveLength(0)
  })

  it('is asked again while the shell is at work', async () => {
    let busy = true
    await work(10, { renew_page: () => !busy })
    await minutes(11)
    expect(called('renew_page').length).toBeGreaterThan(1)
    busy = false
    await minutes(1)
    const asked = called('renew_page').length
    await minutes(60)
    expect(called('renew_page')).toHaveLength(asked)
  })

  it('waits for what was asked of the shell: a dialog of the system may be open', async () => {
    let chosen: (none: null) => void = () => {}
    await work(10, { choose_files: () => new Promise<null>((done) => (chosen = done)) })
    void library.chooseFiles()
    await minutes(30)
    expect(called('renew_page')).toHaveLength(0)
    chosen(null)
    await minutes(1)
    expect(called('renew_page')).toHaveLength(1)
  })

  it('waits while a turn says why there is no answer', async () => {
    await work(10, { conversation: () => ({ ...conversation, turns: [{ ...turn, answer: null, error: 'the disk is full' }] }) })
    await minutes(30)
    expect(called('renew_page')).toHaveLength(0)
  })

  it.each<[string, () => unknown, () => unknown]>([
    ['a document is open', () => (place.pane = 'viewer'), () => (place.pane = null)],
    ['a dialog is open', () => place.openDialog('palette'), () => (place.dialog = null)],
    ['something is said that went wrong', () => library.say('the disk is full', true), () => (library.notice = null)],
    ['the settings are open', () => place.openSettings(), () => (place.page = 'talk')],
    ['it is said why nothing was asked', () => (talk.error = 'the disk is full'), () => (talk.error = null)],
    ['a field is being filled', () => document.body.appendChild(document.createElement('input')).focus(), () => document.querySelector('body > input')?.remove()],
  ])('waits while %s', async (_, begin, over) => {
    await work()
    begin()
    await minutes(30)
    expect(called('renew_page')).toHaveLength(0)
    over()
    await minutes(1)
    expect(called('renew_page')).toHaveLength(1)
  })
})
