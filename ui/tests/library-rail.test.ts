import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import Rail from '../src/features/library/Rail.svelte'
import StatusLine from '../src/features/library/StatusLine.svelte'
import { emptyLibrary, embeddingLibrary, library as whole, secondFolder, start } from '../src/ipc/fake/library'
import type { LibraryState } from '../src/ipc/types'
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
afterEach(() => (navigation.railOpen = false))

describe('folders', () => {
  it('show how far the one being read is, and pause', async () => {
    await boot(secondFolder)
    render(Rail)
    expect(screen.getByText('312 of 503')).toBeTruthy()
    const bar = screen.getByRole('progressbar', { name: 'Contracts' })
    expect([bar.getAttribute('aria-valuenow'), bar.getAttribute('aria-valuemax')]).toEqual(['312', '503'])
    expect(bar.querySelector('i')?.style.width).toBe(`${(100 * 312) / 503}%`)
    expect(screen.getByText('by words in about 2 min')).toBeTruthy()
    host.send('library', { ...secondFolder, meaningLeft: 900 })
    expect(await screen.findByText('about 15 min left')).toBeTruthy()
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
      'Follow symbolic links',
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

  it('look again, exclude and follow links from their menu', async () => {
    await boot()
    render(Rail)
    await fireEvent.click(row('What can be done with Documents'))
    await fireEvent.click(await screen.findByRole('menuitem', { name: 'Look again' }))
    expect(called('rescan')).toHaveLength(1)
    await fireEvent.click(row('What can be done with Documents'))
    await fireEvent.click(await screen.findByRole('menuitem', { name: 'Exclude files…' }))
    expect(library.excluding).toBe(1)
    await fireEvent.click(row('What can be done with Documents'))
    await fireEvent.click(await screen.findByRole('menuitem', { name: 'Follow symbolic links' }))
    expect(called('follow_links')).toEqual([{ folder: 1, follow: true }])
  })

  it('say why one cannot be reached', async () => {
    const [one, two] = whole.folders
    await boot({ ...whole, folders: [one!, { ...two!, unreachable: { code: 'text', text: 'The disk is not connected; connect it.' } }] })
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
    expect(navigation.page).toBe('failures')
    await waitFor(() => expect(failed.getAttribute('aria-current')).toBe('page'))
  })

  it('are added by a small menu', async () => {
    const drop = { id: 4, folders: [], files: ['a.pdf'], unread: [] }
    await boot(whole, { choose_files: () => drop })
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
    expect(navigation.page).toBe('settings')
    await press('k', { ctrlKey: true })
    expect(navigation.dialog).toBe('palette')
  })

  it('begin no question where there is nothing to ask', async () => {
    await boot(emptyLibrary, {}, { conversations: [] })
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
    await waitFor(() => expect(navigation.railOpen).toBe(false))
    await fireEvent.click(row('Questions'))
    await screen.findByTestId('rail')
    await fireEvent.pointerDown(document.body)
    expect(navigation.railOpen).toBe(false)
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
  await boot(whole, {
    start: () => {
      // What the shell says after it made the answer arrives before it.
      host.send('library', idle)
      return { ...start, library: embeddingLibrary }
    },
    library_state: () => idle,
  })
  expect(session.library?.activity.is).toBe('idle')
})

it('nor when the library moved on while everything was asked for once more', async () => {
  const idle: LibraryState = { ...whole, activity: { is: 'idle' } }
  let again = false
  await boot(whole, {
    start: () => {
      if (again) host.send('library', idle)
      return { ...start, library: embeddingLibrary }
    },
    library_state: () => idle,
  })
  expect(session.library?.activity.is).toBe('embedding')
  again = true
  await session.renew()
  expect(session.library?.activity.is).toBe('idle')
})

it('of a library that can only be read offers nothing that changes it', async () => {
  await boot({ ...whole, readOnly: true })
  render(Rail)
  render(StatusLine)
  expect(screen.queryByRole('button', { name: 'Add a folder or files' })).toBeNull()
  expect(screen.getByText('Read only')).toBeTruthy()
  await fireEvent.click(screen.getAllByRole('button', { name: /^What can be done with/ })[0]!)
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(['Ask only here'])
})
