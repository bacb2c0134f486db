import { fireEvent, screen, waitFor } from '@testing-library/svelte'
import { tick } from 'svelte'
import { describe, expect, it } from 'vitest'
import { abstained, conversation, turn } from '../src/ipc/fake/chat'
import { library, start } from '../src/ipc/fake/library'
import type { Turn } from '../src/ipc/types'
import { navigation } from '../src/state/navigation.svelte'
import { talk } from '../src/state/talk.svelte'
import { viewer } from '../src/state/viewer.svelte'
import { around, boot, button, called, failing, field, host, id, open, press, sound, type, Writing } from './chat'

around()

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
    expect(screen.getByTestId('not-found').textContent).toContain('Das habe ich in Ihren Dokumenten nicht gefunden.')
  })

  it('is read before anything is asked in it', async () => {
    let fails = true
    await boot({ conversation: () => (fails ? Promise.reject({ kind: 'closed', notice: { code: 'text', text: 'Wait until that is done' } }) : { ...conversation, turns: [turn] }) })
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
    talk.whenReady = { conversation: id, turn: 0, for: 'library' }
    await tick()
    expect(called('ask')).toEqual([])
    navigation.page = 'settings'
    await tick()
    navigation.page = 'talk'
    await tick()
    expect(screen.getByTestId<HTMLTextAreaElement>('edit-question').value).toBe('In other words?')
  })
})
