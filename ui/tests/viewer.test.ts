// The viewer over the fake host: what is asked, what is shown, keys, focus.
import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import axe from 'axe-core'
import { tick } from 'svelte'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import FindBar from '../src/features/viewer/FindBar.svelte'
import Viewer from '../src/features/viewer/Viewer.svelte'
import { nextPane } from '../src/features/viewer/panes'
import { Reading } from '../src/features/viewer/reading.svelte'
import { i18n } from '../src/i18n/index.svelte'
import { fakeHost, type Calls, type FakeHost } from '../src/ipc/fake/host'
import { conversation, turn } from '../src/ipc/fake/chat'
import { pdf, view } from '../src/ipc/fake/viewer'
import type { View } from '../src/ipc/types'
import { actions } from '../src/state/actions.svelte'
import { navigation } from '../src/state/navigation.svelte'
import { session } from '../src/state/session.svelte'
import { talk } from '../src/state/talk.svelte'
import { viewer } from '../src/state/viewer.svelte'

// pdf.js does not run in jsdom; whether a file is opened can be told without it.
const { openPdf } = vi.hoisted(() => ({ openPdf: vi.fn(() => new Promise<never>(() => {})) }))
vi.mock('../src/features/viewer/pdf', () => ({ openPdf }))

// jsdom measures and draws nothing.
Range.prototype.getBoundingClientRect = () => document.body.getBoundingClientRect()
HTMLCanvasElement.prototype.getContext = () => null

let host: FakeHost
const passage = { is: 'passage', conversation: '00000000000000a1', turn: 0, n: 2, claim: 1 } as const

async function opened(overrides: Partial<Calls> = {}) {
  host = fakeHost(overrides)
  await session.boot(host)
  await talk.open('00000000000000a1')
  render(Viewer)
  await viewer.open(passage)
  await tick()
}

const called = (name: string) => host.log.filter((one) => one.name === name)
const press = (key: string, more: KeyboardEventInit = {}, on: Element = document.body) => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })
  on.dispatchEvent(event)
  actions.dispatch(event)
}

const two: View = {
  ...view,
  blocks: [
    { style: 'text', runs: [{ text: 'First sentence.', mark: 'sentence', hit: 0 }, { text: ' And ', mark: 'window' }, { text: 'second one.', mark: 'sentence', hit: 1 }] },
  ],
  hits: [
    { text: 'First sentence.', page: null },
    { text: 'second one.', page: null },
  ],
}

beforeEach(() => {
  navigation.pane = null
  viewer.close()
})

describe('a text', () => {
  it('is asked for and shown with window and sentence, and the sentence can be read back', async () => {
    await opened()
    expect(called('open_view').at(-1)?.args).toEqual(passage)
    expect(navigation.pane).toBe('viewer')
    expect(viewer.openAt).toEqual({ conversation: '00000000000000a1', turn: 0, n: 2 })
    const sentence = document.querySelector('[data-mark="sentence"]')!
    expect(sentence.textContent).toBe('These disruptions caused a 5% increase in hardware procurement costs.')
    expect(sentence).toHaveProperty('className', expect.stringMatching(/\bs\b.*\bnow\b/))
    expect(document.querySelector('[data-mark="window"]')!.textContent).toContain('This revision was due')
    expect(await screen.findByTestId('marked-sentence')).toHaveProperty('textContent', sentence.textContent)
    expect(screen.getByText('Sentence 1 of 1')).toBeTruthy()
  })

  it('repeats the sentence of the answer that led here', async () => {
    await opened()
    expect(screen.getByTitle(/^Unforeseen supply chain disruptions/).textContent).toContain('raised raw material costs by 5%')
  })

  it('has nothing that axe objects to', async () => {
    await opened()
    const { violations } = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false } } })
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
  })

  it('goes through its marked sentences with N and P, round and round', async () => {
    await opened({ open_view: () => two })
    expect(document.querySelector('.now')!.textContent).toBe('First sentence.')
    press('n')
    await tick()
    expect(document.querySelector('.now')!.textContent).toBe('second one.')
    await waitFor(() => expect(screen.getByTestId('marked-sentence').textContent).toBe('second one.'))
    press('n')
    await tick()
    expect(screen.getByText('Sentence 1 of 2')).toBeTruthy()
    press('p')
    await tick()
    expect(screen.getByText('Sentence 2 of 2')).toBeTruthy()
  })

  it('keeps only stretches near the eye of a long one', async () => {
    const blocks = Array.from({ length: 10_000 }, (_, i) => ({ style: 'text' as const, runs: [{ text: `Paragraph ${i}`, mark: 'plain' as const }] }))
    await opened({ open_view: () => ({ ...view, blocks, hits: [], first: null }) })
    const here = document.querySelectorAll('[data-block]').length
    expect(here).toBeGreaterThan(0)
    expect(here).toBeLessThan(500)
  })
})

describe('find', () => {
  it('opens by Ctrl F inside the pane only, counts, steps by Enter and closes by Esc', async () => {
    await opened()
    press('f', { ctrlKey: true })
    await tick()
    expect(screen.queryByTestId('viewer-find')).toBeNull()
    const scroller = document.querySelector<HTMLElement>('[data-pane-start]')!
    scroller.focus()
    press('f', { ctrlKey: true })
    const field = await screen.findByTestId<HTMLInputElement>('viewer-find')
    expect(document.activeElement).toBe(field)
    await fireEvent.input(field, { target: { value: 'disruptions' } })
    await screen.findByText('1 of 2', { selector: '[role=status]' })
    await fireEvent.keyDown(field, { key: 'Enter' })
    expect(screen.getByText('2 of 2', { selector: '[role=status]' })).toBeTruthy()
    await fireEvent.keyDown(field, { key: 'Enter', shiftKey: true })
    expect(screen.getByText('1 of 2', { selector: '[role=status]' })).toBeTruthy()
    await fireEvent.input(field, { target: { value: 'elephants' } })
    await screen.findByText('Not found', { selector: '[role=status]' })
    press('Escape', {}, field)
    await tick()
    expect(screen.queryByTestId('viewer-find')).toBeNull()
    expect(document.activeElement).toBe(scroller)
    expect(navigation.pane).toBe('viewer')
  })
})

it('tells how many places there are once, not while it looks', async () => {
  i18n.use('en')
  const reading = new Reading()
  render(FindBar, { reading, onclose: () => undefined })
  reading.find.query = 'kiln'
  reading.find.looked = 12
  await tick()
  expect(screen.getByText('12 looked through')).toBeTruthy()
  expect(screen.getByRole('status').textContent).toBe('')
  reading.find.looked = null
  await tick()
  expect(screen.getByRole('status').textContent).toBe('Not found')
})

describe('a file that changes while it is open', () => {
  const before = { ...view, blocks: [{ style: 'text', runs: [{ text: 'The old kiln fires at 900 degrees.', mark: 'plain' }] }] } satisfies View
  const after = { ...view, blocks: [{ style: 'text', runs: [{ text: 'It was torn down.', mark: 'plain' }] }] } satisfies View
  const looking = async () => {
    document.querySelector<HTMLElement>('[data-pane-start]')!.focus()
    press('f', { ctrlKey: true })
    const field = await screen.findByTestId<HTMLInputElement>('viewer-find')
    await fireEvent.input(field, { target: { value: 'kiln' } })
  }
  const again = async () => {
    await viewer.open(passage)
    await tick()
  }

  it('has none of the places that were found in what it was', async () => {
    let now: View = before
    await opened({ open_view: () => now })
    await looking()
    await screen.findByText('1 of 1', { selector: '[role=status]' })
    // Opened at another passage it is the same document, and what was found in it stays.
    await again()
    expect(screen.getByText('1 of 1', { selector: '[role=status]' })).toBeTruthy()
    for (const next of [{ ...after, freshness: 'changed' as const }, { ...after, document: { ...after.document, modified: 1 } }]) {
      now = next
      await again()
      expect(screen.queryByTestId('viewer-find')).toBeNull()
      await looking()
      expect(await screen.findByText('Not found', { selector: '[role=status]' })).toBeTruthy()
      now = before
      await again()
    }
  })

  it('is opened anew where it has pages', async () => {
    let now: View = pdf
    await opened({ open_view: () => now })
    await vi.waitFor(() => expect(openPdf).toHaveBeenCalledTimes(1))
    now = { ...pdf }
    await again()
    expect(openPdf).toHaveBeenCalledTimes(1)
    now = { ...pdf, freshness: 'changed' }
    await again()
    await vi.waitFor(() => expect(openPdf).toHaveBeenCalledTimes(2))
    now = { ...pdf, document: { ...pdf.document, modified: 1 } }
    await again()
    await vi.waitFor(() => expect(openPdf).toHaveBeenCalledTimes(3))
  })
})

describe('an image', () => {
  const image: View = { ...pdf, document: { ...pdf.document, kind: 'image' }, recognised: { languages: ['deu', 'eng'], whole: true }, blocks: view.blocks }

  it('is shown as a page, says what read it, and has a text, in which words are found', async () => {
    await opened({ open_view: () => image })
    expect(screen.getByTestId('viewer-recognised').textContent).toContain('Tesseract (German and English)')
    await screen.findByRole('region', { name: 'Pages' })
    await fireEvent.click(screen.getByRole('button', { name: 'Show the text' }))
    expect(screen.getByRole('region', { name: 'Text' }).textContent).toContain('supply chain disruptions')
    await fireEvent.click(screen.getByRole('button', { name: 'Show the pages' }))
    await screen.findByRole('region', { name: 'Pages' })
    await fireEvent.click(screen.getByRole('button', { name: 'Find in this document' }))
    await screen.findByRole('region', { name: 'Text' })
  })
})

describe('size', () => {
  it('follows Ctrl +, − and 0 while the pane has the focus', async () => {
    await opened()
    document.querySelector<HTMLElement>('[data-pane-start]')!.focus()
    press('+', { ctrlKey: true })
    await tick()
    expect(screen.getByText('110%')).toBeTruthy()
    press('0', { ctrlKey: true })
    await tick()
    expect(screen.getByText('100%')).toBeTruthy()
    press('-', { ctrlKey: true })
    await tick()
    expect(screen.getByText('90%')).toBeTruthy()
  })
})

describe('a file that is not what it was', () => {
  it('says that it changed and asks again', async () => {
    await opened({ open_view: () => ({ ...view, freshness: 'changed' }) })
    expect(screen.getByTestId('viewer-note').textContent).toContain('The file has changed since it was read')
    const asking = talk.turns[0]!.question
    await fireEvent.click(screen.getByRole('button', { name: 'Ask again' }))
    expect(called('ask')[0]?.args).toMatchObject({ question: asking, replace: 0 })
  })

  it('asks an earlier question once more as that one', async () => {
    const turns = [turn, { ...turn, question: 'And then?' }]
    await opened({ conversation: () => ({ ...conversation, turns }), open_view: () => ({ ...view, freshness: 'changed' }) })
    await fireEvent.click(screen.getByRole('button', { name: 'Ask again' }))
    expect(called('ask')[0]?.args).toMatchObject({ question: turn.question, replace: null, again: 0 })
  })

  it('says that there is no text in it', async () => {
    await opened({ open_view: () => ({ ...view, blocks: [], hits: [], first: null }) })
    expect(screen.getByTestId('viewer-note').textContent).toContain('odyssey-notes.md has no text that could be shown.')
    expect(screen.getAllByRole('button', { name: 'Open in its own app' })).toHaveLength(2)
  })

  it('shows the kept passage of one that is gone, and no way to open it', async () => {
    await opened({ open_view: () => ({ ...view, blocks: [], hits: [], first: null, freshness: 'gone' }) })
    expect(screen.getByTestId('viewer-note').textContent).toContain('odyssey-notes.md is no longer there')
    expect(document.querySelector('[data-mark="sentence"]')!.textContent).toContain('5% increase in hardware')
    expect(screen.queryByRole('button', { name: 'Open in its own app' })).toBeNull()
  })

  it('says why it cannot be opened, and opens it elsewhere', async () => {
    await opened({ open_view: () => Promise.reject({ kind: 'failed', notice: { code: 'text', text: 'odyssey-notes.md is locked by another program.' } }) })
    expect(screen.getByRole('alert').textContent).toContain('odyssey-notes.md is locked')
    await fireEvent.click(screen.getByRole('button', { name: 'Open in its own app' }))
    expect(called('open_document')[0]?.args).toEqual({ document: 12 })
  })

  it('says what goes wrong outside', async () => {
    await opened({ show_in_folder: () => Promise.reject({ kind: 'failed', notice: { code: 'text', text: 'There is no file browser.' } }) })
    await fireEvent.click(screen.getByRole('button', { name: 'Show in folder' }))
    expect((await screen.findByRole('alert')).textContent).toContain('There is no file browser.')
  })
})

describe('the pane', () => {
  it('forgets an answer that comes after another document was asked for', async () => {
    let late: (view: View) => void = () => {}
    await opened({ open_view: (request) => (request.is === 'document' ? new Promise<View>((resolve) => (late = resolve)) : two) })
    const slow = viewer.open({ is: 'document', document: 15 })
    await viewer.open(passage)
    late({ ...view, blocks: [], hits: [] })
    await slow
    expect(viewer.view).toBe(two)
  })

  it('closes by Esc and gives the focus back to where it was', async () => {
    const link = document.body.appendChild(document.createElement('button'))
    link.focus()
    await opened()
    document.querySelector<HTMLElement>('[data-pane-start]')!.focus()
    press('Escape')
    await tick()
    expect(navigation.pane).toBeNull()
    expect(viewer.openAt).toBeNull()
    expect(document.activeElement).toBe(link)
    link.remove()
  })

  it('is one of those that F6 goes through, back to where the focus was in each', async () => {
    await opened()
    const page = document.body.appendChild(document.createElement('main'))
    page.dataset.pane = 'page'
    const [one, other] = [page.appendChild(document.createElement('button')), page.appendChild(document.createElement('button'))]
    other.focus()
    nextPane(1)
    expect(document.activeElement).toBe(document.querySelector('[data-pane-start]'))
    nextPane(1)
    expect(document.activeElement).toBe(other)
    nextPane(-1)
    expect(document.activeElement?.closest('[data-pane]')).toHaveProperty('dataset.pane', 'side')
    one.remove()
    page.remove()
  })

  it('takes the focus where it covers the conversation, and is not left for what it covers', async () => {
    const link = document.body.appendChild(document.createElement('button'))
    link.focus()
    const wide = window.matchMedia
    window.matchMedia = (media) => Object.assign(new EventTarget(), wide(media), { media, matches: media === '(max-width: 899px)' })
    await session.boot(fakeHost())
    await talk.open(passage.conversation)
    await viewer.open(passage)
    render(Viewer)
    const pane = screen.getByTestId('viewer')
    await tick()
    expect(document.activeElement).toBe(pane)
    const page = document.body.appendChild(document.createElement('main'))
    page.dataset.pane = 'page'
    page.style.visibility = 'hidden'
    const covered = page.appendChild(document.createElement('button'))
    nextPane(1)
    expect(document.activeElement).not.toBe(covered)
    expect(pane.contains(document.activeElement)).toBe(true)
    press('Escape')
    await tick()
    expect(document.activeElement).toBe(link)
    window.matchMedia = wide
    page.remove()
    link.remove()
  })
})
