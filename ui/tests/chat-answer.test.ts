import { fireEvent, screen, waitFor, within } from '@testing-library/svelte'
import { tick } from 'svelte'
import { describe, expect, it, vi } from 'vitest'
import { abstained, claimOf, early, found, turn } from '../src/ipc/fake/chat'
import { library, quoting } from '../src/ipc/fake/library'
import { navigation } from '../src/state/navigation.svelte'
import { talk } from '../src/state/talk.svelte'
import { viewer } from '../src/state/viewer.svelte'
import { why } from '../src/state/why.svelte'
import { around, boot, button, called, cards, cites, failing, field, host, id, open, press, sound, Writing } from './chat'

around()

describe('an answer', () => {
  it('is drawn with its citations, its doubts and its figures', async () => {
    await open()
    expect(screen.getByRole('heading', { level: 1 })).toHaveProperty('textContent', 'Phoenix Initiative ROI')
    expect(cites().map(({ textContent }) => textContent)).toEqual(['1', '1', '2', '3'])
    expect(cites()[0]?.closest('.glue')?.textContent).toBe('years 1.')
    expect(cites()[0]?.getAttribute('aria-label')).toBe('Passage 1, Q3-report.pdf, page 14')
    expect(document.querySelector('.doubt')?.textContent).toBe('Management expects the effect to fade next year.')
    expect(screen.getByTestId('meta').textContent).toContain('2 of 3 sentences supported')
    expect(screen.getByTestId('meta').textContent).toContain('First word after 0.9 s')
    expect(screen.getByTestId('passages-figures').textContent).toBe('3 used, 38 read in 0.25 s')
    expect(cards()).toHaveLength(3)
    expect(cards()[0]?.querySelector('.s')?.textContent).toMatch(/^Consequently/)
    await sound()
  })

  it('shows the sentence that holds a phrase, with its words, and what is cited first', async () => {
    const held = [
      { text: 'Since the review the rent is ', found: false },
      { text: '£20,600 a year', found: true },
      { text: '.', found: false },
    ]
    const claim = { ...claimOf('£20,600 a year. [3]', '£20,600 a year.', true, [3]), held }
    await open([{ ...turn, answer: { ...turn.answer!, text: '£20,600 a year. [3]', sentences: [claim] } }])
    const shown = screen.getByTestId('held')
    expect(shown.textContent).toContain('Since the review the rent is £20,600 a year.')
    expect(shown.querySelector('mark')?.textContent).toBe('£20,600 a year')
    await fireEvent.click(within(shown).getByRole('button'))
    expect(called('open_view')).toEqual([{ is: 'passage', conversation: id, turn: 0, n: 3, claim: 0 }])
    expect(cards().map((card) => card.querySelector('.cite')?.textContent)).toEqual(['3', '1', '2'])
    await sound()
  })

  it('shows the rows that it was computed from, each with its place, and the query on demand', async () => {
    const at = { start: 40, end: 58, hits: [], answer: { start: 40, end: 58 }, hash: null }
    const row = (name: string, gift: string) => ({ cells: [name, gift], document: 9, page: 1, sheet: 'Gifts', row: 7, at })
    const rows = { columns: ['name', 'donation'], rows: [row('Bo Mohr', '940'), row('Ada Abt', '5')], total: 159, query: 'SELECT max(donation)' }
    const answer = { ...turn.answer!, text: 'Bo Mohr (940).', quoted: true, sentences: [], rows }
    await open([{ ...turn, answer }])
    const table = within(screen.getByTestId('rows'))
    expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['name', 'donation'])
    expect(table.getByText('and 157 more')).toBeTruthy()
    await fireEvent.click(table.getByRole('button', { name: 'Bo Mohr' }))
    expect(called('open_view')).toEqual([{ is: 'place', document: 9, at }])
    await fireEvent.click(screen.getByTestId('rows-query'))
    expect(table.getByText('SELECT max(donation)')).toBeTruthy()
    expect(screen.getByTestId('meta').textContent).toContain('Computed by Oriel')
    expect(screen.queryByTestId('quoted')).toBeNull()
    await sound()
  })

  it('says which time limited it, and is asked again of any time', async () => {
    const time = { words: 'last month', since: '2026-10-01', until: '2026-10-31' }
    await open([{ ...turn, answer: { ...turn.answer!, time } }])
    const chip = screen.getByTestId('time-chip')
    expect(chip.textContent).toContain('“last month”: documents from 1 Oct 2026 to 31 Oct 2026')
    await fireEvent.click(chip)
    expect(called('ask')[0]).toMatchObject({ question: turn.question, replace: 0, anyTime: true })
    await sound()
  })

  it('shows hostile words of a model as words', async () => {
    const text = '<img src=x onerror="alert(1)"> [press](javascript:alert(1)) ![x](http://evil.example/x.png) <script>alert(1)</script>'
    await open([{ ...turn, answer: { ...turn.answer!, text, sentences: [] } }])
    const answer = screen.getByTestId('answer')
    expect(answer.textContent?.trim()).toBe(text)
    expect(answer.querySelector('img, script, a, iframe')).toBeNull()
    expect(screen.getByTestId('meta').textContent).toContain('Not checked')
  })

  it('opens the place of a citation, with the sentence that cites it', async () => {
    await open()
    await fireEvent.click(cites()[2]!)
    expect(called('open_view')).toEqual([{ is: 'passage', conversation: id, turn: 0, n: 2, claim: 1 }])
    await tick()
    expect(cites().map((one) => one.classList.contains('on'))).toEqual([false, false, true, false])
    expect(cards().map((one) => one.classList.contains('on'))).toEqual([false, true, false])
  })

  it('lights the card of a citation and the citations of a card', async () => {
    await open()
    await fireEvent.mouseEnter(cites()[3]!)
    expect(cards().map((one) => one.classList.contains('lit'))).toEqual([false, false, true])
    await fireEvent.mouseLeave(cites()[3]!)
    await fireEvent.mouseEnter(cards()[0]!)
    expect(cites().map((one) => one.classList.contains('lit'))).toEqual([true, true, false, false])
    await fireEvent.mouseLeave(cards()[0]!)
    expect(talk.lit).toBeNull()
    cites()[2]!.focus()
    await tick()
    expect(talk.lit).toEqual({ turn: 0, n: 2 })
  })

  it('opens a passage by its card and by Alt and its number', async () => {
    await open()
    await fireEvent.click(cards()[1]!)
    await press('3', { altKey: true })
    await press('7', { altKey: true })
    expect(called('open_view')).toEqual([
      { is: 'passage', conversation: id, turn: 0, n: 2, claim: 1 },
      { is: 'passage', conversation: id, turn: 0, n: 3, claim: 1 },
    ])
  })

  it('says that a document is gone, and does not open it', async () => {
    const gone = { ...found, cards: found.cards.map((card) => (card.n === 1 ? { ...card, document: null } : card)) }
    await open([{ ...turn, found: gone }])
    expect(cards()[0]?.textContent).toContain('no longer in the library')
    await fireEvent.click(cards()[0]!)
    await press('1', { altKey: true })
    expect(cites()[0]).toHaveProperty('disabled', true)
    expect(called('open_view')).toEqual([])
  })

  it('explains itself, and a doubt at the check', async () => {
    await open()
    const opened = vi.spyOn(why, 'open')
    await fireEvent.click(screen.getByTestId('doubt-why'))
    expect(opened).toHaveBeenLastCalledWith(id, 0, 'check')
    await press('i', { ctrlKey: true })
    expect(navigation.pane).toBeNull()
    await press('i', { ctrlKey: true })
    expect(opened).toHaveBeenLastCalledWith(id, 0)
    expect(screen.getByTestId('why').getAttribute('aria-pressed')).toBe('true')
  })

  it('is copied with its citations, with and without a clipboard', async () => {
    await open()
    const writeText = vi.fn(() => Promise.resolve())
    vi.stubGlobal('navigator', { ...navigator, language: 'en', clipboard: { writeText } })
    await press('C', { ctrlKey: true, shiftKey: true })
    await waitFor(() => expect(writeText).toHaveBeenCalledWith(expect.stringContaining('[1][2]')))
    expect(screen.getByTestId('copy').textContent).toBe('Copied')
    vi.unstubAllGlobals()
    let taken = ''
    document.execCommand = () => {
      taken = document.querySelector<HTMLTextAreaElement>('textarea.off')?.value ?? ''
      return true
    }
    await fireEvent.click(screen.getByTestId('copy'))
    await waitFor(() => expect(taken).toContain('five years [1].'))
    expect(document.querySelector('textarea.off')).toBeNull()
  })

  it('asks for the clipboard while the button is pressed, before the words are here', async () => {
    await open()
    const write = vi.fn((items: { given: Record<string, Promise<Blob>> }[]) => items[0]!.given['text/plain']!)
    class Item {
      constructor(readonly given: Record<string, Promise<Blob>>) {}
    }
    vi.stubGlobal('ClipboardItem', Item)
    vi.stubGlobal('navigator', { ...navigator, language: 'en', clipboard: { write } })
    screen.getByTestId('copy').click()
    expect(write).toHaveBeenCalledOnce()
    expect((await write.mock.results[0]!.value).size).toBeGreaterThan(100)
    await waitFor(() => expect(screen.getByTestId('copy').textContent).toBe('Copied'))
    vi.unstubAllGlobals()
  })

  it('says what went wrong with the copy in place', async () => {
    await open([turn], { turn_markdown: failing('the conversation is gone') })
    await fireEvent.click(screen.getByTestId('copy'))
    expect((await screen.findByRole('alert')).textContent).toContain('the conversation is gone')
    await fireEvent.click(button('Close'))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('says that it is quoted, and why as far as it is known', async () => {
    const quoted = { ...turn, answer: { ...turn.answer!, quoted: true } }
    await open([quoted])
    expect(screen.getByTestId('quoted').textContent).toContain('no model wrote them')
    expect(screen.getByTestId('meta').textContent).toContain('3 sentences quoted word for word')
    host.send('engine', quoting)
    await tick()
    expect(screen.getByTestId('quoted').textContent).toContain('No model is set to write')
  })

  it('says that quotes took the place of what the model wrote', async () => {
    const writing = new Writing()
    await boot({ ask: writing.ask })
    void talk.ask('Why?')
    await writing.begin()
    await writing.write('It rained.')
    await writing.end({ answer: { ...turn.answer!, quoted: true, overruled: true } })
    expect(screen.getByTestId('quoted').textContent).toContain('What the model wrote was not backed by the passages')
  })

  it('says that it was stopped, before a word or after some', async () => {
    await open([
      { ...turn, stopped: true },
      { ...turn, answer: null, stopped: true },
    ])
    const [first, second] = screen.getAllByTestId('meta')
    expect(first?.textContent).toContain('Stopped; what was written is kept')
    expect(second?.textContent).toContain('Stopped before anything was written')
  })

  it('shows why there is none, and is asked again in its place', async () => {
    await open([{ ...turn, answer: null, found: null, error: { code: 'text', text: 'smollm2: it needs 2 GB of memory; choose a smaller model' } }])
    const error = screen.getByTestId('turn-error')
    expect(error.textContent).toContain('choose a smaller model')
    await fireEvent.click(within(error).getByRole('button', { name: 'Ask again' }))
    expect(called('ask')).toMatchObject([{ conversation: id, replace: 0, question: turn.question, scope: turn.scope }])
  })
})

describe('a question in parts', () => {
  it('is answered under each part, and a citation opens the sentence of that part', async () => {
    const [first, second] = turn.answer!.sentences
    const part = { side: null, mentioned: [], lacking: [], closest: 1, abstained: false }
    const text = (claim: { text: string; citations: number[] }) => `${claim.text} [${claim.citations[0]}].`
    const placed = (claim: typeof first) => ({ ...claim!, start: 0, end: claim!.text.length })
    const parts = [
      { ...part, question: 'What is the ROI?', text: text(first!), sentences: [placed(first)] },
      { ...part, question: 'Why did it fall?', text: text(second!), sentences: [placed(second)] },
      { ...part, question: 'Who objected?', text: '', sentences: [], abstained: true, mentioned: ['ROI'], lacking: ['objected'] },
    ]
    await open([{ ...turn, answer: { ...turn.answer!, parts } }])
    const sections = within(screen.getByTestId('parts')).getAllByRole('region')
    expect(sections.map((one) => within(one).getByRole('heading').textContent)).toEqual(parts.map(({ question }) => question))
    expect(sections[0]!.textContent).toContain('Found')
    expect(sections[2]!.textContent).toMatch(/Not found.*The closest place mentions ROI, but not objected:/s)
    expect(screen.getByTestId('meta').textContent).toContain('2 of 3 parts answered')
    const opened = vi.spyOn(viewer, 'open')
    await fireEvent.click(sections[1]!.querySelector('.cite')!)
    expect(opened).toHaveBeenCalledWith(expect.objectContaining({ is: 'passage', claim: 1 }))
  })
})

describe('a comparison', () => {
  const texts = ['Three months, in writing, by either party [1].', 'Six months, in writing, by the Tenant [2].']
  const sides = ['Brandt', 'Harbour Row'].map((side, k) => ({
    question: `What is notice period, ${side}?`,
    side,
    text: texts[k]!,
    sentences: [claimOf(texts[k]!, texts[k]!.slice(0, -5), true, [k + 1])],
    abstained: false,
    closest: k + 1,
    mentioned: [],
    lacking: [],
  }))
  const words = ['three months’ notice', 'not less than six months’ written notice']
  const cards = found.cards.slice(0, 2).map((card, k) => ({
    ...card,
    runs: [...card.runs, { text: words[k]!, mark: 'sentence' as const, hit: 0, words: true }],
  }))
  const compared = { ...turn, found: { ...found, cards }, answer: { ...turn.answer!, parts: sides } }

  it('has a column for each side under what both were found to be', async () => {
    await open([compared])
    const columns = within(screen.getByTestId('parts')).getAllByRole('region')
    expect(columns.map((one) => within(one).getByRole('heading').textContent)).toEqual(['Brandt', 'Harbour Row'])
    expect(columns[1]!.textContent).toMatch(/Found.*Six months, in writing/s)
    expect(screen.getByTestId('comparison-lead').textContent?.replace(/\s+/g, ' ').trim()).toBe(
      'Brandt: three months’ notice 1; Harbour Row: not less than six months’ written notice 2',
    )
    expect(screen.getByTestId('meta').textContent).toContain('2 of 2 sides found')
    await sound()
    const opened = vi.spyOn(viewer, 'open')
    await fireEvent.click(screen.getByTestId('comparison-lead').querySelectorAll('.cite')[1]!)
    expect(opened).toHaveBeenCalledWith(expect.objectContaining({ is: 'passage', n: 2, claim: 1 }))
  })

  it('says which side was not found, and sums nothing up', async () => {
    const missing = { ...sides[1]!, text: '', sentences: [], abstained: true }
    await open([{ ...compared, answer: { ...compared.answer, parts: [sides[0]!, missing] } }])
    expect(screen.queryByTestId('comparison-lead')).toBeNull()
    expect(screen.getByRole('region', { name: 'Harbour Row' }).textContent).toContain('Not found')
    expect(screen.getByTestId('meta').textContent).toContain('1 of 2 sides found')
  })
})

describe('where nothing says it', () => {
  it('says so, with confidence and limit, and offers ways on', async () => {
    await open([abstained])
    expect(screen.getByTestId('not-found').textContent).toMatch(
      /I could not find this in your documents\.\s*None of the 34 passages I read in Documents says it\.\s*The closest mentions batch and 14, but not yield or 80\./,
    )
    expect(screen.getByTestId('meta').textContent).toContain('Chance that the answer is in these passages: 8%; Oriel needs 35% to answer')
    expect(screen.getAllByTestId('because')[0]!.textContent).toMatch(/Mentions batch, 14\s+Missing yield, 80/)
    expect(screen.getByTestId('passages-figures').textContent).toBe('2 of 34, in 0.26 s')
    expect(field().placeholder).toMatch(/^Ask in other words/)
    await sound()
    const openNot = vi.spyOn(why, 'openNot')
    await fireEvent.click(screen.getByTestId('why-not'))
    expect(openNot).toHaveBeenCalled()
    screen.getByTestId('search-all').focus()
    await press('ArrowDown')
    expect(document.activeElement).toBe(screen.getByTestId('list-mentions'))
  })

  it('is asked everywhere with one press', async () => {
    await open([abstained])
    await fireEvent.click(screen.getByTestId('search-all'))
    expect(called('ask')).toMatchObject([{ replace: 0, question: abstained.question, scope: { folders: [], documents: [] } }])
    expect(screen.queryByTestId('scope-chip')).toBeNull()
  })

  it('names the files that could not be read, in the folders it looked in', async () => {
    const folders = library.folders.map((folder) => ({ ...folder, failed: folder.id === 1 ? 5 : 2 }))
    await open([abstained], {}, { library: { ...library, folders } })
    expect(screen.getByText('5 files in Documents could not be read and were not searched')).not.toBeNull()
    await fireEvent.click(screen.getByTestId('show-failures'))
    expect(navigation.page).toBe('failures')
  })

  it('does not speak of a limit where the model found nothing in good passages', async () => {
    await open([{ ...abstained, found: { ...abstained.found!, confidence: 0.62 } }])
    expect(screen.getByTestId('meta').textContent).toContain('these passages: 62%, but the model found none')
  })
})

describe('what was not ready', () => {
  const waiting = { ...library, waiting: 191, activity: { is: 'reading' as const, done: 1, total: 2, rate: 1, left: 1 } }

  it('is said, and asked again by itself when it is', async () => {
    await open([early], {}, { library: waiting })
    const note = screen.getByTestId('missing')
    expect(note.textContent).toContain('191 files are not yet readable.')
    await fireEvent.click(within(note).getByRole('button'))
    expect(note.textContent).toContain('asked again by itself')
    host.send('library', { ...waiting, waiting: 0, unembedded: 12, activity: { ...waiting.activity, is: 'embedding' } })
    await tick()
    expect(called('ask')).toEqual([])
    host.send('library', library)
    await waitFor(() => expect(called('ask')).toMatchObject([{ replace: 0, question: early.question }]))
  })

  it('is not asked again where that was taken back', async () => {
    await open([early], {}, { library: waiting })
    const press = () => fireEvent.click(within(screen.getByTestId('missing')).getByRole('button'))
    await press()
    await press()
    host.send('library', library)
    await tick()
    expect(called('ask')).toEqual([])
    expect(screen.getByTestId('missing').textContent).toContain('now it is complete')
  })

  it('tells words from meaning', async () => {
    const missing = { unread: 0, unembedded: 4310 }
    await open([{ ...early, found: { ...early.found!, missing } }], {}, { library: { ...library, unembedded: 4310 } })
    expect(screen.getByTestId('missing').textContent).toContain('4,310 sentences are not yet readable by meaning, only by their words.')
  })
})
