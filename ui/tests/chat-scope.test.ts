import { fireEvent, screen, waitFor, within } from '@testing-library/svelte'
import { tick } from 'svelte'
import { describe, expect, it } from 'vitest'
import { found, turn } from '../src/ipc/fake/chat'
import type { Calls } from '../src/ipc/fake/host'
import { documents, library } from '../src/ipc/fake/library'
import { EVERYWHERE, talk } from '../src/state/talk.svelte'
import { around, boot, button, called, cards, failing, field, host, open, press, sound, type } from './chat'

around()

describe('where it looks', () => {
  it('is chosen with @ by keyboard', async () => {
    await boot()
    await type('What says @rep')
    const list = await screen.findByTestId('mention-list')
    expect(called('documents')).toEqual([{ query: 'rep', limit: 7 }])
    const names = () => within(list).getAllByRole('option').map((one) => one.querySelector('.cut')?.textContent)
    expect(names()).toEqual(['Q3-report.pdf', 'Q2-report.pdf'])
    const chosen = () => document.getElementById(field().getAttribute('aria-activedescendant') ?? '')?.textContent
    expect(chosen()).toContain('Q3-report.pdf')
    await press('ArrowDown')
    expect(chosen()).toContain('Q2-report.pdf')
    await press('ArrowDown')
    await press('ArrowUp')
    await sound()
    await press('Enter')
    expect(screen.queryByTestId('mention-list')).toBeNull()
    expect(field().value).toBe('What says ')
    expect(document.activeElement).toBe(field())
    expect(talk.scope.documents).toEqual([{ id: 15, name: 'Q2-report.pdf' }])
    expect(called('ask')).toEqual([])
    await fireEvent.click(button('Remove Q2-report.pdf'))
    expect(talk.scope.documents).toEqual([])
  })

  it('is what was typed, not what was found before it', async () => {
    const answers: (() => void)[] = []
    await boot({
      documents: ({ query }) =>
        new Promise((done) => answers.push(() => done(documents.filter(({ name }) => name.toLowerCase().startsWith(query))))),
    })
    await type('@q')
    answers.shift()?.()
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2))
    await type('@q2')
    await press('Enter')
    expect([talk.scope.documents, called('ask')]).toEqual([[], []])
    answers.shift()?.()
    await waitFor(() => expect(talk.scope.documents).toEqual([{ id: 15, name: 'Q2-report.pdf' }]))
    expect([field().value, called('ask')]).toEqual(['', []])
    // Where nothing is found Enter asks.
    await type('Who is ada@work')
    await type('Who is @work')
    await press('Enter')
    answers.shift()?.()
    await waitFor(() => expect(called('ask')).toMatchObject([{ question: 'Who is @work' }]))
    // A list that is opened anew does not begin with what the last one held.
    await type('@')
    expect(screen.queryByRole('option')).toBeNull()
    talk.scope = EVERYWHERE
  })

  it('lists folders first; Esc closes the list and leaves the text', async () => {
    await boot()
    await type('@')
    await screen.findByTestId('mention-list')
    expect(screen.getAllByRole('option').slice(0, 2).map((one) => one.textContent?.trim())).toEqual([
      expect.stringContaining('Documents'),
      expect.stringContaining('Contracts'),
    ])
    await press('Escape')
    expect(screen.queryByTestId('mention-list')).toBeNull()
    await type('@c')
    await tick()
    expect(screen.queryByTestId('mention-list'), 'it stays closed for this @').toBeNull()
    await type('and @con')
    await screen.findByTestId('mention-list')
    await press('Enter')
    expect(talk.scope.folders).toEqual([{ id: 2, name: 'Contracts' }])
    expect(field().value).toBe('and ')
  })

  it('leaves an @ that names nothing alone', async () => {
    await boot()
    await type('mail to ada@example.org @ noon')
    await tick()
    expect(screen.queryByTestId('mention-list')).toBeNull()
    await press('Enter')
    expect(called('ask')).toMatchObject([{ question: 'mail to ada@example.org @ noon' }])
  })

  it('is that of the last question, each part a chip', async () => {
    await open()
    expect(screen.getByTestId('scope-chip').textContent?.trim()).toBe('Documents')
    expect(screen.getByTestId('dates-chip').textContent).toBe('Since 2024')
    await fireEvent.click(button('Remove Documents'))
    await fireEvent.click(button('Remove Since 2024'))
    expect(screen.getByTestId('dates-chip').textContent).toBe('Any date')
    await type('And now?')
    await press('Enter')
    expect(called('ask')).toMatchObject([{ replace: null, scope: { documents: [], folders: [], kinds: [], since: null, until: null } }])
  })

  it('takes kinds from a list of boxes', async () => {
    await boot()
    screen.getByTestId('kinds-chip').focus()
    await fireEvent.click(screen.getByTestId('kinds-chip'))
    const dialog = screen.getByRole('dialog', { name: 'Kinds of files' })
    expect(dialog.contains(document.activeElement)).toBe(true)
    await sound()
    await fireEvent.click(within(dialog).getByRole('checkbox', { name: /Documents/ }))
    await fireEvent.click(within(dialog).getByRole('checkbox', { name: /PDF/ }))
    expect(talk.scope.kinds).toEqual(['pdf', 'docx', 'odt', 'doc', 'rtf', 'iwork'])
    expect(screen.getByTestId('kinds-chip').textContent).toBe('PDF, Documents')
    await press('Escape')
    expect(screen.queryByRole('dialog')).toBeNull()
    for (const kind of ['pdf', 'docx'] as const) expect(talk.scope.kinds).toContain(kind)
  })

  it('takes senders of mails, listed or typed, where there are mails', async () => {
    await boot()
    expect(screen.queryByTestId('senders-chip')).toBeNull()
    host.send('library', { ...library, kinds: [...library.kinds, { kind: 'eml', count: 355 }] })
    await fireEvent.click(await screen.findByTestId('senders-chip'))
    const dialog = screen.getByRole('dialog', { name: 'Senders of mails' })
    await fireEvent.click(await within(dialog).findByRole('checkbox', { name: /Adaeze/ }))
    await sound()
    const name = screen.getByTestId<HTMLInputElement>('sender')
    await fireEvent.input(name, { target: { value: 'jon' } })
    expect(within(dialog).getAllByRole('checkbox')).toHaveLength(2)
    await fireEvent.input(name, { target: { value: 'tan and sons' } })
    name.focus()
    await press('Enter')
    expect(talk.scope.from).toEqual(['Adaeze Okafor <a.okafor@northwind.example>', 'tan and sons'])
    expect(screen.getByTestId('senders-chip').textContent).toBe('Adaeze Okafor, tan and sons')
    await fireEvent.click(button('Remove Adaeze Okafor, tan and sons'))
    expect(talk.scope.from).toEqual([])
  })

  it('takes whole days and usual spans', async () => {
    await boot()
    await fireEvent.click(screen.getByTestId('dates-chip'))
    const since = screen.getByLabelText<HTMLInputElement>('Changed since')
    await fireEvent.input(since, { target: { value: '2024-03-05' } })
    await fireEvent.input(screen.getByLabelText('Changed until'), { target: { value: '2024-12-31' } })
    expect(talk.scope).toMatchObject({ since: '2024-03-05', until: '2024-12-31' })
    expect(screen.getByTestId('dates-chip').textContent).toBe('5 Mar 2024 to 31 Dec 2024')
    await fireEvent.click(button('This year'))
    expect(talk.scope).toMatchObject({ since: `${new Date().getFullYear()}-01-01`, until: null })
    await fireEvent.click(button('Any date'))
    expect(talk.scope).toMatchObject({ since: null, until: null })
    await sound()
  })
})

describe('the window', () => {
  it('shows the passages for it while the slider moves, the last value at the end, without asking', async () => {
    const answers: (() => void)[] = []
    const widen: Calls['widen'] = () => new Promise((done) => answers.push(() => done({ ...found, cards: found.cards.slice(0, 1) })))
    await open([{ ...turn, searched: 'Phoenix ROI revised' }], { widen })
    await fireEvent.click(screen.getByTestId('window-chip'))
    const slider = screen.getByRole('slider')
    for (const value of ['4', '5', '6']) await fireEvent.input(slider, { target: { value } })
    expect(called('widen')).toEqual([{ question: 'Phoenix ROI revised', scope: turn.scope, window: { before: 4, after: 4 } }])
    answers.shift()?.()
    await waitFor(() => expect(called('widen')).toHaveLength(2))
    expect(called('widen')[1]).toMatchObject({ window: { before: 6, after: 6 } })
    answers.shift()?.()
    await waitFor(() => expect(screen.getByTestId('widened').textContent).toContain('window ±6; ask again to answer from them'))
    expect(cards()).toHaveLength(1)
    expect(called('ask')).toEqual([])
    await sound()
    await fireEvent.input(slider, { target: { value: '3' } })
    await waitFor(() => expect(screen.queryByTestId('widened')).toBeNull())
    expect(cards()).toHaveLength(3)
    expect(called('widen')).toHaveLength(2)
  })

  it('moves with Alt + and Alt −, from 0 to 10', async () => {
    await open()
    await press('+', { altKey: true, shiftKey: true })
    expect(talk.window).toEqual({ before: 4, after: 4 })
    for (let k = 0; k < 6; k += 1) await press('-', { altKey: true })
    expect(talk.window).toEqual({ before: 0, after: 0 })
    expect(screen.getByTestId('window-slider').textContent).toContain('the sentence alone')
    for (let k = 0; k < 12; k += 1) await press('+', { altKey: true })
    expect(talk.window).toEqual({ before: 10, after: 10 })
    expect(screen.getByTestId('window-chip').textContent).toContain('Window ±10')
  })

  it.each([
    ['American', { key: '±', code: 'Equal', shiftKey: true }, { key: '–', code: 'Minus' }],
    ['American, without Shift', { key: '≠', code: 'Equal' }, { key: '–', code: 'Minus' }],
    ['German', { key: '±', code: 'BracketRight' }, { key: '–', code: 'Slash' }],
    ['French', { key: '±', code: 'Slash', shiftKey: true }, { key: '—', code: 'Equal' }],
    ['the number pad', { key: '+', code: 'NumpadAdd' }, { key: '-', code: 'NumpadSubtract' }],
  ])('moves on macOS too, where Option makes other characters: %s', async (_, wider, narrower) => {
    await open([turn], {}, { mac: true })
    await press(wider.key, { ...wider, altKey: true })
    expect(talk.window).toEqual({ before: 4, after: 4 })
    await press(narrower.key, { ...narrower, altKey: true })
    await press(narrower.key, { ...narrower, altKey: true })
    expect(talk.window).toEqual({ before: 2, after: 2 })
  })

  it('shows what a question was limited to and is gone, and lets go of it', async () => {
    await open([{ ...turn, scope: { ...turn.scope, gone: ['lease.pdf'] } }])
    const chip = screen.getByRole('button', { name: 'Remove lease.pdf, which is no longer in the library' })
    await fireEvent.click(chip)
    expect(talk.scope).toMatchObject({ folders: turn.scope.folders, gone: [] })
  })

  it('keeps the answer’s numbers where a passage is one of the answer’s, and opens the others at their place', async () => {
    const place = found.cards[2]!.at
    const strange = { ...found.cards[2]!, n: 1, at: { ...place, hits: [{ start: 9000, end: 9100 }] } }
    const cardsThen = [strange, { ...found.cards[1]!, n: 2 }]
    await open([turn], { widen: () => ({ ...found, cards: cardsThen }) })
    talk.window = { before: 5, after: 5 }
    await waitFor(() => expect(cards()).toHaveLength(2))
    expect(cards().map((one) => one.querySelector('.cite')?.textContent ?? null)).toEqual([null, '2'])
    await fireEvent.click(cards()[0]!)
    await fireEvent.click(cards()[1]!)
    expect(called('open_view')).toMatchObject([{ is: 'place', document: 13, at: strange.at }, { is: 'passage', n: 2 }])
  })

  it('says what went wrong', async () => {
    await open([turn], { widen: failing('the library is gone') })
    talk.window = { before: 5, after: 5 }
    expect((await screen.findByRole('alert')).textContent).toContain('the library is gone')
  })
})
