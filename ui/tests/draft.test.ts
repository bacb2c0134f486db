// A draft over the fake host: checked, filtered, opened, changed, from a selection, from a file.
import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { tick } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import App from '../src/App.svelte'
// The window loads it when it is first needed; here it is loaded before.
import '../src/features/viewer/Viewer.svelte'
import { draftText } from '../src/ipc/fake/draft'
import type { Calls, Streams } from '../src/ipc/fake/host'
import type { CheckedSentence } from '../src/ipc/types'
import { around as wrongWords } from '../src/features/chat/claims'
import { draft } from '../src/state/draft.svelte'
import { navigation } from '../src/state/navigation.svelte'
import { talk } from '../src/state/talk.svelte'
import { viewer } from '../src/state/viewer.svelte'
import { conversation } from '../src/ipc/fake/chat'
import { around, axeFinds, boot, button, called, failing, host, press } from './library'

// jsdom measures and draws nothing.
Range.prototype.getBoundingClientRect = () => document.body.getBoundingClientRect()

around()
beforeEach(() => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
})
afterEach(() => {
  viewer.close()
  draft.restore({ text: '', name: null })
  draft.earlier = null
})

const rows = () => screen.queryAllByTestId('draft-row')
const row = (text: string) => rows().find((one) => one.textContent.includes(text))!
const lead = () => screen.getByTestId('draft-lead').textContent
const tabs = () => screen.getAllByTestId('draft-tab').map((one) => one.getAttribute('aria-label'))
const chosen = () => rows().find((one) => one.getAttribute('aria-current') === 'true')?.textContent ?? ''

async function open(calls: Partial<Calls & Streams> = {}) {
  await boot(undefined, calls)
  render(App)
  draft.show()
  await tick()
}

async function check(calls: Partial<Calls & Streams> = {}) {
  await open(calls)
  await fireEvent.input(screen.getByTestId('draft-field'), { target: { value: draftText } })
  await press('Enter', { ctrlKey: true })
  await waitFor(() => expect(screen.queryByTestId('draft-lead')).not.toBeNull())
}

/** A check that goes on as long as the test wants. */
function slowly() {
  const waiting: { events: (event: CheckedSentence) => void; sentences: string[] }[] = []
  const check_draft: Streams['check_draft'] = ({ sentences }, events) => {
    waiting.push({ events, sentences })
    return new Promise(() => {})
  }
  return { waiting, check_draft }
}

const supported = { verdict: 'supported' as const, reason: null, difference: null, places: [], closest: null }

describe('a draft', () => {
  it('is reached by its key and says how many sentences it has', async () => {
    await boot()
    render(App)
    await press('d', { ctrlKey: true })
    await waitFor(() => expect(screen.queryByTestId('draft-field')).not.toBeNull())
    expect(document.activeElement).toBe(screen.getByTestId('draft-field'))
    expect(screen.getByTestId('rail-draft').getAttribute('aria-current')).toBe('page')
    await fireEvent.input(screen.getByTestId('draft-field'), { target: { value: draftText } })
    await waitFor(() => expect(screen.getByTestId('draft-size').textContent).toContain('9 sentences'))
    expect(screen.getByTestId('draft-check').textContent).toContain('Check 9 sentences')
    expect(await axeFinds(document.body)).toEqual([])
  })

  it('shows each sentence with its finding, its place and what can be replaced', async () => {
    await check()
    await waitFor(() => expect(rows()).toHaveLength(9))
    expect(lead()).toBe('Your documents support 3 of these 8 sentences.')
    expect(tabs()).toEqual(['All 8', 'Supported 3', 'Contradicted 3', 'Not found 2'])
    expect(row('Dear all').textContent).toContain('Nothing to check')
    expect(row('Its ROI').textContent).toContain('The passage says 14%, not 15%')
    expect(row('Its ROI').querySelector('.wrong')?.textContent).toBe('15%')
    expect(within(row('Its ROI')).getByTestId('draft-place').textContent).toBe('Q3-report.pdf, page 14')
    expect(row('Supply chain').textContent).toContain('1 more place')
    expect(row('Management').textContent).toContain('No passage comes close')
    expect(row('No order').textContent).toContain('Closest: None may be placed until then.')
    expect(screen.getAllByTestId('draft-replace').map(({ textContent }) => textContent)).toEqual([
      'Replace 15% with 14%',
      'Replace Ms Lindqvist with Ms Okafor',
    ])
    expect(await axeFinds(document.body)).toEqual([])
  })

  it('shows rows in order as they are checked, and keeps them when it is stopped', async () => {
    const { waiting, check_draft } = slowly()
    await check({ check_draft })
    await waitFor(() => expect(waiting).toHaveLength(1))
    expect(rows()).toHaveLength(0)
    waiting[0]!.events({ at: 0, finding: supported })
    await waitFor(() => expect(rows()).toHaveLength(1))
    expect(lead()).toBe('Checking sentence 2 of 9')
    await press('Escape')
    await waitFor(() => expect(screen.getByTestId('draft-stopped').textContent).toContain('Stopped; 8 sentences not checked.'))
    expect(called('stop_work')).toEqual(['draft'])
    waiting[0]!.events({ at: 1, finding: supported })
    await tick()
    expect(rows()).toHaveLength(1)
    await fireEvent.click(button('Check the rest'))
    await waitFor(() => expect(waiting).toHaveLength(2))
    expect(waiting[1]!.sentences).toHaveLength(8)
  })

  it('says what went wrong', async () => {
    await check({ check_draft: failing('the model cannot be loaded') })
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('the model cannot be loaded'))
  })
})

describe('the rows', () => {
  it('are filtered by tabs and gone through by keys', async () => {
    await check()
    await waitFor(() => expect(rows()).toHaveLength(9))
    await press('j')
    expect(chosen()).toContain('Dear all')
    await press('J', { shiftKey: true })
    await waitFor(() => expect(chosen()).toContain('Its ROI'))
    await press('k')
    await waitFor(() => expect(chosen()).toContain('major driver'))
    await fireEvent.click(button('Not found 2'))
    expect(rows()).toHaveLength(2)
    await press('j')
    await waitFor(() => expect(chosen()).toContain('Management'))
    expect(screen.getByText('1 of 2')).not.toBeNull()
  })

  it('open their place, and the viewer repeats the finding', async () => {
    await check()
    await waitFor(() => expect(rows()).toHaveLength(9))
    await fireEvent.click(within(row('Its ROI')).getAllByRole('button')[0]!)
    expect(called('open_view')[0]).toMatchObject({ is: 'place', document: 11, at: { hash: 'of Q3-report.pdf' } })
    expect((await screen.findByTestId('viewer-finding')).textContent).toContain('The passage says 14%, not 15%')
    // The next row that has a place is shown at once.
    await press('j')
    await waitFor(() => expect(screen.getByTestId('viewer-finding').textContent).toContain('Supported'))
    expect(called('open_view')).toHaveLength(2)
  })

  it('take the words of the passage, are checked again, and that is undone', async () => {
    await check()
    await waitFor(() => expect(rows()).toHaveLength(9))
    await fireEvent.click(button('Replace 15% with 14%'))
    await waitFor(() => expect(row('down from 14%').textContent).toContain('Supported'))
    expect(lead()).toBe('Your documents support 4 of these 8 sentences.')
    expect(called('check_draft').at(-1)).toMatchObject({ sentences: ['Its ROI over five years is now put at 12%, down from 14%.'] })
    expect(draft.whole()).toBe(draftText.replace('15%', '14%'))
    await press('z', { ctrlKey: true })
    await waitFor(() => expect(row('down from 15%').textContent).toContain('The passage says 14%, not 15%'))
    expect(draft.whole()).toBe(draftText)
  })

  it('are edited in place', async () => {
    await check()
    await waitFor(() => expect(rows()).toHaveLength(9))
    await fireEvent.click(within(row('Management')).getAllByRole('button')[0]!)
    await press('e')
    const field = await screen.findByTestId('draft-row-field')
    await fireEvent.input(field, { target: { value: 'The group employs 1,912 people. It grows.' } })
    await fireEvent.keyDown(field, { key: 'Enter' })
    await waitFor(() => expect(rows()).toHaveLength(10))
    expect(row('It grows').textContent).toContain('Not found')
    expect(draft.whole()).toContain('by 5%. The group employs 1,912 people. It grows.\n\nInventories')
  })
})

describe('the text', () => {
  it('goes back to the field with its changes, and survives another page', async () => {
    await check()
    await waitFor(() => expect(rows()).toHaveLength(9))
    navigation.page = 'talk'
    await tick()
    draft.show()
    await waitFor(() => expect(rows()).toHaveLength(9))
    await fireEvent.click(button('Edit the draft'))
    expect(screen.getByTestId<HTMLTextAreaElement>('draft-field').value).toBe(draftText)
  })

  it('is saved as a report in the words of the page', async () => {
    await check()
    await waitFor(() => expect(rows()).toHaveLength(9))
    await fireEvent.click(button('Save report…'))
    await waitFor(() => expect(called('save_draft_report')).toHaveLength(1))
    expect(called('save_draft_report')[0]).toMatchObject({
      title: 'Check of a draft',
      summary: 'Your documents support 3 of these 8 sentences.',
      sentences: { 2: { finding: 'The passage says 14%, not 15%', place: 'Q3-report.pdf, page 14' }, length: 9 },
    })
  })

  it('comes from a file that is dropped on the page; the draft before it can be brought back', async () => {
    await open()
    await fireEvent.input(screen.getByTestId('draft-field'), { target: { value: 'Mine.' } })
    host.send('drag', { is: 'choose', drop: { id: 7, folders: [], files: ['Board letter, autumn.docx'], unread: [] } })
    await waitFor(() => expect(screen.getByTestId<HTMLTextAreaElement>('draft-field').value).toBe(draftText))
    expect(called('read_draft')).toEqual([{ drop: 7 }])
    expect(screen.queryByRole('dialog')).toBeNull()
    await fireEvent.click(screen.getByTestId('draft-earlier'))
    expect(screen.getByTestId<HTMLTextAreaElement>('draft-field').value).toBe('Mine.')
  })

  it('is what is selected in an answer, without the numbers of citations', async () => {
    await boot()
    render(App)
    await talk.open(conversation.id)
    await tick()
    getSelection()?.selectAllChildren(screen.getByTestId('answer').querySelector('p')!)
    await press('d', { ctrlKey: true })
    await waitFor(() => expect(rows()).toHaveLength(1))
    expect(called('check_draft')[0]).toMatchObject({
      sentences: { 0: 'The projected ROI fell from 14% to 12% over five years.' },
    })
  })
})

it('finds the wrong words as whole words', () => {
  expect(wrongWords('From 15% to 5%.', { claim: '5%', passage: '6%' })).toEqual(['From 15% to ', '5%', '.'])
  expect(wrongWords('It was 5.2 million in 5 years.', { claim: '5', passage: '6' })).toEqual(['It was 5.2 million in ', '5', ' years.'])
  expect(wrongWords('At 1.5%.', { claim: '5%', passage: '6%' })).toEqual(['At 1.5%.', '', ''])
  expect(wrongWords('The rosemary rose.', { claim: 'rose', passage: 'fell' })[0]).toBe('The rosemary ')
})
