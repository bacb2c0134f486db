// The list of every mention over the fake host: what is asked, what is listed, what opens, keys, focus.
import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import axe from 'axe-core'
import { tick } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import App from '../src/App.svelte'
// The window loads it when it is first needed; here it is loaded before.
import '../src/features/viewer/Viewer.svelte'
import { fakeHost, type Calls, type FakeHost } from '../src/ipc/fake/host'
import { abstained, conversation } from '../src/ipc/fake/chat'
import { start } from '../src/ipc/fake/library'
import { listed } from '../src/ipc/fake/mentions'
import type { Start, Turn } from '../src/ipc/types'
import { navigation } from '../src/state/navigation.svelte'
import { session } from '../src/state/session.svelte'
import { talk } from '../src/state/talk.svelte'
import { viewer } from '../src/state/viewer.svelte'
import { button, press } from './hands'

// jsdom measures and draws nothing.
Range.prototype.getBoundingClientRect = () => document.body.getBoundingClientRect()

let host: FakeHost

const called = (name: string) => host.log.filter((one) => one.name === name).map(({ args }) => args)
const heading = () => screen.getByRole('heading', { level: 1 }).textContent
const lead = () => screen.getByTestId('mentions-lead').textContent
const found = () => screen.getAllByTestId('mentioning')
const mention = () => screen.getAllByTestId('mention')
const field = () => screen.getByTestId<HTMLInputElement>('mentions-field')

/** The window with a question to which nothing was found. */
async function open(calls: Partial<Calls> = {}, turn: Turn = abstained, more: Partial<Start> = {}) {
  host = fakeHost({ conversation: () => ({ ...conversation, turns: [turn] }), start: () => ({ ...start, ...more }), ...calls })
  await session.boot(host)
  render(App)
  await talk.open(conversation.id)
  await tick()
}

async function list(calls: Partial<Calls> = {}) {
  await open({ mentions: () => listed, ...calls })
  await fireEvent.click(screen.getByTestId('list-mentions'))
  await waitFor(() => expect(found().length).toBeGreaterThan(0))
}

async function look(words: string) {
  await fireEvent.input(field(), { target: { value: words } })
  await fireEvent.submit(field())
}

beforeEach(() => {
  navigation.page = 'talk'
  navigation.pane = null
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
})
afterEach(() => {
  viewer.close()
  vi.restoreAllMocks()
})

describe('the way to it', () => {
  it('names the words that are looked for and how many files are gone through', async () => {
    await open()
    expect(
      screen.getByText('List every file that mentions “yield batch 14 reach 80 C”, all 1,204 read from end to end'),
    ).not.toBeNull()
    await fireEvent.click(screen.getByTestId('list-mentions'))
    expect(called('mentions')).toEqual([{ words: 'yield batch 14 reach 80 C', scope: abstained.scope, from: 0 }])
    expect(navigation.page).toBe('mentions')
    expect(document.activeElement).toBe(field())
    expect(field().value).toBe('yield batch 14 reach 80 C')
  })

  it('names the first of many words, and no figure where it cannot be told', async () => {
    const scope = { ...abstained.scope, kinds: ['pdf' as const] }
    await open({}, { ...abstained, scope, words: ['one', 'two', 'three', 'four', 'five', 'six', 'seven'] })
    expect(screen.getByTestId('list-mentions').parentElement?.textContent).toContain(
      'List every file that mentions “one two three four five six …”, all read from end to end',
    )
  })

  it('is not there for a question without a word', async () => {
    await open({}, { ...abstained, words: [] })
    expect(screen.queryByTestId('list-mentions')).toBeNull()
  })

  it('is in the palette, and asks for words', async () => {
    await open()
    navigation.openDialog('palette', '>')
    await fireEvent.input(await screen.findByTestId('palette-input'), { target: { value: '>every mention' } })
    await press('Enter')
    await waitFor(() => expect(navigation.page).toBe('mentions'))
    await waitFor(() => expect(document.activeElement).toBe(field()))
    expect(heading()).toBe('Every mention')
    expect(called('mentions')).toEqual([])
    await look('batch 14')
    await waitFor(() => expect(heading()).toBe('3 files mention “batch 14”'))
  })
})

describe('the list', () => {
  it('says what was looked for, where, and every sentence with its words', async () => {
    await list()
    expect(heading()).toBe('3 files mention “yield batch 14 reach 80 C”')
    expect(lead()).toBe('42 sentences in all. 1,707 files were looked through from end to end, in Documents.')
    const words = within(screen.getByTestId('mentions-words')).getAllByRole('listitem')
    expect(words.map(({ textContent }) => textContent)).toEqual(['batch in 61 sentences', '14 in 112 sentences'])
    expect(found().map((one) => one.querySelector('h2')?.textContent?.replace(/\s+/g, ' ').trim())).toEqual([
      'odyssey-notes.md Documents / 2024 40 sentences',
      'Q3-report.pdf Documents / 2024 1 sentence',
    ])
    expect(mention()[1]!.textContent?.trim()).toBe('Batch 14 gave 62% at 60 °C and 71% at 70 °C.')
    expect([...mention()[1]!.querySelectorAll('b')].map(({ textContent }) => textContent)).toEqual(['Batch', '14'])
    expect(mention()[3]!.textContent).toContain('page 14')
    const { violations } = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false } } })
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
  })

  it('says what it could not look at, and leads there', async () => {
    await list()
    expect(screen.getByTestId('mentions-unread').textContent).toContain('7 files could not be read, or not yet')
    await fireEvent.click(within(screen.getByTestId('mentions-unread')).getByRole('button'))
    expect(navigation.page).toBe('failures')
  })

  it('comes nearest where no sentence holds all words', async () => {
    await open()
    await fireEvent.click(screen.getByTestId('list-mentions'))
    await waitFor(() => expect(heading()).toBe('No sentence holds all of these words'))
    expect(lead()).toMatch(/^The 3 files that come nearest are below, most words first\./)
    expect(screen.getByTestId('mentions-words').textContent).toContain('zeppelin nowhere')
    expect(found()[0]!.textContent).toContain('2 of 3 words · 40 sentences')
  })

  it('says that nothing mentions it', async () => {
    await open()
    await fireEvent.click(screen.getByTestId('list-mentions'))
    await look('nothing')
    await waitFor(() => expect(heading()).toBe('No file mentions “nothing”'))
    expect(screen.queryByTestId('mentions-more')).toBeNull()
  })

  it('says how much it goes through while it does, and is given up on the way back', async () => {
    await open({ mentions: () => new Promise(() => {}) })
    await fireEvent.click(screen.getByTestId('list-mentions'))
    expect(lead()).toBe('Looking through 1,707 files')
    await press('Escape')
    expect(called('stop_work')).toContain('mentions')
  })

  it('is looked for in the whole library with one press', async () => {
    await list()
    await fireEvent.click(button('Search all folders'))
    expect(called('mentions').at(-1)).toMatchObject({ scope: { folders: [], documents: [], kinds: [] }, from: 0 })
    await waitFor(() => expect(lead()).not.toContain('in Documents'))
  })

  it('goes on with more documents and more sentences of one', async () => {
    await open()
    await fireEvent.click(screen.getByTestId('list-mentions'))
    await waitFor(() => expect(found()).toHaveLength(2))
    await fireEvent.click(screen.getByTestId('mentions-more'))
    expect(called('mentions').at(-1)).toMatchObject({ from: 2 })
    await waitFor(() => expect(found()).toHaveLength(3))
    expect(screen.queryByTestId('mentions-more')).toBeNull()
    await fireEvent.click(button('Show more of the other 37 in odyssey-notes.md'))
    expect(called('more_mentions')).toEqual([{ words: 'yield batch 14 reach 80 C', document: 12, from: 3 }])
    await waitFor(() => expect(within(found()[0]!).getAllByTestId('mention')).toHaveLength(33))
    await fireEvent.click(button('Show more of the other 7 in odyssey-notes.md'))
    await waitFor(() => expect(within(found()[0]!).getAllByTestId('mention')).toHaveLength(40))
    expect(within(found()[0]!).queryByTestId('mentions-more-of')).toBeNull()
  })

  it('says what went wrong', async () => {
    await open({ mentions: () => Promise.reject({ kind: 'gone', notice: { code: 'text', text: 'the folder is not there any more' } }) })
    await fireEvent.click(screen.getByTestId('list-mentions'))
    expect((await screen.findByRole('alert')).textContent).toBe('the folder is not there any more')
  })

  it('forgets what comes back for words that are not looked for any more', async () => {
    const answers: ((value: typeof listed) => void)[] = []
    await open({ mentions: () => new Promise((answer) => answers.push(answer)) })
    await fireEvent.click(screen.getByTestId('list-mentions'))
    await look('batch')
    answers[1]!({ ...listed, documents: 1 })
    await waitFor(() => expect(heading()).toBe('1 file mentions “batch”'))
    answers[0]!({ ...listed, documents: 900 })
    await tick()
    expect(heading()).toBe('1 file mentions “batch”')
  })
})

describe('a mention', () => {
  it('opens beside the list at its sentence; Escape closes it and gives the focus back, then leaves', async () => {
    await list()
    mention()[1]!.focus()
    await fireEvent.click(mention()[1]!)
    expect(called('open_view')).toEqual([{ is: 'mention', document: 12, words: 'yield batch 14 reach 80 C', start: 640 }])
    expect(await screen.findByTestId('viewer')).not.toBeNull()
    expect(mention()[1]!.getAttribute('aria-current')).toBe('true')
    expect(navigation.page).toBe('mentions')
    await press('Escape')
    await waitFor(() => expect(screen.queryByTestId('viewer')).toBeNull())
    expect(document.activeElement).toBe(mention()[1])
    await press('Escape')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId('list-mentions')))
    expect(navigation.page).toBe('talk')
    expect(called('stop_work')).not.toContain('mentions')
  })

  it('is gone to by arrows, from file to file', async () => {
    await list()
    mention()[2]!.focus()
    await press('ArrowDown')
    expect(document.activeElement).toBe(mention()[3])
    await press('Home')
    expect(document.activeElement).toBe(mention()[0])
  })

  it('closes with the list', async () => {
    await list()
    await fireEvent.click(mention()[0]!)
    await screen.findByTestId('viewer')
    await fireEvent.click(button('Back to the questions'))
    await waitFor(() => expect(screen.queryByTestId('viewer')).toBeNull())
    expect(navigation.page).toBe('talk')
  })
})
