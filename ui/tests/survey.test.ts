import { fireEvent, screen, within } from '@testing-library/svelte'
import { tick } from 'svelte'
import { describe, expect, it } from 'vitest'
import { listed } from '../src/ipc/fake/chat'
import { navigation } from '../src/state/navigation.svelte'
import { around, boot, button, called, field, id, open, sound, type, Writing } from './chat'

around()

const rows = () => screen.getAllByTestId('survey-document')
const coverage = () => screen.getByTestId('survey-coverage').textContent?.replace(/\s+/g, ' ').trim()

describe('a list under a count', () => {
  it('leads with the count and how much was read, the certain documents before those to review', async () => {
    await open([listed])
    expect(screen.getByTestId('answer').textContent?.trim()).toBe('3 of 40 contracts mention a notice period.')
    expect(coverage()).toBe('40 of 42 files in Contracts read in full. 2 could not be read. Show them')
    expect(screen.getByText('2 certain')).toBeTruthy()
    expect(screen.getByText('1 to review')).toBeTruthy()
    expect(rows().map((row) => within(row).getByRole('heading').textContent)).toEqual([
      'Brandt framework 2022.docx',
      'Lease 14 Harbour Row.pdf',
      'Tidewater insurance.pdf',
    ])
    expect(screen.queryByTestId('passages')).toBeNull()
    await sound()
    await fireEvent.click(button('Show them'))
    expect(navigation.page).toBe('failures')
  })

  it('opens the best sentence as the passage of the answer, and the others at their places', async () => {
    await open([listed])
    await fireEvent.click(button('Show the other 1 sentence of Lease 14 Harbour Row.pdf'))
    const [best, other] = within(rows()[1]!).getAllByTestId('survey-sentence')
    await fireEvent.click(best!)
    await fireEvent.click(other!)
    expect(called('open_view')).toEqual([
      { is: 'passage', conversation: id, turn: 0, n: 2, claim: null },
      { is: 'place', document: 22, at: listed.answer!.survey!.rows[1]!.sentences[1]!.at },
    ])
  })

  it('takes what the person includes or leaves out', async () => {
    await open([listed])
    const sentence = within(rows()[2]!).getByTestId('survey-sentence')
    sentence.focus()
    await fireEvent.keyDown(sentence, { key: 'x' })
    expect(called('review_survey')).toEqual([{ conversation: id, turn: 0, n: 3, included: false }])
    await tick()
    expect(rows()[2]!.textContent).toContain('Left out')
  })

  it('shows the documents as they are found', async () => {
    const writing = new Writing()
    await boot({ ask: writing.ask })
    await type('Which contracts mention a notice period?')
    await fireEvent.keyDown(field(), { key: 'Enter' })
    await writing.begin()
    const { rows: all, ...whole } = listed.answer!.survey!
    await writing.send({ is: 'surveyed', coverage: { ...whole, read: 12 }, rows: all.slice(0, 1) })
    await writing.send({ is: 'surveyed', coverage: { ...whole, read: 30 }, rows: all.slice(1, 2) })
    expect(coverage()).toBe('30 of 40 files read')
    expect(rows()).toHaveLength(2)
    await writing.end({ answer: listed.answer })
    expect(rows()).toHaveLength(3)
  })
})
