// The why-panel over the fake host: lists, groups, reasons, the check, a file that was not found.
import { fireEvent, render, screen, within } from '@testing-library/svelte'
import axe from 'axe-core'
import { tick } from 'svelte'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import Why from '../src/features/why/Why.svelte'
import { groups, ofStage, precise, reason, rough, score, slices } from '../src/features/why/stages'
import { standing } from '../src/features/why/standing'
import { i18n } from '../src/i18n/index.svelte'
import { fakeHost, type Calls, type FakeHost } from '../src/ipc/fake/host'
import { why as recorded, whyNot } from '../src/ipc/fake/viewer'
import { actions } from '../src/state/actions.svelte'
import { navigation } from '../src/state/navigation.svelte'
import { session } from '../src/state/session.svelte'
import { talk } from '../src/state/talk.svelte'
import { viewer } from '../src/state/viewer.svelte'
import { why } from '../src/state/why.svelte'

HTMLCanvasElement.prototype.getContext = () => null
Element.prototype.scrollIntoView = vi.fn()

let host: FakeHost
const conversation = '00000000000000a1'

async function opened(overrides: Partial<Calls> = {}, open = () => why.open(conversation, 0) as Promise<void> | void) {
  host = fakeHost(overrides)
  await session.boot(host)
  await talk.open(conversation)
  render(Why)
  await open()
  await tick()
}

const called = (name: string) => host.log.filter((one) => one.name === name)
const names = () => [...document.querySelectorAll('[data-testid="why-table"] .open')].map((row) => row.textContent)

beforeEach(() => {
  viewer.close()
  why.close()
  why.turn = null
  why.list = 'all'
  i18n.use('en')
})

describe('lists', () => {
  it('group passages by what became of them, in their final order', () => {
    const all = groups([...recorded.passages].reverse())
    expect(all.map(({ is, rows }) => [is, rows.length])).toEqual([
      ['used', 3],
      ['cut', 2],
      ['below', 33],
    ])
    expect(all[0]!.rows.map(({ rank }) => rank)).toEqual([1, 2, 3])
    const behind = { ...recorded.passages[0]!, fate: { kind: 'behind', n: 4 } as const }
    expect(groups([behind])).toEqual([{ is: 'shown', rows: [behind] }])
  })

  it('show one stage alone in its own order', () => {
    expect(ofStage(recorded.passages, 'sparse').slice(0, 3).map(({ sparse }) => sparse?.rank)).toEqual([1, 2, 3])
    expect(ofStage(recorded.passages, 'dense').every(({ dense }) => dense !== null)).toBe(true)
    expect(ofStage(recorded.passages, 'rerank').slice(0, 3).map(({ rerank }) => rerank)).toEqual([0.94, 0.92, 0.81])
  })

  it('give the reason of each', () => {
    const [first] = recorded.passages
    expect(reason(first!)).toBe('Merged from 3 windows, sentences 210 to 219')
    expect(reason({ ...first!, windows: 1, last: 210 })).toBe('One window, sentence 210')
    expect(reason({ ...first!, fate: { kind: 'same-text', n: 2 } })).toBe('Same text as passage 2')
    expect(reason({ ...first!, fate: { kind: 'no-room', n: 4, tokens: 1188, left: 26 } })).toBe('Needs 1,188 tokens, 26 are left')
    expect(reason({ ...first!, fate: { kind: 'behind', n: 4 } })).toBe('Too far behind the best to be read for the answer')
  })

  it('write scores and times as their stage counts', () => {
    expect([score('dense', 0.714), score('sparse', 14.21), score('fused', 0.0325), score('rerank', 0.9)]).toEqual(['0.71', '14.2', '.0325', '0.90'])
    i18n.use('de')
    expect([score('sparse', 14.21), score('fused', 0.0325), precise(1420), rough(900)]).toEqual(['14,2', ',0325', '1,42 s', '0,9 s'])
    expect(slices(recorded).reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(100)
  })
})

describe('the panel', () => {
  it('shows times, path, groups, prompt and check', async () => {
    await opened()
    expect(called('why')[0]?.args).toEqual({ conversation, turn: 0 })
    expect(screen.getByTestId('why-times').textContent).toContain('2.4 s in all')
    expect(screen.getByTestId('why-path').textContent?.replace(/\s+/g, ' ')).toContain('61 sentences 38 passages after merging 3 used 914 of 2,048 tokens')
    expect(screen.getAllByRole('rowheader').map((row) => row.textContent?.trim().replace(/\s+/g, ' '))).toEqual([
      'Used 3 passages',
      'Cut 2 for room or repetition',
      'Cut 33 scored lower',
    ])
    expect(names()).toHaveLength(8)
    await fireEvent.click(screen.getByRole('button', { name: 'Show 30 more' }))
    expect(names()).toHaveLength(38)
    expect(screen.getByTestId('why-prompt').textContent).toBe(recorded.prompt!.text)
    expect(screen.getByTestId('why-phrase').textContent).toContain('92% that it is the answer')
    const check = screen.getByTestId('why-check')
    expect(check.textContent).toContain('2 of 3 sentences supported')
    expect(within(check).getByText('Not found in your documents')).toBeTruthy()
  })

  it('orders by the score with its place, and shows what the reranker said alone', async () => {
    await opened()
    const cell = () => document.querySelector<HTMLElement>('[data-testid="why-table"] td.r:last-child')!
    expect([cell().textContent?.trim(), cell().title]).toEqual(['0.92', 'The reranker alone: 0.94'])
    const note = 'Best first: the score of the reranker, less a little for each place after fusion.'
    expect(screen.getByText(note)).toBeTruthy()
    await fireEvent.click(screen.getByRole('tab', { name: /^Reranked/ }))
    expect([cell().textContent?.trim(), cell().title]).toEqual(['0.94', ''])
    expect(screen.queryByText(note)).toBeNull()
  })

  it('has nothing that axe objects to', async () => {
    await opened()
    const options = { rules: { 'color-contrast': { enabled: false }, region: { enabled: false } } }
    expect((await axe.run(document.body, options)).violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
    why.openNot()
    await screen.findByRole('list', { name: 'Files' })
    expect((await axe.run(document.body, options)).violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
  })

  it('lists one stage alone; arrows go from part to part and from row to row', async () => {
    await opened()
    const tab = screen.getByRole('tab', { name: 'All stages' })
    tab.focus()
    await fireEvent.keyDown(tab, { key: 'ArrowRight' })
    await fireEvent.keyDown(screen.getByRole('tab', { name: 'Meaning 40' }), { key: 'ArrowRight' })
    expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Words 40' }))
    expect(names()[0]).toBe('Phoenix kickoff.docx')
    expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual(['Passage', 'Words'])
    expect(screen.getByText('Used as passage 1')).toBeTruthy()
    const rows = document.querySelectorAll<HTMLElement>('.open')
    rows[0]!.focus()
    await fireEvent.keyDown(rows[0]!, { key: 'ArrowDown' })
    expect(document.activeElement).toBe(rows[1])
  })

  it('opens a row at its place; closing the viewer comes back to it', async () => {
    await opened()
    await fireEvent.click(screen.getByRole('button', { name: 'odyssey-notes.md' }))
    expect(called('open_view')[0]?.args).toMatchObject({ is: 'passage', turn: 0, n: 2, claim: null })
    expect(navigation.pane).toBe('viewer')
    expect(why.opened).toBe(2)
    viewer.close()
    expect(navigation.pane).toBe('why')
    why.close()
    expect(navigation.pane).toBeNull()
  })

  it('opens a passage without a number at its place', async () => {
    await opened()
    const { name, document, at } = recorded.passages[5]!
    await fireEvent.click(screen.getByRole('button', { name }))
    expect(called('open_view')[0]?.args).toEqual({ is: 'place', document, at })
    viewer.close()
    expect(navigation.pane).toBe('why')
  })

  it('does not open what left the library', async () => {
    const passages = [{ ...recorded.passages[0]!, document: null }]
    await opened({ why: () => ({ ...recorded, passages }) })
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Q3-report.pdf' }).disabled).toBe(true)
  })

  it('goes to the check when asked for it, and from there to a passage', async () => {
    await opened({}, () => why.open(conversation, 0, 'check'))
    await tick()
    expect(Element.prototype.scrollIntoView).toHaveBeenCalled()
    await fireEvent.click(within(screen.getByTestId('why-check')).getAllByRole('button', { name: 'Passage 2' })[0]!)
    expect(called('open_view')[0]?.args).toEqual({ is: 'passage', conversation, turn: 0, n: 2, claim: 1 })
  })

  it('says why it cannot explain, and closes by Esc', async () => {
    await opened({ why: () => Promise.reject({ kind: 'failed', notice: { code: 'text', text: 'The trace of this answer was not kept.' } }) })
    expect(screen.getByRole('alert').textContent).toBe('The trace of this answer was not kept.')
    actions.dispatch(new KeyboardEvent('keydown', { key: 'Escape' }))
    expect(navigation.pane).toBeNull()
  })
})

describe('a file that was not found', () => {
  it('is looked for by name, and where it stood is said', async () => {
    await opened({}, () => why.openNot())
    const field = screen.getByRole('textbox', { name: 'Which file did you expect?' })
    expect(document.activeElement).toBe(field)
    await fireEvent.input(field, { target: { value: 'q2' } })
    const list = await screen.findByRole('list', { name: 'Files' })
    await vi.waitFor(() => expect(within(list).getAllByRole('button')).toHaveLength(1))
    await fireEvent.keyDown(field, { key: 'Enter' })
    expect(called('why_not')[0]?.args).toEqual({ conversation, turn: 0, document: 15 })
    const facts = await screen.findByTestId('why-not-facts')
    expect(facts.textContent).toContain('By meaning its best sentence is 96th, and 50 are taken.')
    expect(screen.getByText(whyNot.best!.text)).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: 'Ask only in this file' }))
    expect(talk.scope.documents).toContainEqual({ id: 15, name: 'Q2-report.pdf' })
    expect(navigation.pane).toBeNull()
  })

  it('says so when no file has that name', async () => {
    await opened({}, () => why.openNot())
    await fireEvent.input(screen.getByRole('textbox'), { target: { value: 'zebra' } })
    expect((await screen.findByText(/No file in the library has “zebra”/)).textContent).toBeTruthy()
  })

  it('asks for a question first', async () => {
    host = fakeHost()
    await session.boot(host)
    talk.fresh()
    render(Why)
    why.openNot()
    expect(await screen.findByText(/^Ask a question first/)).toBeTruthy()
  })

  it('stands where it stands', () => {
    const best = whyNot.best!
    const passage = { ...best, path: whyNot.path, document: 15, hash: null, ...best.span, hits: [], first: 95, last: 96, windows: 1, score: null }
    expect(standing({ ...whyNot, standing: { kind: 'waiting' } })).toEqual(['It has not been read yet. Ask again when its turn has come.'])
    expect(standing({ ...whyNot, standing: { kind: 'failed', reason: { code: 'text', text: 'it asks for a password' }, code: 'encrypted' }, excludedBy: ['within'] })).toEqual([
      'It could not be read: it asks for a password',
      'The question looked elsewhere: its scope leaves this file out.',
    ])
    expect(standing({ ...whyNot, withoutVectors: 1200, best: null })).toEqual([
      'None of its sentences can be found by meaning yet, only by words.',
      'None of its sentences is near the question, neither by meaning nor by words.',
    ])
    const near = { ...best, dense: { score: 0.6, rank: 12 }, sparse: { score: 3, rank: 61 }, fused: { score: 0.01, rank: 30 } }
    expect(standing({ ...whyNot, withoutVectors: 3, best: near })).toEqual([
      '3 of its 1,200 sentences cannot be found by meaning yet.',
      'By meaning its best sentence is 12th, among the 50 that are taken.',
      'By words it is 61st, and 50 are taken.',
      'It was a candidate. The reranker gave it 0.12 of 1; with its place after fusion counted, others came first.',
    ])
    const passages = [{ ...passage, fate: { kind: 'shown' as const, n: 2 } }]
    expect(standing({ ...whyNot, passages, best: near }).at(-1)).toBe('It is among the passages, as number 2.')
  })
})
