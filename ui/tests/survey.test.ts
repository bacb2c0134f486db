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

  it('says how it was counted, in words and figures', async () => {
    await open([listed])
    await fireEvent.click(button('How it was counted'))
    expect(button('How it was counted').getAttribute('aria-expanded')).toBe('true')
    expect(within(screen.getByTestId('counting')).getAllByRole('listitem').map((one) => one.textContent)).toEqual([
      'Oriel looked for “a notice period” in Contracts.',
      '6,124 sentences of 40 documents were compared with it, by meaning and by words.',
      'The closest of each document, 212 sentences in all, went to a checker, which says how likely each mentions it.',
      'From 85% on a document is certain, from 50% on it is to review.',
      '2 files that were not read may mention it too.',
      'All this took 2.4 s, on this computer.',
    ])
    await sound()
    await fireEvent.click(button('How it was counted'))
    expect(screen.queryByTestId('counting')).toBeNull()
  })

  it('says that no checker read a language, and what the person decided', async () => {
    const { survey } = listed.answer!
    const rows = survey!.rows.map((row, k) => (k === 2 ? { ...row, included: false } : row))
    await open([{ ...listed, answer: { ...listed.answer!, survey: { ...survey!, checked: 0, rows } } }])
    await fireEvent.click(button('How it was counted'))
    const steps = screen.getByTestId('counting').textContent
    expect(steps).toContain('No checker could read them, so a sentence counts if it has all of its words.')
    expect(steps).toContain('You included 0 and left out 1.')
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
