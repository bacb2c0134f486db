// The conversations of the rail: grouped, opened, renamed, deleted, told of one by one, the last fifty of many.
import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { tick } from 'svelte'
import { beforeEach, expect, it } from 'vitest'
import { byDay } from '../src/features/library/groups'
import Rail from '../src/features/library/Rail.svelte'
import { library as whole, start } from '../src/ipc/fake/library'
import type { ConversationRow, Start } from '../src/ipc/types'
import { library } from '../src/state/library.svelte'
import { navigation } from '../src/state/navigation.svelte'
import { session } from '../src/state/session.svelte'
import { talk } from '../src/state/talk.svelte'
import { around, boot, called, button as row, host, press } from './library'

around()
beforeEach(() => {
  navigation.dialog = null
  talk.fresh()
})

const noon = new Date().setHours(12, 0, 0, 0)
const conversation = (id: string, title: string, daysAgo: number): ConversationRow => ({
  id,
  title,
  changed: noon - daysAgo * 86_400_000,
})
const conversations = [conversation('a', 'Rent', 0), conversation('b', 'Boiler', 3), conversation('c', 'Vaccines', 30)]

it('are grouped by day, with a week of its own only where there are many', () => {
  const days = byDay(conversations)
  expect([days.today, days.week, days.earlier].map((group) => group.map(({ id }) => id))).toEqual([['a'], [], ['b', 'c']])
  const many = Array.from({ length: 20 }, (_, at) => conversation(`${at}`, `${at}`, at))
  const busy = byDay(many)
  expect([busy.today.length, busy.week.length, busy.earlier.length]).toEqual([1, 6, 13])
})

it('open by a press and say which is open', async () => {
  await boot(whole, {}, { conversations })
  render(Rail)
  expect(screen.getAllByRole('heading').map((one) => one.textContent?.trim())).toEqual(['Today', 'Earlier', 'Folders'])
  await fireEvent.click(row('Boiler'))
  expect(called('conversation')).toEqual([{ conversation: 'b' }])
  await waitFor(() => expect(row('Boiler').getAttribute('aria-current')).toBe('page'))
  navigation.page = 'failures'
  await tick()
  expect(row('Boiler').getAttribute('aria-current')).toBeNull()
})

it('one that goes on or begins comes to the top, and the others stay', async () => {
  await boot(whole, {}, { conversations })
  render(Rail)
  const shown = () => within(screen.getByTestId('talks')).getAllByRole('listitem').map((one) => one.textContent?.trim())
  host.send('conversation', { ...conversations[1]!, title: 'The boiler', changed: noon + 1 })
  await tick()
  expect(shown()).toEqual(['The boiler', 'Rent', 'Vaccines'])
  host.send('conversation', conversation('d', 'Dogs', 0))
  await tick()
  expect(shown()).toEqual(['Dogs', 'The boiler', 'Rent', 'Vaccines'])
})

it('that go on while all are asked for are asked for again', async () => {
  const newer = [conversation('d', 'Dogs', 0), ...conversations]
  await boot(whole, {
    start: () => {
      host.send('conversation', newer[0]!)
      return { ...start, library: whole, conversations }
    },
    conversations: () => newer,
  })
  expect(session.conversations).toEqual(newer)
  expect(called('conversations')).toEqual([{ query: '' }])
})

it('asked for twice at once the later answer counts', async () => {
  const answers: ((start: Start) => void)[] = []
  const booted = boot(whole, { start: () => new Promise((answer) => answers.push(answer)) })
  await waitFor(() => expect(answers).toHaveLength(1))
  const renewed = session.renew()
  answers[1]!({ ...start, conversations: [conversation('d', 'Dogs', 0), ...conversations] })
  await renewed
  answers[0]!({ ...start, conversations })
  await booted
  expect(session.conversations.map(({ id }) => id)).toEqual(['d', 'a', 'b', 'c'])
})

it('of many the last fifty are there, the others on request', async () => {
  const many = Array.from({ length: 120 }, (_, at) => conversation(`${at}`, `Question ${at}`, at))
  await boot(whole, {}, { conversations: many })
  render(Rail)
  const shown = () => document.querySelectorAll('[data-talk]').length
  expect(shown()).toBe(50)
  await fireEvent.click(row('Show 50 more conversations'))
  expect(shown()).toBe(100)
  await waitFor(() => expect(document.activeElement).toBe(row('Question 50')))
  await fireEvent.click(row('Show 20 more conversations'))
  expect(shown()).toBe(120)
  expect(screen.queryByTestId('more-talks')).toBeNull()
})

it('the open one is there however old it is', async () => {
  const many = Array.from({ length: 120 }, (_, at) => conversation(`${at}`, `Question ${at}`, at))
  await boot(whole, {}, { conversations: many })
  render(Rail)
  await talk.open('100')
  await waitFor(() => expect(row('Question 100').getAttribute('aria-current')).toBe('page'))
  expect(document.querySelectorAll('[data-talk]').length).toBe(51)
  await fireEvent.click(row('Show 50 more conversations'))
  await waitFor(() => expect(document.activeElement).toBe(row('Question 50')))
})

it('are one stop of Tab, and arrows go through them', async () => {
  await boot(whole, {}, { conversations })
  render(Rail)
  expect(['Rent', 'Boiler', 'Vaccines'].map((name) => row(name).tabIndex)).toEqual([0, -1, -1])
  row('Rent').focus()
  await press('ArrowDown')
  await press('ArrowDown')
  expect(document.activeElement).toBe(row('Vaccines'))
  await press('ArrowDown')
  expect(document.activeElement).toBe(row('Vaccines'))
  expect(row('Vaccines').tabIndex).toBe(0)
  await press('Home')
  expect(document.activeElement).toBe(row('Rent'))
})

it('are renamed in place by F2, and Escape leaves the title', async () => {
  await boot(whole, {}, { conversations })
  render(Rail)
  row('Boiler').focus()
  await press('F2')
  const field = screen.getByLabelText<HTMLInputElement>('New title')
  expect(field).toBe(document.activeElement)
  expect(field.value).toBe('Boiler')
  await fireEvent.input(field, { target: { value: 'Nothing' } })
  await press('Escape')
  await waitFor(() => expect(document.activeElement).toBe(row('Boiler')))
  expect(called('rename_conversation')).toEqual([])

  await press('F2')
  await fireEvent.input(screen.getByLabelText('New title'), { target: { value: '  The boiler ' } })
  await press('Enter')
  await waitFor(() => expect(called('rename_conversation')).toEqual([{ conversation: 'b', title: 'The boiler' }]))
  expect(document.activeElement).toBe(row('Boiler'))
})

it('are deleted only after it was said what is forgotten', async () => {
  await boot(whole, {}, { conversations })
  render(Rail)
  await talk.open('a')
  row('Boiler').focus()
  await press('Delete')
  expect(screen.getByText(/Delete Boiler: its questions and answers are forgotten/)).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByTestId('forget'))
  await press('Escape')
  await waitFor(() => expect(document.activeElement).toBe(row('Boiler')))
  expect(called('delete_conversation')).toEqual([])

  await press('Delete')
  await fireEvent.click(screen.getByTestId('forget'))
  await waitFor(() => expect(called('delete_conversation')).toEqual([{ conversation: 'b' }]))
  await waitFor(() => expect(document.activeElement).toBe(row('Vaccines')))
  expect(talk.id).toBe('a')

  row('Rent').focus()
  await press('Delete')
  await fireEvent.click(screen.getByTestId('forget'))
  await waitFor(() => expect(talk.id).toBeNull())
})

it('say what went wrong and keep the title', async () => {
  await boot(whole, {
    rename_conversation: () => Promise.reject({ kind: 'failed', notice: { code: 'text', text: 'The disk is full; free some space.' } }),
  }, { conversations })
  render(Rail)
  row('Rent').focus()
  await press('F2')
  await fireEvent.input(screen.getByLabelText('New title'), { target: { value: 'Lease' } })
  await press('Enter')
  await waitFor(() => expect(library.notice).toEqual({ text: 'The disk is full; free some space.', warn: true }))
  expect(row('Rent')).toBeTruthy()
})

it('offer the same in a menu of the pointer', async () => {
  await boot(whole, {}, { conversations })
  render(Rail)
  await fireEvent.contextMenu(row('Boiler'))
  const menu = await screen.findByRole('menu')
  expect(within(menu).getAllByRole('menuitem').map((one) => one.textContent)).toEqual(['Rename', 'Delete'])
  await fireEvent.click(within(menu).getByText('Rename'))
  expect(await screen.findByLabelText('New title')).toBeTruthy()
})
