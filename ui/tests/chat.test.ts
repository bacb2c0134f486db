import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import axe from 'axe-core'
import { tick } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import Talk from '../src/features/chat/Talk.svelte'
import { said } from '../src/features/chat/deeds.svelte'
import { abstained, conversation, early, found, turn } from '../src/ipc/fake/chat'
import { fakeHost, type Calls, type FakeHost, type Streams } from '../src/ipc/fake/host'
import { documents, library, start } from '../src/ipc/fake/library'
import type { Ask, AskEvent, Start, Turn } from '../src/ipc/types'
import { actions } from '../src/state/actions.svelte'
import { place } from '../src/state/place.svelte'
import { session } from '../src/state/session.svelte'
import { EVERYWHERE, talk } from '../src/state/talk.svelte'
import { viewer } from '../src/state/viewer.svelte'
import { why } from '../src/state/why.svelte'

const id = conversation.id
let host: FakeHost
const onkeydown = (event: KeyboardEvent) => void actions.dispatch(event)

/** A question whose answer the test writes. */
class Writing {
  static readonly begun: Writing[] = []
  args!: Ask
  #on!: (event: AskEvent) => void
  #done!: (turn: Turn) => void
  #fail!: (error: unknown) => void
  readonly ask: Streams['ask'] = (args, on) => {
    this.args = args
    this.#on = on
    Writing.begun.push(this)
    return new Promise((done, fail) => {
      this.#done = done
      this.#fail = fail
    })
  }
  async send(event: AskEvent) {
    this.#on(event)
    await tick()
  }
  async begin(turn = 0, searched: string | null = null) {
    await this.send({ is: 'begun', conversation: id, turn, searched })
  }
  async write(...pieces: string[]) {
    for (const text of pieces) await this.send({ is: 'piece', text })
  }
  async end(extra: Partial<Turn> = {}) {
    this.#done({ ...turn, question: this.args.question, scope: this.args.scope, window: this.args.window, ...extra })
    await waitFor(() => expect(talk.live).toBeNull())
    await tick()
  }
  /** Ends what a test left open. */
  static async endAll() {
    for (const writing of Writing.begun.splice(0)) writing.#done(turn)
    await new Promise((done) => setTimeout(done))
  }
  async fail(error: unknown) {
    this.#fail(error)
    await waitFor(() => expect(talk.live).toBeNull())
    await tick()
  }
}

async function boot(overrides: Partial<Calls & Streams> = {}, more: Partial<Start> = {}) {
  host = fakeHost({ start: () => ({ ...start, ...more }), ...overrides })
  await session.boot(host)
  talk.fresh()
  talk.draft = ''
  render(Talk)
  await tick()
}

async function open(turns: Turn[] = [turn], overrides: Partial<Calls & Streams> = {}, more: Partial<Start> = {}) {
  await boot({ conversation: () => ({ ...conversation, turns }), ...overrides }, more)
  await talk.open(id)
  await tick()
}

const called = (name: string) => host.log.filter((one) => one.name === name).map(({ args }) => args)
const press = (key: string, how: KeyboardEventInit = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...how })
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const field = () => screen.getByTestId<HTMLTextAreaElement>('ask-field')
const cards = () => screen.getAllByTestId('card')
const cites = () => [...screen.getByTestId('answer').querySelectorAll<HTMLButtonElement>('.cite')]
const failing = (message: string) => () => Promise.reject({ code: 'failed', message })
const sound = async () => {
  const { violations } = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false } } })
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
}

async function type(text: string) {
  field().focus()
  await fireEvent.input(field(), { target: { value: text } })
}

beforeEach(() => {
  window.addEventListener('keydown', onkeydown)
  place.page = 'talk'
  place.pane = null
  said.hush()
  // axe measures letters where it can; jsdom has no canvas.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
})
afterEach(async () => {
  await Writing.endAll()
  window.removeEventListener('keydown', onkeydown)
  vi.restoreAllMocks()
})

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
    expect(place.pane).toBeNull()
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
    host.send('engine', { generator: null, device: 'CPU', threads: 8 })
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
    await open([{ ...turn, answer: null, found: null, error: 'smollm2: it needs 2 GB of memory; choose a smaller model' }])
    const error = screen.getByTestId('turn-error')
    expect(error.textContent).toContain('choose a smaller model')
    await fireEvent.click(within(error).getByRole('button', { name: 'Ask again' }))
    expect(called('ask')).toMatchObject([{ conversation: id, replace: 0, question: turn.question, scope: turn.scope }])
  })
})

describe('a question', () => {
  it('is asked with Enter; Shift Enter is a new line', async () => {
    await boot()
    expect(document.activeElement).toBe(field())
    await type('What is due?')
    await press('Enter', { shiftKey: true })
    expect(called('ask')).toEqual([])
    await press('Enter')
    expect(called('ask')).toEqual([
      {
        conversation: null,
        replace: null,
        again: null,
        question: 'What is due?',
        scope: { documents: [], folders: [], kinds: [], since: null, until: null, gone: [] },
        window: { before: 3, after: 3 },
      },
    ])
    await waitFor(() => expect(talk.live).toBeNull())
    expect(field().value).toBe('')
    expect(talk.id).toBe(id)
    expect(screen.getByTestId('question').textContent).toBe('What is due?')
  })

  it('shows passages before the first word, then words, then the checked answer', async () => {
    const writing = new Writing()
    await boot({ ask: writing.ask })
    void talk.ask(turn.question)
    await tick()
    expect(screen.getByTestId('live-meta').textContent).toContain('Searching 205,304 sentences')
    await writing.begin(0, 'Phoenix Initiative ROI revised downwards why')
    expect(screen.getByText(/^Searched for/).textContent).toContain('Phoenix Initiative ROI revised')
    await writing.send({ is: 'found', found })
    expect(cards()).toHaveLength(3)
    expect(screen.getByTestId('live-meta').textContent).toContain('Reading 3 passages')
    expect(screen.getByTestId('answer').textContent?.trim()).toBe('')
    expect(screen.getByTestId('answer').querySelector('.caret')).not.toBeNull()
    await writing.write('The projected **ROI', ' fell** over five years [1')
    expect(screen.getByTestId('answer').textContent?.trim()).toBe('The projected ROI fell over five years')
    expect(screen.getByTestId('answer').querySelector('strong')?.textContent).toBe('ROI fell')
    await writing.write('].')
    expect(cites()).toHaveLength(1)
    expect(screen.getByTestId('answer').getAttribute('aria-busy')).toBe('true')
    const card = cards()[0]
    await writing.end()
    expect(screen.getByTestId('answer').querySelector('.caret')).toBeNull()
    expect(screen.getByTestId('meta').textContent).toContain('2 of 3')
    expect(cards()[0], 'the cards stay where they are').toBe(card)
  })

  it('is told to a screen reader by whole sentences, once each', async () => {
    const writing = new Writing()
    await boot({ ask: writing.ask })
    void talk.ask(turn.question)
    await writing.begin()
    await writing.send({ is: 'found', found })
    const told = () => [...screen.getByTestId('spoken').querySelectorAll('p')].map(({ textContent }) => textContent)
    expect(told()).toEqual(['3 passages found.'])
    await writing.write('The **ROI** fell ', 'to 12%')
    expect(told()).toEqual(['3 passages found.'])
    await writing.write(' [1]. Costs')
    expect(told()).toEqual(['3 passages found.', 'The ROI fell to 12%.'])
    await writing.write(' rose.')
    expect(told()).toHaveLength(2)
    await writing.end({ answer: { ...turn.answer!, text: 'The **ROI** fell to 12% [1]. Costs rose.', sentences: [] } })
    expect(told()).toEqual(['3 passages found.', 'The ROI fell to 12%.', 'Costs rose.'])
    expect(screen.getByTestId('spoken').getAttribute('aria-live')).toBe('polite')
  })

  it('is stopped with Esc or the button, once, and keeps what was written', async () => {
    const writing = new Writing()
    await boot({ ask: writing.ask })
    void talk.ask(turn.question)
    await tick()
    expect(screen.queryByTestId('ask')).toBeNull()
    await press('Escape')
    expect(called('stop'), 'nothing to stop before the shell knows it').toEqual([])
    await writing.begin()
    await press('Escape')
    await fireEvent.click(screen.getByTestId('stop'))
    expect(called('stop')).toEqual([{ conversation: id }])
    expect(screen.getByTestId('live-meta').textContent).toContain('Stopping')
    await writing.end({ stopped: true })
    expect(screen.getByTestId('meta').textContent).toContain('Stopped; what was written is kept')
    expect(screen.getByTestId('ask')).not.toBeNull()
  })

  it('keeps what was written where the answer fails', async () => {
    const writing = new Writing()
    await boot({ ask: writing.ask })
    void talk.ask('Why?')
    await writing.begin()
    await writing.send({ is: 'found', found })
    await writing.write('It fell')
    await writing.fail({ code: 'failed', message: 'the model ended: start it again' })
    expect(screen.getByTestId('turn-error').textContent).toContain('the model ended')
    expect(screen.getByTestId('answer').textContent).toContain('It fell')
    expect(cards()).toHaveLength(3)
  })

  it('can be typed while another is answered, and is not asked by then', async () => {
    const writing = new Writing()
    await boot({ ask: writing.ask })
    void talk.ask('Why?')
    await writing.begin()
    expect(field().placeholder).toBe('You can type the next question')
    await type('And then?')
    await press('Enter')
    expect(called('ask')).toHaveLength(1)
    expect(field().value).toBe('And then?')
  })

  it('goes on being answered while another conversation is read', async () => {
    const writing = new Writing()
    await boot({ ask: writing.ask, conversation: ({ conversation: of }) => ({ ...conversation, id: of, turns: of === id ? [] : [early] }) })
    void talk.ask('Why?')
    await writing.begin()
    await talk.open('00000000000000a2')
    await writing.write('It fell')
    expect(screen.getByTestId('answer').textContent).toContain('three months')
    expect(talk.live).toBeNull()
    await talk.open(id)
    await tick()
    expect(screen.getByTestId('answer').textContent).toContain('It fell')
    expect(talk.live?.question).toBe('Why?')
  })

  it('is edited with the pencil: asked in its place, what follows is forgotten and that is said', async () => {
    await open([turn, { ...turn, question: 'Second?' }])
    await fireEvent.click(screen.getAllByTestId('edit')[0]!)
    const edit = screen.getByTestId<HTMLTextAreaElement>('edit-question')
    expect(document.activeElement).toBe(edit)
    expect(edit.value).toBe(turn.question)
    expect(screen.getByText('The question after it is forgotten with its answer.')).not.toBeNull()
    await fireEvent.input(edit, { target: { value: 'Better?' } })
    await press('Enter')
    expect(called('ask')).toMatchObject([{ conversation: id, replace: 0, question: 'Better?' }])
    await waitFor(() => expect(talk.live).toBeNull())
    // The field it stood in is gone; what is written next goes into the box.
    expect(document.activeElement).toBe(field())
    expect(screen.getAllByTestId('question').map(({ textContent }) => textContent)).toEqual(['Better?'])
  })

  it('is edited with Ctrl ArrowUp, the last one; Esc leaves it as it was', async () => {
    await open([turn, { ...turn, question: 'Second?' }])
    field().focus()
    await press('ArrowUp', { ctrlKey: true })
    expect(screen.getByTestId<HTMLTextAreaElement>('edit-question').value).toBe('Second?')
    await press('Escape')
    await tick()
    expect(screen.queryByTestId('edit-question')).toBeNull()
    expect(document.activeElement).toBe(screen.getAllByTestId('edit')[1])
    expect(called('ask')).toEqual([])
  })

  it('is asked again with Ctrl R in its place, an earlier one at the end', async () => {
    const writing = new Writing()
    await open([turn, { ...turn, question: 'Second?' }], { ask: writing.ask })
    await press('r', { ctrlKey: true })
    expect(writing.args).toMatchObject({ replace: 1, question: 'Second?' })
    await writing.begin(1)
    await writing.end()
    const again = screen.getAllByTestId('again')
    again[1]!.focus()
    await fireEvent.click(again[1]!)
    expect(document.activeElement).toBe(field())
    await writing.begin(1)
    await writing.end()
    await fireEvent.click(screen.getAllByTestId('again')[0]!)
    expect(writing.args).toMatchObject({ replace: null, again: 0, question: turn.question })
  })

  it('stays in the box while the conversation it belongs to is being opened', async () => {
    let show = () => {}
    const opening = new Promise<typeof conversation>((done) => (show = () => done(conversation)))
    await boot({ conversation: () => opening })
    void talk.open(id)
    await type('And in 2025?')
    await press('Enter')
    expect([field().value, called('ask')]).toEqual(['And in 2025?', []])
    show()
    await waitFor(() => expect(talk.loading).toBe(false))
    await press('Enter')
    expect(called('ask')).toMatchObject([{ conversation: id, question: 'And in 2025?' }])
  })
})

describe('where nothing says it', () => {
  it('says so, with confidence and limit, and offers ways on', async () => {
    await open([abstained])
    expect(screen.getByTestId('not-found').textContent).toMatch(
      /I could not find an answer in your documents\.\s*None of the 34 passages I read in Documents says it\.\s*The nearest are below\./,
    )
    expect(screen.getByTestId('meta').textContent).toContain('Confidence 8%, below the limit of 35%')
    expect(screen.getByTestId('passages-figures').textContent).toBe('2 of 34, in 0.26 s')
    expect(field().placeholder).toMatch(/^Ask in other words/)
    await sound()
    const openNot = vi.spyOn(why, 'openNot')
    await fireEvent.click(screen.getByTestId('why-not'))
    expect(openNot).toHaveBeenCalled()
    expect(screen.getByTestId('list-mentions')).not.toBeNull()
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
    expect(place.page).toBe('failures')
  })

  it('does not speak of a limit where the model found nothing in good passages', async () => {
    await open([{ ...abstained, found: { ...abstained.found!, confidence: 0.62 } }])
    expect(screen.getByTestId('meta').textContent).toContain('Confidence 62%, but the model found no answer')
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
    await fireEvent.click(within(dialog).getByRole('checkbox', { name: /Word/ }))
    await fireEvent.click(within(dialog).getByRole('checkbox', { name: /PDF/ }))
    expect(talk.scope.kinds).toEqual(['pdf', 'docx'])
    expect(screen.getByTestId('kinds-chip').textContent).toBe('PDF, Word')
    await press('Escape')
    expect(screen.queryByRole('dialog')).toBeNull()
    for (const kind of ['pdf', 'docx'] as const) expect(talk.scope.kinds).toContain(kind)
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

  it('is read before anything is asked in it', async () => {
    let fails = true
    await boot({ conversation: () => (fails ? Promise.reject({ code: 'no-library', message: 'Wait until that is done' }) : { ...conversation, turns: [turn] }) })
    await talk.open(id)
    await tick()
    expect(screen.getByRole('alert').textContent).toContain('Wait until that is done')
    await type('And then?')
    await press('Enter')
    await waitFor(() => expect(called('conversation')).toHaveLength(2))
    expect([called('ask'), field().value]).toEqual([[], 'And then?'])
    fails = false
    await fireEvent.click(await screen.findByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(talk.turns).toHaveLength(1))
    expect(field().value).toBe('And then?')
    await press('Enter')
    expect(called('ask')).toMatchObject([{ conversation: id, question: 'And then?' }])
  })

  it('takes nothing that was begun in another one along', async () => {
    await open()
    await fireEvent.click(button('Rename, delete, more'))
    await fireEvent.click(screen.getByRole('menuitem', { name: 'Delete…' }))
    expect(screen.getByTestId('delete-now')).toBeTruthy()
    await talk.open('00000000000000a2')
    await tick()
    expect(screen.queryByTestId('delete-now')).toBeNull()
  })

  it('keeps a question that is being edited while nothing is asked', async () => {
    await open([{ ...turn, answer: null, found: null }])
    talk.edit(0)
    await tick()
    await fireEvent.input(screen.getByTestId('edit-question'), { target: { value: 'In other words?' } })
    talk.whenReady = { conversation: id, turn: 0 }
    await tick()
    expect(called('ask')).toEqual([])
    place.page = 'settings'
    await tick()
    place.page = 'talk'
    await tick()
    expect(screen.getByTestId<HTMLTextAreaElement>('edit-question').value).toBe('In other words?')
  })

  it('shows what a question was limited to and is gone, and lets go of it', async () => {
    await open([{ ...turn, scope: { ...turn.scope, gone: ['lease.pdf'] } }])
    const chip = screen.getByRole('button', { name: 'Remove lease.pdf, which is no longer in the library' })
    await fireEvent.click(chip)
    expect(talk.scope).toMatchObject({ folders: turn.scope.folders, gone: [] })
  })

  it('keeps the answer’s numbers where a passage is one of the answer’s, and opens the others at their place', async () => {
    const strange = { ...found.cards[2]!, n: 1, runs: [{ text: 'Another sentence.', mark: 'sentence' as const, hit: 0 }] }
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

describe('the conversation', () => {
  /** So many turns, the first one with passages. */
  const many = (length: number) =>
    Array.from({ length }, (_, k): Turn => ({ ...turn, question: `Question ${k + 1}`, found: k === 0 ? turn.found : null }))

  it('is renamed in place', async () => {
    await open()
    await fireEvent.click(button('Rename, delete, more'))
    await fireEvent.click(await screen.findByRole('menuitem', { name: 'Rename' }))
    const title = screen.getByTestId<HTMLInputElement>('title-field')
    expect(document.activeElement).toBe(title)
    await fireEvent.input(title, { target: { value: 'ROI, third quarter' } })
    await press('Enter')
    expect(called('rename_conversation')).toEqual([{ conversation: id, title: 'ROI, third quarter' }])
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('ROI, third quarter'))
  })

  it('is deleted once it was said what is forgotten', async () => {
    await open([turn, turn])
    await fireEvent.click(button('Rename, delete, more'))
    await fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete…' }))
    expect(screen.getByRole('dialog').textContent).toContain('its 2 questions and their answers are forgotten. Your documents stay.')
    expect(called('delete_conversation')).toEqual([])
    await fireEvent.click(screen.getByTestId('delete-now'))
    await waitFor(() => expect(talk.id).toBeNull())
    expect(called('delete_conversation')).toEqual([{ conversation: id }])
    expect(screen.getByTestId('empty')).not.toBeNull()
  })

  it('is exported, and that is said', async () => {
    await open()
    await fireEvent.click(screen.getByTestId('export'))
    expect((await screen.findByTestId('said')).textContent).toContain('Written to Phoenix Initiative ROI.md')
  })

  it('opens at once however long it is, with the rest on request', async () => {
    await open(many(75))
    const questions = () => screen.getAllByTestId('question').map(({ textContent }) => textContent)
    expect(questions()).toHaveLength(30)
    expect(questions()[0]).toBe('Question 46')
    const earlier = () => screen.queryByTestId('earlier')
    expect(earlier()?.textContent.trim()).toBe('Show 30 earlier questions')
    await fireEvent.click(earlier()!)
    expect(questions()[0]).toBe('Question 16')
    expect(document.activeElement).toBe(screen.getAllByTestId('edit')[0])
    expect(earlier()?.textContent.trim()).toBe('Show 15 earlier questions')
    await fireEvent.click(earlier()!)
    expect(questions()).toHaveLength(75)
    expect(earlier()).toBeNull()
    await fireEvent.click(screen.getAllByTestId('card')[0]!)
    expect(called('open_view')).toMatchObject([{ turn: 0, n: 1 }])
  })

  it('stays light while it is asked on, and the focus is not lost with what is folded', async () => {
    const writing = new Writing()
    await open(many(31), { ask: writing.ask })
    const shown = () => [...document.querySelectorAll<HTMLElement>('[data-turn]')].map(({ dataset }) => Number(dataset.turn))
    expect(screen.getByTestId('earlier').textContent.trim()).toBe('Show 1 earlier question')
    await fireEvent.click(screen.getByTestId('earlier'))
    expect(shown()).toHaveLength(31)
    const again = screen.getAllByTestId('again')[0]!
    again.focus()
    await fireEvent.click(again)
    await tick()
    expect([shown().length, shown()[0], shown().at(-1)]).toEqual([30, 2, 31])
    expect(document.activeElement).toBe(field())
    await writing.begin(31)
    await writing.end()
    expect(shown()).toHaveLength(30)
  })

  it('says why it cannot be shown', async () => {
    await boot({ conversation: failing('this conversation was deleted') })
    await talk.open('x')
    expect((await screen.findByRole('alert')).textContent).toContain('this conversation was deleted')
  })

  it('is empty for a new question, or shows what is being read', async () => {
    await open()
    viewer.close()
    talk.fresh()
    await tick()
    expect(screen.getByTestId('empty').textContent).toContain('Ask your documents')
    expect(document.activeElement).toBe(field())
    await sound()
    host.send('library', { ...library, activity: { is: 'scanning', files: 12 } })
    await tick()
    expect(screen.queryByTestId('empty')).toBeNull()
    expect(screen.getByTestId('found')).not.toBeNull()
  })

  it('speaks German', async () => {
    await open([turn, abstained], {}, { settings: { ...start.settings, language: 'de' } })
    expect(screen.getAllByTestId('meta')[0]?.textContent).toContain('2 von 3 Sätzen belegt')
    expect(screen.getByTestId('not-found').textContent).toContain('In Ihren Dokumenten habe ich keine Antwort gefunden.')
  })
})
