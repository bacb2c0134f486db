import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { tick } from 'svelte'
import { describe, expect, it, vi } from 'vitest'
import DropZone from '../src/features/library/DropZone.svelte'
import FirstRun from '../src/features/library/FirstRun.svelte'
import Found from '../src/features/library/Found.svelte'
import StatusLine from '../src/features/library/StatusLine.svelte'
import Trouble from '../src/features/library/Trouble.svelte'
import { i18n } from '../src/i18n/index.svelte'
import { embeddingLibrary, emptyLibrary, engine, library as whole, readingLibrary, secondFolder } from '../src/ipc/fake/library'
import type { AcceptDrop, Drop, IpcError, LibraryState, Work } from '../src/ipc/types'
import { library } from '../src/state/library.svelte'
import { navigation } from '../src/state/navigation.svelte'
import { session } from '../src/state/session.svelte'
import { around, axeFinds, boot, button, called, failing, host, press } from './library'

around()

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
    host.send('library', { ...after(775), yielding: true })
    await tick()
    expect([library.now?.documents, library.now?.yielding]).toEqual([775, true])
    host.send('library', { ...after(776), activity: { is: 'paused' } })
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
    expect(rows()).toEqual(['By words files 771 of 1,204 about 9 s', 'By meaning sentences 0 of 92,850 about 13 min'])
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
    host.send('library', { ...readingLibrary, activity: { is: 'stopped', notice: { code: 'text', text: 'The disk is full; free 1.2 GB.' } } })
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
    host.send('drag', { is: 'refused', notice: { code: 'text', text: 'Another dialog is open; close it first.' } })
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

  it('shows how far the copying is, and Cancel takes it back without an error', async () => {
    let tell: ((work: Work) => void) | undefined
    let fail: ((reason: unknown) => void) | undefined
    await boot(whole, {
      accept_drop: (_: AcceptDrop, onEvent: (work: Work) => void) => {
        tell = onEvent
        return new Promise((_, reject) => (fail = reject))
      },
      stop_work: () => {
        fail?.({ kind: 'cancelled', notice: { code: 'text', text: 'cancelled' } })
        return null
      },
    })
    render(DropZone)
    library.drop = drop
    await fireEvent.click(await screen.findByLabelText(/Copy them into the library/))
    await fireEvent.click(button('Copy and add 1 folder and 2 files'))
    await waitFor(() => expect(tell).toBeTruthy())
    expect(screen.queryByTestId('copying')).toBeNull()
    tell!({ done: 300e6, total: 1200e6, rate: 60e6, left: 15 })
    await tick()
    // What is dropped meanwhile does not take its place, and a press beside it does not end it.
    host.send('drag', { is: 'choose', drop: { ...drop, id: 10 } })
    expect(library.drop).toBe(drop)
    expect(library.notice?.text).toContain('Other files are being copied')
    library.notice = null
    await fireEvent.pointerDown(document.querySelector('.scrim')!)
    expect(called('stop_work')).toEqual([])
    expect(screen.getByTestId('copying').textContent).toContain('300 MB of 1.2 GB · 60 MB/s · about 15 s left')
    await fireEvent.click(button('Cancel'))
    await waitFor(() => expect(screen.queryByTestId('copying')).toBeNull())
    expect(screen.queryByRole('alert')).toBeNull()
    expect(button('Copy and add 1 folder and 2 files').getAttribute('aria-disabled')).toBe('false')
    await fireEvent.click(button('Cancel'))
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
    await boot(null, {}, { trouble: { code: 'text', text: 'It is used by another Oriel.' } })
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
        patterns.includes('[') ? Promise.reject({ kind: 'failed', notice: { code: 'text', text: "'[' is no pattern: close it." } }) : 3,
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

describe('the status line', () => {
  const text = () => screen.getByTestId('status').textContent?.replace(/\s+/g, ' ').trim()
  const state = () => screen.getByRole('status').textContent

  it('says state, progress, rate and estimate', async () => {
    await boot(emptyLibrary)
    render(StatusLine)
    expect(text()).toBe('Ready No documents yet Qwen2.5 Coder 0.5B · CPU, 8 threads Offline')
    const shows = async (library: LibraryState, wanted: string) => {
      host.send('library', library)
      await waitFor(() => expect(text()?.replace(' Qwen2.5 Coder 0.5B · CPU, 8 threads Offline', '')).toBe(wanted))
    }
    await shows(readingLibrary, 'Reading By words 771 of 1,204 files 48 files/s about 9 s 92,850 sentences not yet by meaning')
    await shows(embeddingLibrary, 'Reading By meaning 50,011 of 198,211 sentences 190 sentences/s about 13 min')
    await shows({ ...embeddingLibrary, yielding: true }, 'Reading By meaning 50,011 of 198,211 sentences waits until the answer is written')
    await shows(whole, 'Up to date 1,707 files · 205,304 sentences')
    await shows({ ...whole, activity: { is: 'paused' } }, 'Paused 1,707 files · 205,304 sentences Resume')
    await fireEvent.click(button('Resume'))
    expect(called('resume')).toHaveLength(1)
    const onBattery = { ...embeddingLibrary, activity: { is: 'deferred' } } satisfies LibraryState
    await shows(onBattery, 'Waits for mains power 1,707 files · 205,304 sentences 148,200 sentences not yet by meaning Resume')
    await fireEvent.click(button('Resume'))
    expect(called('resume')).toHaveLength(2)
  })

  it("counts another embedder's vectors, made beside those that are searched", async () => {
    await boot({ ...embeddingLibrary, unembedded: 3, unembeddedNext: embeddingLibrary.unembedded })
    render(StatusLine)
    expect(text()).toContain('By meaning 50,011 of 198,211 sentences')
  })

  it('names apart what waits to be read and what waits for its meaning', async () => {
    const waits = () => screen.queryByTestId('waits')?.textContent
    await boot({ ...readingLibrary, activity: { is: 'paused' } })
    render(StatusLine)
    expect(waits()).toBe('433 files wait to be read · 92,850 sentences not yet by meaning')
    host.send('library', { ...whole, unembedded: 1, activity: { is: 'stopped', notice: { code: 'text', text: 'no model that finds by meaning is here' } } })
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
    await boot({ ...whole, activity: { is: 'stopped', notice: { code: 'text', text: 'The disk is full; free 1.2 GB.' } } })
    render(StatusLine)
    expect(state()).toBe('Needs a hand: The disk is full; free 1.2 GB.')
    expect(screen.getByRole('status').title).toBe('The disk is full; free 1.2 GB.')
    host.send('library', { ...whole, folders: [{ ...whole.folders[0]!, unreachable: { code: 'text', text: 'It is not connected.' } }] })
    await waitFor(() => expect(screen.getByRole('status').title).toBe('It is not connected.'))
  })

  it('names the adapter of the model', async () => {
    await boot(whole, {}, { engine: { ...engine, adapter: 'an-adapter' } })
    render(StatusLine)
    expect(button('Qwen2.5 Coder 0.5B with an-adapter · CPU, 8 threads')).toBeTruthy()
  })

  it('leads to the models', async () => {
    await boot(whole, {}, { engine: { generator: null, generatorName: null, adapter: null, device: 'CUDA', threads: 1, server: null } })
    render(StatusLine)
    await fireEvent.click(button('Quotes only · CUDA, 1 thread'))
    expect([navigation.page, navigation.settingsPage]).toEqual(['settings', 'models'])
  })
})

it('a library that cannot be opened says why and tries again', async () => {
  await boot(null, {}, { trouble: { code: 'text', text: 'It is used by another Oriel; close it.' } })
  const again = vi.fn()
  render(Trouble, { message: i18n.say(session.trouble!), again })
  expect(screen.getByRole('alert').textContent).toBe('It is used by another Oriel; close it.')
  expect(document.activeElement).toBe(button('Try again'))
  await fireEvent.click(button('Try again'))
  expect(again).toHaveBeenCalledOnce()
})

it('a library whose data file is broken is repaired where it cannot be opened', async () => {
  let fails = true
  const repair_library = () => {
    const error: IpcError = { kind: 'failed', notice: { code: 'text', text: 'It is used by another Oriel; close it.' } }
    if (fails) throw error
    return { recomputed: 0, reread: 0, forgotten: 0, unembedded: 0, refollowed: 0, unfollowed: 0, set_aside: '/home/ada/data.mdb.broken-1' }
  }
  await boot(null, { repair_library }, { trouble: { code: 'text', text: 'The library is damaged.' }, broken: true })
  const again = vi.fn()
  render(Trouble, { message: i18n.say(session.trouble!), again })
  await fireEvent.click(button('Repair'))
  expect(await screen.findByText('It is used by another Oriel; close it.')).toBeTruthy()
  expect(again).not.toHaveBeenCalled()
  fails = false
  await fireEvent.click(button('Repair'))
  await waitFor(() => expect(again).toHaveBeenCalledOnce())
})
