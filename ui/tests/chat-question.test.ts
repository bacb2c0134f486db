import { fireEvent, screen, waitFor } from '@testing-library/svelte'
import { tick } from 'svelte'
import { describe, expect, it } from 'vitest'
import { conversation, early, found, turn } from '../src/ipc/fake/chat'
import { talk } from '../src/state/talk.svelte'
import { around, boot, called, cards, cites, field, id, open, press, type, Writing } from './chat'

around()

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
        scope: { documents: [], folders: [], kinds: [], since: null, until: null, from: [], gone: [] },
        window: { before: 3, after: 3 },
        anyTime: false,
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

  it('shows at once the words that the search expects, until the model writes', async () => {
    const writing = new Writing()
    await boot({ ask: writing.ask })
    void talk.ask(turn.question)
    await writing.begin()
    const runs = [
      { text: 'The rent is ', mark: 'sentence', hit: 0 },
      { text: '<b>£20,600', mark: 'sentence', hit: 0, words: true },
    ] as const
    await writing.send({ is: 'found', found: { ...found, cards: [{ ...found.cards[0]!, runs: [...runs] }] } })
    expect(screen.getByTestId('provisional').textContent).toBe('<b>£20,600')
    expect(screen.getByTestId('live-meta').textContent).toContain('Probably so')
    await writing.write('£20')
    expect(screen.queryByTestId('provisional')).toBeNull()
    expect(screen.getByTestId('answer').textContent?.trim()).toBe('£20')
    await writing.end()
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
    await writing.fail({ kind: 'failed', notice: { code: 'text', text: 'the model ended: start it again' } })
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
