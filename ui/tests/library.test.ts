import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import axe from 'axe-core'
import { tick } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import DropZone from '../src/features/library/DropZone.svelte'
import Failures from '../src/features/library/Failures.svelte'
import FirstRun from '../src/features/library/FirstRun.svelte'
import Found from '../src/features/library/Found.svelte'
import StatusLine from '../src/features/library/StatusLine.svelte'
import Trouble from '../src/features/library/Trouble.svelte'
import { i18n } from '../src/i18n/index.svelte'
import { fakeHost, type Calls, type FakeHost } from '../src/ipc/fake/host'
import {
  embeddingLibrary,
  emptyLibrary,
  failures,
  library as whole,
  readingLibrary,
  secondFolder,
  start,
  unread,
} from '../src/ipc/fake/library'
import type { Drop, IpcError, LibraryState, Start } from '../src/ipc/types'
import { actions } from '../src/state/actions.svelte'
import { library } from '../src/state/library.svelte'
import { place } from '../src/state/place.svelte'
import { session } from '../src/state/session.svelte'

let host: FakeHost

async function boot(library: LibraryState | null = whole, calls: Partial<Calls> = {}, more: Partial<Start> = {}) {
  host = fakeHost({ start: () => ({ ...start, library, ...more }), ...calls })
  await session.boot(host)
  await tick()
}

const called = (name: string) => host.log.filter((one) => one.name === name).map(({ args }) => args)
const press = (key: string, how: KeyboardEventInit = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...how })
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const failing = (message: string) => () => Promise.reject({ code: 'failed', message })
const onKey = (event: KeyboardEvent) => void actions.dispatch(event)

async function axeFinds(container: Element) {
  const found = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } })
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

beforeEach(() => {
  window.addEventListener('keydown', onKey)
  place.page = 'talk'
})
afterEach(() => {
  window.removeEventListener('keydown', onKey)
  library.drop = library.excluding = library.notice = null
  library.dragging = false
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('what is drawn', () => {
  it('changes its figures once a second at most, and what happens at once', async () => {
    vi.useFakeTimers()
    await boot(readingLibrary)
    const after = (documents: number): LibraryState => ({ ...readingLibrary, documents })
    for (const documents of [772, 773, 774]) {
      host.send('library', after(documents))
      await tick()
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(library.now?.documents).toBe(771)
    await vi.advanceTimersByTimeAsync(1000)
    expect(library.now?.documents).toBe(774)
    host.send('library', { ...after(775), activity: { is: 'paused' } })
    await tick()
    expect(library.now?.activity.is).toBe('paused')
  })
})

describe('the first run', () => {
  it('offers a folder and the sample', async () => {
    await boot(emptyLibrary)
    render(FirstRun)
    await fireEvent.click(button(/Choose a folder/))
    expect(called('choose_folder')).toHaveLength(1)
    await fireEvent.click(button('Try the sample'))
    expect(called('add_sample')).toHaveLength(1)
  })

  it('counts the documents of the sample right', () => {
    const files = Object.keys(import.meta.glob('../../tests/fixtures/sample/**/*'))
    for (const language of ['en', 'de'] as const) {
      i18n.use(language)
      expect(i18n.words.library.firstRun.sample).toContain(`${files.length} `)
    }
    i18n.use('en')
  })

  it('says why the sample could not be added, and takes it again', async () => {
    await boot(emptyLibrary, { add_sample: failing('The sample is missing; install Oriel again.') })
    render(FirstRun)
    render(DropZone)
    await fireEvent.click(button('Try the sample'))
    expect((await screen.findByRole('alert')).textContent).toContain('The sample is missing')
    await fireEvent.click(button('Try the sample'))
    expect(called('add_sample')).toHaveLength(2)
  })

  it('is the zone of a drop itself', async () => {
    await boot(emptyLibrary)
    render(FirstRun)
    render(DropZone)
    await tick()
    host.send('drag', { is: 'over' })
    await waitFor(() => expect(screen.getByTestId('zone').className).toContain('over'))
    expect(screen.queryByTestId('drop-overlay')).toBeNull()
  })
})

describe('what was found', () => {
  const rows = () => screen.getAllByTestId('found-row').map((row) => row.textContent?.replace(/\s+/g, ' ').trim())

  it('counts files by words and sentences by meaning, each with its estimate', async () => {
    await boot(readingLibrary)
    const { container } = render(Found)
    expect(screen.getByRole('heading').textContent).toBe('You can ask now')
    expect(rows()).toEqual(['By words files 771 of 1,204 about 9 s', 'By meaning sentences 0 of 92,850'])
    expect(container.textContent).toContain('1,204 documents found in Documents, 2.1 GB.')
    expect(container.textContent).toContain('312 files of other kinds')
    host.send('library', embeddingLibrary)
    await waitFor(() =>
      expect(rows()).toEqual(['By words files 1,707 of 1,707', 'By meaning sentences 50,011 of 198,211 about 13 min']),
    )
    expect(await axeFinds(container)).toEqual([])
  })

  it('calls each state by its name', async () => {
    await boot({ ...emptyLibrary, folders: readingLibrary.folders, activity: { is: 'scanning', files: 40 } })
    render(Found)
    const title = () => screen.getByRole('heading').textContent
    expect(title()).toBe('Looking through Documents')
    expect(screen.getByText('40 files seen so far.')).toBeTruthy()
    host.send('library', { ...readingLibrary, documents: 0 })
    await waitFor(() => expect(title()).toBe('Reading Documents'))
    host.send('library', { ...readingLibrary, activity: { is: 'paused' } })
    await waitFor(() => expect(title()).toBe('Reading is paused'))
    host.send('library', whole)
    await waitFor(() => expect(title()).toBe('Everything is read'))
    expect(screen.queryByText('Pause')).toBeNull()
  })

  it('pauses, ends and goes on', async () => {
    await boot(readingLibrary)
    render(Found)
    await fireEvent.click(button('Pause'))
    await fireEvent.click(button('Cancel'))
    expect([called('pause').length, called('cancel_indexing').length]).toEqual([1, 1])
    host.send('library', { ...readingLibrary, activity: { is: 'stopped', message: 'The disk is full; free 1.2 GB.' } })
    expect((await screen.findByRole('alert')).textContent).toBe('The disk is full; free 1.2 GB.')
    await fireEvent.click(button('Resume'))
    expect(called('resume')).toHaveLength(1)
  })

  it('asks from which folder files are excluded where there are several', async () => {
    await boot(secondFolder)
    render(Found)
    await fireEvent.click(button('Exclude files…'))
    await fireEvent.click(await screen.findByRole('menuitem', { name: 'Contracts' }))
    expect(library.excluding).toBe(2)
  })
})

describe('a drop', () => {
  const drop: Drop = { id: 9, folders: ['Contracts'], files: ['a.pdf', 'b.md'], unread: ['photo.HEIC', 'README'] }

  it('is announced while it is over the window', async () => {
    await boot()
    render(DropZone)
    await tick()
    host.send('drag', { is: 'over' })
    expect(await screen.findByTestId('drop-overlay')).toBeTruthy()
    host.send('drag', { is: 'left' })
    await waitFor(() => expect(screen.queryByTestId('drop-overlay')).toBeNull())
    host.send('drag', { is: 'added', names: ['Contracts', 'Taxes'] })
    await waitFor(() => expect(screen.getByTestId('notice').textContent).toContain('Added: Contracts and Taxes'))
    expect(screen.queryByRole('alert')).toBeNull()
    host.send('drag', { is: 'refused', message: 'Another dialog is open; close it first.' })
    expect((await screen.findByRole('alert')).textContent).toContain('Another dialog is open')
    await fireEvent.click(button('Close'))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('is read where it lies unless one chooses copies, and names what cannot be read', async () => {
    await boot()
    render(DropZone)
    await tick()
    host.send('drag', { is: 'choose', drop })
    const dialog = await screen.findByRole('dialog', { name: 'Add 1 folder and 2 files' })
    expect(document.activeElement).toBe(button('Add 1 folder and 2 files'))
    expect(within(dialog).getByText('Oriel does not read .heic files')).toBeTruthy()
    expect(within(dialog).getByText('Its name does not say what it is')).toBeTruthy()
    expect(await axeFinds(dialog)).toEqual([])
    await fireEvent.click(screen.getByLabelText(/Copy them into the library/))
    await fireEvent.click(button('Copy and add 1 folder and 2 files'))
    expect(called('accept_drop')).toEqual([{ id: 9, copy: true }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(library.notice?.text).toBe('Added: Contracts, a.pdf and b.md')

    host.send('drag', { is: 'choose', drop: { ...drop, id: 10 } })
    await fireEvent.click(await screen.findByRole('button', { name: 'Add 1 folder and 2 files' }))
    expect(called('accept_drop').at(-1)).toEqual({ id: 10, copy: false })
  })

  it('stays open with the reason where it fails, and Escape lets it go', async () => {
    await boot(whole, { accept_drop: failing('a.pdf is gone; choose it again.') })
    render(DropZone)
    library.drop = drop
    await fireEvent.click(await screen.findByRole('button', { name: /^Add/ }))
    expect((await screen.findByRole('alert')).textContent).toBe('a.pdf is gone; choose it again.')
    await press('Escape')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('of nothing readable can only be closed', async () => {
    await boot()
    render(DropZone)
    library.drop = { id: 1, folders: [], files: [], unread: ['song.mp3'] }
    await screen.findByRole('dialog', { name: 'Nothing here can be read' })
    expect(screen.queryByRole('radio')).toBeNull()
    await fireEvent.click(button('Close'))
    expect(called('accept_drop')).toEqual([])
    expect(library.drop).toBeNull()
  })

  it('does nothing behind a library that cannot be opened', async () => {
    await boot(null, {}, { trouble: 'It is used by another Oriel.' })
    render(DropZone)
    await tick()
    host.send('drag', { is: 'over' })
    await tick()
    expect(screen.queryByTestId('drop-overlay')).toBeNull()
  })
})

describe('excluding files', () => {
  const counted = () => screen.getByTestId('excludes-count').textContent?.trim()

  it('counts while one types, once one rests, and applies', async () => {
    await boot({ ...whole, folders: [{ ...whole.folders[0]!, excludes: ['*.log'] }] })
    render(DropZone)
    library.excluding = 1
    const dialog = await screen.findByRole('dialog', { name: 'Exclude files from Documents' })
    const field = screen.getByLabelText<HTMLTextAreaElement>('Patterns, one a line')
    expect(document.activeElement).toBe(field)
    expect(field.value).toBe('*.log')
    expect(await axeFinds(dialog)).toEqual([])
    await waitFor(() => expect(counted()).toBe('12 files of 1,204 in the index leave it.'))
    await fireEvent.input(field, { target: { value: '*.log\nArch' } })
    await fireEvent.input(field, { target: { value: '*.log\nArchive/\n\n' } })
    expect(counted()).toBe('Counting…')
    await waitFor(() => expect(counted()).toBe('12 files of 1,204 in the index leave it.'))
    expect(called('preview_excludes')).toEqual([
      { folder: 1, patterns: ['*.log'] },
      { folder: 1, patterns: ['*.log', 'Archive/'] },
    ])
    await fireEvent.click(button('Apply'))
    expect(called('set_excludes')).toEqual([{ folder: 1, patterns: ['*.log', 'Archive/'] }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('says which pattern is none, and forgets that once it is right', async () => {
    await boot(whole, {
      preview_excludes: ({ patterns }) =>
        patterns.includes('[') ? Promise.reject({ code: 'failed', message: "'[' is no pattern: close it." }) : 3,
    })
    render(DropZone)
    library.excluding = 2
    const field = await screen.findByLabelText('Patterns, one a line')
    await fireEvent.input(field, { target: { value: '[' } })
    expect((await screen.findByRole('alert')).textContent).toBe("'[' is no pattern: close it.")
    await fireEvent.input(field, { target: { value: '*.bak' } })
    await waitFor(() => expect(counted()).toBe('3 files of 503 in the index leave it.'))
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('failures', () => {
  const listed = () => screen.queryAllByTestId('failure').map((row) => row.querySelector('.file')?.textContent)

  it('are asked for once a second at most while files are read, and once at the end', async () => {
    vi.useFakeTimers()
    const state = (failed: number, more: Partial<LibraryState> = {}): LibraryState => ({ ...readingLibrary, failed, ...more })
    await boot(state(1), { failures: () => failures.slice(0, 1) })
    render(Failures)
    await tick()
    expect(called('failures')).toHaveLength(1)
    for (let failed = 2; failed < 27; failed++) {
      host.send('library', state(failed))
      await tick()
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(called('failures')).toHaveLength(3)
    // The last one is not lost, and nothing more is asked while nothing changes.
    await vi.advanceTimersByTimeAsync(1000)
    expect(called('failures')).toHaveLength(4)
    await vi.advanceTimersByTimeAsync(5000)
    expect(called('failures')).toHaveLength(4)
    host.send('library', state(27))
    await tick()
    host.send('library', state(27, { waiting: 0, activity: { is: 'idle' } }))
    await tick()
    expect(called('failures')).toHaveLength(6)
    await vi.advanceTimersByTimeAsync(5000)
    expect(called('failures')).toHaveLength(6)
  })

  it('say reason and way out, those of one reason together', async () => {
    const twice = { ...failures[1]!, document: { ...failures[1]!.document, id: 99, name: 'Another.pdf' } }
    await boot(whole, { failures: () => [...failures, twice] })
    const { container } = render(Failures)
    await waitFor(() => expect(listed().slice(0, 2)).toEqual(['Kaufvertrag Wohnung.pdf', 'Another.pdf']))
    const group = container.querySelector<HTMLElement>('[data-code=encrypted]')!
    expect(within(group).getAllByText('Locked with a password')).toHaveLength(2)
    expect(within(group).getAllByText('Save a copy without a password.')).toHaveLength(1)
    expect(within(group).getAllByText('The PDF asks for a password')[0]?.lang).toBe('en')
    expect(await axeFinds(container)).toEqual([])
  })

  it('are tried again, one or all, and shown in their folder', async () => {
    await boot()
    render(Failures)
    const again = await screen.findByRole('button', { name: 'Try again: Vorlesung 07.pdf' })
    await fireEvent.click(again)
    await waitFor(() => expect(again.textContent?.trim()).toBe('In line'))
    await fireEvent.click(again)
    expect(called('retry')).toEqual([{ document: 26 }])
    await fireEvent.click(button('Try all again'))
    expect(called('retry').at(-1)).toEqual({ document: null })
    await fireEvent.click(button('Show in folder: Vorlesung 07.pdf'))
    expect(called('show_in_folder')).toEqual([{ document: 26 }])
  })

  it('are shown a hundred of a reason at a time', async () => {
    const [first] = failures
    const many = Array.from({ length: 250 }, (_, k) => ({ ...first!, document: { ...first!.document, id: 1000 + k } }))
    await boot(whole, { failures: () => many })
    render(Failures)
    await waitFor(() => expect(screen.getAllByTestId('failure')).toHaveLength(100))
    await fireEvent.click(screen.getByText('Show more of the other 150'))
    const rows = screen.getAllByTestId('failure')
    expect(rows).toHaveLength(200)
    expect(rows[100]?.contains(document.activeElement)).toBe(true)
    await fireEvent.click(screen.getByText('Show more of the other 50'))
    expect(screen.getAllByTestId('failure')).toHaveLength(250)
    expect(screen.queryByText(/^Show more/)).toBeNull()
  })

  it('are asked for again when their number changes, down to none', async () => {
    let left = failures
    await boot(whole, { failures: () => left })
    render(Failures)
    await waitFor(() => expect(listed()).toHaveLength(7))
    left = failures.slice(0, 2)
    host.send('library', { ...whole, failed: 2 })
    await waitFor(() => expect(listed()).toHaveLength(2))
    left = []
    host.send('library', { ...whole, failed: 0 })
    expect(await screen.findByText('Every file could be read')).toBeTruthy()
    await fireEvent.click(button('Back to the questions'))
    expect(place.page).toBe('talk')
  })

  it('are narrowed to a folder', async () => {
    await boot()
    render(Failures)
    await fireEvent.click(await screen.findByRole('button', { name: 'Contracts 2' }))
    expect(listed()).toEqual(['Kaufvertrag Wohnung.pdf', 'old-quotes.pdf'])
    expect(button('Contracts 2').getAttribute('aria-pressed')).toBe('true')
  })

  it('stand before documents with nothing to read in them, and other files by their ending', async () => {
    await boot()
    const { container } = render(Failures)
    const empty = await screen.findByTestId('nothing-to-read')
    const cells = (row: HTMLElement) => within(row).getAllByRole('cell').map(({ textContent }) => textContent?.trim())
    expect(within(empty).getAllByRole('row').slice(1).map(cells)).toEqual([
      ['Draft.md Contracts', '0 B', 'Show in folder'],
      ['Photos of the flat.docx Documents / 2019', '1 MB', 'Show in folder'],
      ['untitled.txt Documents', '2 B', 'Show in folder'],
    ])
    await fireEvent.click(within(empty).getByRole('button', { name: 'Show in folder: untitled.txt' }))
    expect(called('show_in_folder')).toEqual([{ document: 33 }])
    const kinds = within(screen.getByTestId('other-kinds')).getAllByRole('listitem')
    expect(kinds.map(({ textContent }) => textContent)).toEqual(['.mp3 204', '.jpg 96', 'without an ending 8', 'others 4'])
    expect(await axeFinds(container)).toEqual([])
  })

  it('are not needed to come to what holds nothing to read', async () => {
    await boot({ ...whole, failed: 0 })
    render(StatusLine)
    const offered = () => actions.list.filter(({ enabled }) => enabled?.() !== false).map(({ id }) => id)
    expect(offered()).not.toContain('failures')
    expect(offered()).toContain('unread')
    actions.list.find(({ id }) => id === 'unread')?.run()
    expect(place.page).toBe('failures')
    host.send('library', { ...whole, empty: 0, skipped: 0 })
    await waitFor(() => expect(offered()).not.toContain('unread'))
  })

  it('say how many more documents hold nothing, and follow the library', async () => {
    const few = { ...unread, empty: 1203, skipped: 0 }
    await boot(whole, { unread: () => few })
    render(Failures)
    expect((await screen.findByTestId('nothing-to-read')).textContent).toContain('And 1,200 more.')
    expect(screen.queryByTestId('other-kinds')).toBeNull()
    host.send('library', { ...whole, empty: 0, failed: 6 })
    await waitFor(() => expect(called('unread')).toHaveLength(2))
  })

  it('are gone through by arrows and left by Escape', async () => {
    await boot()
    place.page = 'failures'
    render(Failures)
    ;(await screen.findByRole('button', { name: 'Try again: Scan_2019-03-11.pdf' })).focus()
    await press('ArrowDown')
    expect(document.activeElement).toBe(button('Try again: Kaufvertrag Wohnung.pdf'))
    await press('ArrowRight')
    expect(document.activeElement).toBe(button('Show in folder: Kaufvertrag Wohnung.pdf'))
    await press('Escape')
    expect(place.page).toBe('talk')
  })

  it('say what went wrong in place', async () => {
    await boot(whole, { show_in_folder: failing('Scan_2019-03-11.pdf is gone; look again.') })
    render(Failures)
    await fireEvent.click(await screen.findByRole('button', { name: 'Show in folder: Scan_2019-03-11.pdf' }))
    expect((await screen.findByRole('alert')).textContent).toBe('Scan_2019-03-11.pdf is gone; look again.')
  })

  it('are copied as a list', async () => {
    const writeText = vi.fn(() => Promise.resolve())
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } })
    await boot(whole, { failures: () => failures.slice(1, 2) })
    render(Failures)
    await fireEvent.click(await screen.findByRole('button', { name: 'Copy list' }))
    expect(writeText).toHaveBeenCalledWith(
      'Kaufvertrag Wohnung.pdf\tContracts/Notar\tLocked with a password: The PDF asks for a password; save a copy without one.',
    )
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy()
    vi.unstubAllGlobals()
  })
})

describe('the status line', () => {
  const text = () => screen.getByTestId('status').textContent?.replace(/\s+/g, ' ').trim()
  const state = () => screen.getByRole('status').textContent

  it('says state, progress, rate and estimate', async () => {
    await boot(emptyLibrary)
    render(StatusLine)
    expect(text()).toBe('Ready No documents yet SmolLM2 135M · CPU, 8 threads Offline')
    const shows = async (library: LibraryState, wanted: string) => {
      host.send('library', library)
      await waitFor(() => expect(text()?.replace(' SmolLM2 135M · CPU, 8 threads Offline', '')).toBe(wanted))
    }
    await shows(readingLibrary, 'Reading By words 771 of 1,204 files 48 files/s about 9 s 92,850 sentences not yet by meaning')
    await shows(embeddingLibrary, 'Reading By meaning 50,011 of 198,211 sentences 190 sentences/s about 13 min')
    // Another embedder's vectors are made beside those that are searched, of which none is missing.
    await shows({ ...embeddingLibrary, unembedded: 3, unembeddedNext: embeddingLibrary.unembedded }, 'Reading By meaning 50,011 of 198,211 sentences 190 sentences/s about 13 min')
    await shows({ ...embeddingLibrary, yielding: true }, 'Reading By meaning 50,011 of 198,211 sentences waits until the answer is written')
    await shows(
      { ...whole, activity: { is: 'building', done: 1, total: 4, rate: null, left: null } },
      'Reading Putting the index in order 25%',
    )
    await shows(whole, 'Up to date 1,707 files · 205,304 sentences')
    await shows({ ...whole, activity: { is: 'paused' } }, 'Paused 1,707 files · 205,304 sentences Resume')
    await fireEvent.click(button('Resume'))
    expect(called('resume')).toHaveLength(1)
  })

  it('names apart what waits to be read and what waits for its meaning', async () => {
    const waits = () => screen.queryByTestId('waits')?.textContent
    await boot({ ...readingLibrary, activity: { is: 'paused' } })
    render(StatusLine)
    expect(waits()).toBe('433 files wait to be read · 92,850 sentences not yet by meaning')
    host.send('library', { ...whole, unembedded: 1, activity: { is: 'stopped', message: 'no model that finds by meaning is here' } })
    await waitFor(() => expect(waits()).toBe('1 sentence not yet by meaning'))
    host.send('library', whole)
    await waitFor(() => expect(waits()).toBeUndefined())
  })

  it('announces the state alone', async () => {
    await boot(readingLibrary)
    render(StatusLine)
    expect(state()).toBe('Reading')
    expect(screen.getAllByRole('status')).toHaveLength(1)
  })

  it('needs a hand where work stopped or a folder cannot be reached', async () => {
    await boot({ ...whole, activity: { is: 'stopped', message: 'The disk is full; free 1.2 GB.' } })
    render(StatusLine)
    expect(state()).toBe('Needs a hand: The disk is full; free 1.2 GB.')
    expect(screen.getByRole('status').title).toBe('The disk is full; free 1.2 GB.')
    host.send('library', { ...whole, folders: [{ ...whole.folders[0]!, unreachable: 'It is not connected.' }] })
    await waitFor(() => expect(screen.getByRole('status').title).toBe('It is not connected.'))
  })

  it('leads to the models', async () => {
    await boot(whole, {}, { engine: { generator: null, device: 'CUDA', threads: 1 } })
    render(StatusLine)
    await fireEvent.click(button('Quotes only · CUDA, 1 thread'))
    expect([place.page, place.settingsPage]).toEqual(['settings', 'models'])
  })
})

it('a library that cannot be opened says why and tries again', async () => {
  await boot(null, {}, { trouble: 'It is used by another Oriel; close it.' })
  const again = vi.fn()
  render(Trouble, { message: session.trouble!, again })
  expect(screen.getByRole('alert').textContent).toBe('It is used by another Oriel; close it.')
  expect(document.activeElement).toBe(button('Try again'))
  await fireEvent.click(button('Try again'))
  expect(again).toHaveBeenCalledOnce()
})

it('a library whose data file is broken is repaired where it cannot be opened', async () => {
  let fails = true
  const repair_library = () => {
    const error: IpcError = { code: 'failed', message: 'It is used by another Oriel; close it.' }
    if (fails) throw error
    return { recomputed: 0, reread: 0, forgotten: 0, unembedded: 0, setAside: '/home/ada/data.mdb.broken-1' }
  }
  await boot(null, { repair_library }, { trouble: 'The library is damaged.', broken: true })
  const again = vi.fn()
  render(Trouble, { message: session.trouble!, again })
  await fireEvent.click(button('Repair'))
  expect(await screen.findByText('It is used by another Oriel; close it.')).toBeTruthy()
  expect(again).not.toHaveBeenCalled()
  fails = false
  await fireEvent.click(button('Repair'))
  await waitFor(() => expect(again).toHaveBeenCalledOnce())
})
