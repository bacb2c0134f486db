import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import axe from 'axe-core'
import { tick } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { byDay } from '../src/features/library/groups'
import Rail from '../src/features/library/Rail.svelte'
import StatusLine from '../src/features/library/StatusLine.svelte'
import { fakeHost, type Calls, type FakeHost } from '../src/ipc/fake/host'
import { emptyLibrary, embeddingLibrary, library as whole, secondFolder, start } from '../src/ipc/fake/library'
import type { ConversationRow, LibraryState, Start } from '../src/ipc/types'
import { actions } from '../src/state/actions.svelte'
import { library } from '../src/state/library.svelte'
import { place } from '../src/state/place.svelte'
import { session } from '../src/state/session.svelte'
import { talk } from '../src/state/talk.svelte'
import { press } from './hands'

let host: FakeHost

async function boot(library: LibraryState | null = whole, more: Partial<Start> = {}, calls: Partial<Calls> = {}) {
  host = fakeHost({ start: () => ({ ...start, library, ...more }), ...calls })
  await session.boot(host)
  await tick()
}

const called = (name: string) => host.log.filter((one) => one.name === name).map(({ args }) => args)
const row = (name: string) => screen.getByRole('button', { name })

const onKey = (event: KeyboardEvent) => void actions.dispatch(event)

beforeEach(() => {
  window.addEventListener('keydown', onKey)
  place.page = 'talk'
  place.dialog = null
  talk.fresh()
})
afterEach(() => {
  window.removeEventListener('keydown', onKey)
  place.railOpen = false
  library.drop = library.excluding = library.notice = null
  vi.restoreAllMocks()
})

describe('conversations', () => {
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
    await boot(whole, { conversations })
    render(Rail)
    expect(screen.getAllByRole('heading').map((one) => one.textContent?.trim())).toEqual(['Today', 'Earlier', 'Folders'])
    await fireEvent.click(row('Boiler'))
    expect(called('conversation')).toEqual([{ conversation: 'b' }])
    await waitFor(() => expect(row('Boiler').getAttribute('aria-current')).toBe('page'))
    place.page = 'failures'
    await tick()
    expect(row('Boiler').getAttribute('aria-current')).toBeNull()
  })

  it('one that goes on or begins comes to the top, and the others stay', async () => {
    await boot(whole, { conversations })
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
    host = fakeHost({
      start: () => {
        host.send('conversation', newer[0]!)
        return { ...start, library: whole, conversations }
      },
      conversations: () => newer,
    })
    await session.boot(host)
    expect(session.conversations).toEqual(newer)
    expect(called('conversations')).toEqual([{ query: '' }])
  })

  it('asked for twice at once the later answer counts', async () => {
    const answers: ((start: Start) => void)[] = []
    host = fakeHost({ start: () => new Promise((answer) => answers.push(answer)) })
    const booted = session.boot(host)
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
    await boot(whole, { conversations: many })
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
    await boot(whole, { conversations: many })
    render(Rail)
    await talk.open('100')
    await waitFor(() => expect(row('Question 100').getAttribute('aria-current')).toBe('page'))
    expect(document.querySelectorAll('[data-talk]').length).toBe(51)
    await fireEvent.click(row('Show 50 more conversations'))
    await waitFor(() => expect(document.activeElement).toBe(row('Question 50')))
  })

  it('are one stop of Tab, and arrows go through them', async () => {
    await boot(whole, { conversations })
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
    await boot(whole, { conversations })
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
    await boot(whole, { conversations })
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
    await boot(whole, { conversations }, {
      rename_conversation: () => Promise.reject({ code: 'failed', message: 'The disk is full; free some space.' }),
    })
    render(Rail)
    row('Rent').focus()
    await press('F2')
    await fireEvent.input(screen.getByLabelText('New title'), { target: { value: 'Lease' } })
    await press('Enter')
    await waitFor(() => expect(library.notice).toEqual({ text: 'The disk is full; free some space.', warn: true }))
    expect(row('Rent')).toBeTruthy()
  })

  it('offer the same in a menu of the pointer', async () => {
    await boot(whole, { conversations })
    render(Rail)
    await fireEvent.contextMenu(row('Boiler'))
    const menu = await screen.findByRole('menu')
    expect(within(menu).getAllByRole('menuitem').map((one) => one.textContent)).toEqual(['Rename', 'Delete'])
    await fireEvent.click(within(menu).getByText('Rename'))
    expect(await screen.findByLabelText('New title')).toBeTruthy()
  })
})

describe('folders', () => {
  it('show how far the one being read is, and pause', async () => {
    await boot(secondFolder)
    render(Rail)
    expect(screen.getByText('312 of 503')).toBeTruthy()
    const bar = screen.getByRole('progressbar', { name: 'Contracts' })
    expect([bar.getAttribute('aria-valuenow'), bar.getAttribute('aria-valuemax')]).toEqual(['312', '503'])
    expect(bar.querySelector('i')?.style.width).toBe(`${(100 * 312) / 503}%`)
    expect(screen.getByText('by words in about 2 min')).toBeTruthy()
    host.send('library', { ...secondFolder, yielding: true })
    expect(await screen.findByText('waits for the answer')).toBeTruthy()
    await fireEvent.click(row('Pause'))
    expect(called('pause')).toHaveLength(1)
    host.send('library', { ...secondFolder, activity: { is: 'paused' } })
    await fireEvent.click(await screen.findByRole('button', { name: 'Resume' }))
    expect(called('resume')).toHaveLength(1)
  })

  it('show by meaning what the words have behind them', async () => {
    await boot(embeddingLibrary)
    render(Rail)
    expect(screen.getByRole('progressbar', { name: 'By meaning' }).getAttribute('aria-valuenow')).toBe('50011')
    expect(screen.getByText('25%')).toBeTruthy()
  })

  it('ask only there by a press', async () => {
    await boot()
    render(Rail)
    talk.addToScope({ folder: { id: 1, name: 'Documents' } })
    await fireEvent.click(row('Ask only in Contracts, 503'))
    expect(talk.scope.folders).toEqual([{ id: 2, name: 'Contracts' }])
  })

  it('leave the index only after it was said what is forgotten', async () => {
    await boot()
    render(Rail)
    await fireEvent.click(row('What can be done with Contracts'))
    const menu = await screen.findByRole('menu')
    expect(within(menu).getAllByRole('menuitem').map((one) => one.textContent)).toEqual([
      'Ask only here',
      'Exclude files…',
      'Look again',
      'Remove',
    ])
    await fireEvent.click(within(menu).getByText('Remove'))
    expect(screen.getByText('Remove Contracts: 503 files leave the index, the files themselves stay.')).toBeTruthy()
    expect(called('remove_folder')).toEqual([])
    await fireEvent.click(row('Remove Contracts'))
    expect(called('remove_folder')).toEqual([{ folder: 2 }])
    await waitFor(() => expect(screen.queryByTestId('forget')).toBeNull())
  })

  it('look again and exclude from their menu', async () => {
    await boot()
    render(Rail)
    await fireEvent.click(row('What can be done with Documents'))
    await fireEvent.click(await screen.findByRole('menuitem', { name: 'Look again' }))
    expect(called('rescan')).toHaveLength(1)
    await fireEvent.click(row('What can be done with Documents'))
    await fireEvent.click(await screen.findByRole('menuitem', { name: 'Exclude files…' }))
    expect(library.excluding).toBe(1)
  })

  it('say why one cannot be reached', async () => {
    const [one, two] = whole.folders
    await boot({ ...whole, folders: [one!, { ...two!, unreachable: 'The disk is not connected; connect it.' }] })
    render(Rail)
    expect(screen.getByText('The disk is not connected; connect it.').className).toContain('warn')
    expect(row('Ask only in Contracts, 503').className).toContain('warn')
  })

  it('lead to what could not be read', async () => {
    await boot()
    render(Rail)
    const failed = screen.getByTestId('failed-row')
    expect(failed.textContent).toBe('7 files could not be read')
    await fireEvent.click(failed)
    expect(place.page).toBe('failures')
    await waitFor(() => expect(failed.getAttribute('aria-current')).toBe('page'))
  })

  it('are added by a small menu', async () => {
    const drop = { id: 4, folders: [], files: ['a.pdf'], unread: [] }
    await boot(whole, {}, { choose_files: () => drop })
    render(Rail)
    row('Add a folder or files').focus()
    await press('ArrowDown')
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Choose a folder…'))
    await press('ArrowDown')
    await fireEvent.click(document.activeElement!)
    await waitFor(() => expect(library.drop).toEqual(drop))
    expect(document.activeElement).toBe(row('Add a folder or files'))
  })
})

describe('keys', () => {
  it('do what the rail shows beside the names', async () => {
    await boot(secondFolder)
    render(Rail)
    render(StatusLine)
    await talk.open('a')
    await press('n', { ctrlKey: true })
    expect(talk.id).toBeNull()
    await press('o', { ctrlKey: true })
    await waitFor(() => expect(library.notice?.text).toBe('Added: Documents'))
    await press('p', { ctrlKey: true })
    expect(called('pause')).toHaveLength(1)
    await press(',', { ctrlKey: true })
    expect(place.page).toBe('settings')
    await press('k', { ctrlKey: true })
    expect(place.dialog).toBe('palette')
  })

  it('begin no question where there is nothing to ask', async () => {
    await boot(emptyLibrary, { conversations: [] })
    render(Rail)
    render(StatusLine)
    expect((screen.getByText('New question') as HTMLButtonElement).disabled).toBe(true)
    const fresh = vi.spyOn(talk, 'fresh')
    await press('n', { ctrlKey: true })
    expect(fresh).not.toHaveBeenCalled()
    expect(screen.getByText(/None yet/)).toBeTruthy()
  })
})

describe('in a narrow window', () => {
  beforeEach(() => {
    vi.spyOn(window, 'matchMedia').mockImplementation((media) =>
      Object.assign(new EventTarget(), {
        media,
        matches: media.includes('max-width'),
        onchange: null,
        addListener: () => undefined,
        removeListener: () => undefined,
      }),
    )
  })

  it('is a strip with what needs a hand, and unfolds over the conversation', async () => {
    await boot()
    render(Rail)
    expect(screen.queryByTestId('rail')).toBeNull()
    const folders = row('Folders, 7 files could not be read')
    expect(folders.textContent?.trim()).toBe('7')
    folders.focus()
    await press('b', { ctrlKey: true })
    const rail = await screen.findByTestId('rail')
    await waitFor(() => expect(rail.contains(document.activeElement)).toBe(true))
    await press('Escape')
    await waitFor(() => expect(screen.queryByTestId('rail')).toBeNull())
    expect(document.activeElement).toBe(folders)
  })

  it('folds when something was chosen, or pressed beside it', async () => {
    await boot()
    render(Rail)
    await fireEvent.click(row('Questions'))
    await fireEvent.click(await screen.findByRole('button', { name: 'Yield of batch 14' }))
    await waitFor(() => expect(place.railOpen).toBe(false))
    await fireEvent.click(row('Questions'))
    await screen.findByTestId('rail')
    await fireEvent.pointerDown(document.body)
    expect(place.railOpen).toBe(false)
  })
})

it('has nothing that axe finds', async () => {
  await boot(secondFolder)
  const { container } = render(Rail)
  const found = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } })
  expect(found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
})

it('does not take an old answer for the state when the library moved on while the window was drawn', async () => {
  const idle: LibraryState = { ...whole, activity: { is: 'idle' } }
  host = fakeHost({
    start: () => {
      // What the shell says after it made the answer arrives before it.
      host.send('library', idle)
      return { ...start, library: embeddingLibrary }
    },
    library_state: () => idle,
  })
  await session.boot(host)
  expect(session.library?.activity.is).toBe('idle')
})

it('nor when the library moved on while everything was asked for once more', async () => {
  const idle: LibraryState = { ...whole, activity: { is: 'idle' } }
  let again = false
  host = fakeHost({
    start: () => {
      if (again) host.send('library', idle)
      return { ...start, library: embeddingLibrary }
    },
    library_state: () => idle,
  })
  await session.boot(host)
  expect(session.library?.activity.is).toBe('embedding')
  again = true
  await session.renew()
  expect(session.library?.activity.is).toBe('idle')
})
