// Sheets, slides, mails, books and code in the viewer, over the fake host.
import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import axe from 'axe-core'
import { tick } from 'svelte'
import { beforeEach, describe, expect, it } from 'vitest'
import Viewer from '../src/features/viewer/Viewer.svelte'
import { cellsOf, inCell, letters, Sheet } from '../src/features/viewer/rows'
import { fakeHost } from '../src/ipc/fake/host'
import { layouts } from '../src/ipc/fake/layouts'
import type { Layout, View } from '../src/ipc/types'
import { actions } from '../src/state/actions.svelte'
import { navigation } from '../src/state/navigation.svelte'
import { session } from '../src/state/session.svelte'
import { EVERYWHERE, talk } from '../src/state/talk.svelte'
import { viewer } from '../src/state/viewer.svelte'
import { press } from './hands'

// jsdom measures nothing.
Range.prototype.getBoundingClientRect = () => document.body.getBoundingClientRect()

const of = (layout: Layout) => layouts.find((view) => view.layout === layout)!

async function opened(view: View) {
  await session.boot(fakeHost({ open_view: () => view }))
  render(Viewer)
  await viewer.open({ is: 'document', document: view.document.id })
  await tick()
  await tick()
}

const axeFinds = async () => {
  const { violations } = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false } } })
  return violations.map(({ id, nodes }) => [id, nodes[0]?.html])
}
const head = () => document.querySelector('header.head')?.textContent?.trim()
const find = async (words: string) => {
  document.querySelector<HTMLElement>('[data-pane-start]')!.focus()
  await fireEvent.click(screen.getByRole('button', { name: 'Find in this document' }))
  await fireEvent.input(await screen.findByTestId('viewer-find'), { target: { value: words } })
}

beforeEach(() => {
  navigation.pane = null
  viewer.close()
})

describe('a spreadsheet', () => {
  const grid = () => screen.getByRole('grid')
  const value = () => [...screen.getByTestId('cell-value').children].map(({ textContent }) => textContent)

  it('is opened at the marked row of its sheet, with the words of the answer and what names them', async () => {
    await opened(of('sheets'))
    expect(screen.getByRole('tab', { selected: true }).textContent?.replace(/\s+/g, ' ').trim()).toBe('Yields 1')
    expect(head()).toBe('batch-12.xlsx Yields, row 8')
    expect(screen.getByText('Row 1 of 1')).toBeTruthy()
    expect(value()).toEqual(['D8', '74%', 'Yield · Batch 12'])
    const row = within(grid()).getByRole('row', { selected: true })
    expect(within(row).getByRole('rowheader').textContent).toBe('8')
    expect(row.querySelector('.k')?.textContent).toBe('74%')
    expect(document.getElementById(grid().getAttribute('aria-activedescendant')!)).toBe(row.querySelector('.k'))
    expect(screen.getByTestId('marked-sentence').textContent).toContain('Batch 12 · 80 · 4 · 74%')
    expect(await axeFinds()).toEqual([])
  })

  it('is walked by arrows, and counts rows without text', async () => {
    await opened(of('sheets'))
    grid().focus()
    await press('ArrowRight')
    expect(value()).toEqual(['E8', '97.8%', 'Purity · Batch 12'])
    await press('ArrowDown')
    await press('ArrowDown')
    expect(value()[0], 'two rows have no text').toBe('E12')
    await press('Home', { ctrlKey: true })
    expect(value()).toEqual(['A1', 'Batch', ''])
    await press('ArrowUp')
    await press('ArrowLeft')
    expect(value()[0]).toBe('A1')
  })

  it('shows its other sheets, and finds words in all of them', async () => {
    await opened(of('sheets'))
    await fireEvent.click(screen.getByRole('tab', { name: 'Overview' }))
    expect(head()).toBe('batch-12.xlsx Overview, row 1')
    await find('stirrer')
    await screen.findByText('1 of 1', { selector: '[role=status]' })
    expect(value()[0]).toBe('F8')
  })

  it('of many rows and columns draws those near the eye', async () => {
    const text = Array.from({ length: 100_000 }, (_, row) => Array.from({ length: 40 }, (__, column) => row * column).join('\t')).join('\n')
    await opened({ ...of('sheets'), rows: [{ name: '', text, header: false, numbers: [], marked: [] }], hits: [], first: null })
    expect(grid().getAttribute('aria-rowcount')).toBe('100001')
    expect(within(grid()).getAllByRole('gridcell').length).toBeLessThan(2000)
    grid().focus()
    await press('End', { ctrlKey: true })
    expect(value()).toEqual(['AN100000', String(99_999 * 39), '0'])
  })
})

describe('rows of a sheet', () => {
  it('are cut into cells, and a place in a row is one in a cell', () => {
    const cells = cellsOf([
      { text: 'a\t', mark: 'window' },
      { text: 'b\tc', mark: 'sentence', hit: 0 },
    ])
    expect(cells.map((runs) => runs.map(({ text, mark }) => [text, mark]))).toEqual([[['a', 'window']], [['b', 'sentence']], [['c', 'sentence']]])
    expect(inCell('one\ttwo\tthree', 4, 7)).toEqual({ column: 1, start: 0, end: 3 })
    expect(inCell('one\ttwo', 2, 6), 'up to the end of its cell').toEqual({ column: 0, start: 2, end: 3 })
  })

  it('have columns with letters, as wide as most of their cells need', () => {
    expect([0, 25, 26, 701, 702].map(letters)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA'])
    const sheet = new Sheet({ name: '', text: `1\t${'x'.repeat(20)}\n22\t${'x'.repeat(900)}`, header: false, numbers: [], marked: [] })
    const [narrow, wide] = sheet.widths()
    expect([narrow, wide]).toEqual([52, 300])
  })
})

describe('a presentation', () => {
  it('is a card each slide, with its number and title, and goes to the one that is chosen', async () => {
    await opened(of('slides'))
    expect(head()).toBe('Board deck September.pptx slide 1 of 3')
    const first = screen.getByRole('region', { name: 'Slide 1' })
    expect(within(first).getByRole('heading').textContent).toBe('Phoenix: cost and return')
    expect(first.querySelector('.now')?.textContent).toBe('ROI over five years ')
    expect(within(first).getAllByRole('row').map((row) => row.textContent)).toEqual(['Year\t2024\t2025\n', 'Plan\t41.0\t12.5\n', 'Actual\t43.6\t12.5\n'])
    expect(await axeFinds()).toEqual([])
    await fireEvent.click(screen.getByRole('button', { name: 'Slides' }))
    await fireEvent.click(screen.getByRole('menuitem', { name: 'Staff' }))
    await tick()
    expect(head()).toBe('Board deck September.pptx slide 3 of 3')
  })
})

describe('a mail', () => {
  it('has its head above its words, and folds what it quotes', async () => {
    await opened(of('mail'))
    const mail = screen.getByRole('article', { name: 'Penang: first line handed over' })
    expect(within(mail).getByRole('heading').textContent).toBe('Penang: first line handed over')
    expect(within(mail).getAllByRole('term').map(({ textContent }) => textContent)).toEqual(['From', 'To', 'Copy', 'Date'])
    expect(within(mail).getAllByRole('definition')[0]?.textContent).toBe('Priya Raman <p.raman@northwind.example>')
    expect(within(mail).queryByText(/How far are we/)).toBeNull()
    expect(await axeFinds()).toEqual([])
    await fireEvent.click(screen.getByRole('button', { name: 'Show 3 quoted lines' }))
    expect(within(mail).getByText(/How far are we/)).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: 'Ask only in mails from Priya Raman' }))
    expect(talk.scope.from).toEqual(['Priya Raman <p.raman@northwind.example>'])
    talk.scope = EVERYWHERE
  })

  it('unfolds what it quotes while words are looked for, or where it is marked', async () => {
    await opened(of('mail'))
    await find('How far')
    await screen.findByText('1 of 1', { selector: '[role=status]' })
    expect(screen.getByText(/How far are we/)).toBeTruthy()
    const blocks = of('mail').blocks.map((block) => (block.style === 'quote' ? { ...block, runs: [{ text: 'Marked.', mark: 'sentence' as const, hit: 0 }] } : block))
    await viewer.open({ is: 'document', document: 103 })
    viewer.view = { ...of('mail'), blocks }
    await tick()
    expect(screen.getAllByText('Marked.')).toHaveLength(2)
  })
})

describe('a file inside another', () => {
  const opens = (name: string) => fireEvent.click(screen.getByRole('button', { name: new RegExp(name) }))
  const crumbs = () => screen.queryByTestId('viewer-inside')?.textContent.trim()

  it('is entered from what holds it, shows the way, and leads back to where it was left', async () => {
    await session.boot(fakeHost({ open_view: (request) => layouts.find(({ document }) => 'document' in request && document.id === request.document)! }))
    render(Viewer)
    await viewer.open({ is: 'place', document: 103, at: { start: 0, end: 9, hits: [], hash: null } })
    await tick()
    const attachments = screen.getByRole('region', { name: 'Attachments' })
    expect(within(attachments).getAllByRole('button')).toHaveLength(2)
    expect(await axeFinds()).toEqual([])
    screen.getByRole('button', { name: /Quotes Penang.zip/ }).focus()
    await opens('Quotes Penang.zip')
    expect(await screen.findByRole('region', { name: 'Files inside' })).toBe(document.activeElement)
    expect(crumbs()).toBe('in Penang: first line handed over.eml')
    expect(await axeFinds()).toEqual([])
    await opens('Quote 4')
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Text'))
    expect(crumbs()).toBe('in Penang: first line handed over.emlQuotes Penang.zip')
    actions.dispatch(new KeyboardEvent('keydown', { key: 'ArrowLeft', altKey: true }))
    await tick()
    await tick()
    expect(head()).toBe('Quotes Penang.zip')
    await fireEvent.click(screen.getByRole('button', { name: 'Back to Penang: first line handed over.eml' }))
    await tick()
    expect(viewer.request?.is).toBe('place')
    expect(crumbs()).toBeUndefined()
  })
})

describe('a book', () => {
  it('names the chapter and goes to another', async () => {
    await opened(of('book'))
    expect(head()).toBe('The Tide Clock, a history.epub chapter 1 of 2')
    await fireEvent.click(screen.getByRole('button', { name: 'Chapters' }))
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(['The second maker', 'Brest'])
    await fireEvent.click(screen.getByRole('menuitem', { name: 'Brest' }))
    await tick()
    expect(head()).toBe('The Tide Clock, a history.epub chapter 2 of 2')
  })
})

describe('code', () => {
  it('has a number each line, blank ones too', async () => {
    await opened(of('lines'))
    const line = document.querySelector('.now')!.closest('[data-line]')!
    expect([line.getAttribute('data-line'), line.textContent]).toEqual(['4', '    // The kiln is never lit at night.'])
    expect(document.querySelector('[data-line="3"]')!.textContent).toBe('')
  })
})
