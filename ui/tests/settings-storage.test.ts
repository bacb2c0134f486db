// Settings, storage and backup: checking and repairing, backing up, compacting, bringing a backup back.
import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { tick } from 'svelte'
import { beforeEach, describe, expect, test } from 'vitest'
import { applied } from '../src/features/settings/applied.svelte'
import { keeping } from '../src/features/settings/keeping.svelte'
import SettingsView from '../src/features/settings/Settings.svelte'
import { fakeHost, type FakeHost } from '../src/ipc/fake/host'
import { library, start } from '../src/ipc/fake/library'
import type { BackedUp, IpcError, Restored, Work } from '../src/ipc/types'
import { navigation } from '../src/state/navigation.svelte'
import { session } from '../src/state/session.svelte'
import { talk } from '../src/state/talk.svelte'

let host: FakeHost

const open = async (overrides: Parameters<typeof fakeHost>[0] = {}) => {
  host = fakeHost(overrides)
  await session.boot(host)
  navigation.openSettings('storage')
  render(SettingsView)
  await tick()
}
const press = (id: string) => fireEvent.click(screen.getByTestId(id))
const said = (id: string) => screen.getByTestId(id).textContent
const asked = () => host.log.map(({ name }) => name)
const failure = (message: string): IpcError => ({ kind: 'failed', notice: { code: 'text', text: message } })
const given: IpcError = { kind: 'cancelled', notice: { code: 'text', text: 'cancelled; what was done until then is kept' } }

beforeEach(() => {
  applied.errors = {}
  keeping.results = {}
  keeping.cancelled = null
  keeping.chosen = null
})

describe('a check', () => {
  test('says that all is well', async () => {
    await open()
    await press('check-library')
    await waitFor(() => expect(said('check-result')).toContain('1,707 files and 205,304 sentences agree with the index'))
    expect(screen.queryByTestId('repair-library')).toBeNull()
  })

  test('lists what does not agree, and shows an error in its place', async () => {
    let broken = true
    await open({
      check_library: () => {
        if (!broken) throw failure('The library is being written to.')
        return { documents: 3, sentences: 40, problems: [{ code: 'text', text: 'notes.md: 2 sentences have no vector' }] }
      },
    })
    await press('check-library')
    expect(await screen.findByText('notes.md: 2 sentences have no vector')).toBeTruthy()
    broken = false
    await press('check-library')
    expect((await screen.findByRole('alert')).textContent).toBe('The library is being written to.')
    expect(screen.queryByText('notes.md: 2 sentences have no vector')).toBeNull()
  })

  test('that found something offers a repair, which says what was mended', async () => {
    await open({ check_library: () => ({ documents: 3, sentences: 40, problems: [{ code: 'text', text: 'notes.md has no postings' }] }) })
    await press('check-library')
    await screen.findByText('1 thing does not agree:')
    await press('repair-library')
    await waitFor(() => expect(said('check-result')).toContain('1,704 files rebuilt from the texts, 3 files to be read again'))
    expect(screen.queryByText('notes.md has no postings')).toBeNull()
  })

  test('tells where a broken index was put, and why a repair failed', async () => {
    let fails = true
    await open({
      check_library: () => ({ documents: 0, sentences: 0, problems: [{ code: 'text', text: 'the data file is broken' }] }),
      repair_library: () => {
        if (fails) throw failure('the library is in use by another Oriel; close it and try again')
        return { recomputed: 0, reread: 0, forgotten: 0, unembedded: 0, refollowed: 0, unfollowed: 0, set_aside: '/home/ada/library/data.mdb.broken-1' }
      },
    })
    await press('check-library')
    await screen.findByTestId('repair-library')
    await press('repair-library')
    await screen.findByText('the library is in use by another Oriel; close it and try again')
    expect(screen.getByText('the data file is broken')).toBeTruthy()
    fails = false
    await press('repair-library')
    await waitFor(() => expect(said('check-result')).toContain('lies in /home/ada/library/data.mdb.broken-1 now'))
  })
})

describe('a backup', () => {
  test('shows bytes of bytes, and at its end name, size and conversations', async () => {
    let tell: (event: Work) => void = () => undefined
    let end: (result: BackedUp) => void = () => undefined
    await open({
      backup_library: (_, onEvent) => {
        tell = onEvent
        return new Promise((then) => (end = then))
      },
    })
    await press('backup-library')
    tell({ done: 300e6, total: 1.2e9, rate: null, left: null })
    await tick()
    const bar = screen.getByRole('progressbar', { name: 'Back up' })
    expect(bar.getAttribute('aria-valuetext')).toBe('300 MB of 1.2 GB at most')
    // One at a time.
    for (const other of ['restore', 'compact', 'check'])
      expect(screen.getByTestId<HTMLButtonElement>(`${other}-library`).disabled).toBe(true)
    end({ name: 'Home.tar', bytes: 1.1e9, conversations: 1 })
    await waitFor(() => expect(said('backup-result')).toBe('Home.tar holds the library with 1 conversation, 1.1 GB.'))
    expect(screen.queryByRole('progressbar')).toBeNull()
  })

  test('goes on when the page is left', async () => {
    let end: (result: BackedUp) => void = () => undefined
    await open({ backup_library: () => new Promise((then) => (end = then)) })
    await press('backup-library')
    navigation.openSettings('general')
    await tick()
    navigation.openSettings('storage')
    await tick()
    expect(said('backup-library')).toBe('Cancel')
    end({ name: 'Home.tar', bytes: 5e6, conversations: 2 })
    await waitFor(() => expect(said('backup-result')).toContain('2 conversations'))
  })

  test('can be cancelled, and is no error then', async () => {
    let refuse: (error: IpcError) => void = () => undefined
    await open({
      backup_library: () => new Promise((_, reject) => (refuse = reject)),
      stop_work: () => {
        refuse(given)
        return null
      },
    })
    await press('backup-library')
    await press('backup-library')
    await waitFor(() => expect(said('backup-result')).toBe('Cancelled. Nothing has changed.'))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('says nothing where the person changed their mind, and why where it failed', async () => {
    let fails = false
    await open({
      backup_library: async () => {
        if (fails) throw failure('/media/stick/Oriel.tar cannot be written: no room; choose another disk')
        return null
      },
    })
    await press('backup-library')
    await waitFor(() => expect(said('backup-library')).toBe('Back up…'))
    expect(said('backup-result')).toBe('')
    fails = true
    await press('backup-library')
    expect((await screen.findByRole('alert')).textContent).toContain('choose another disk')
  })
})

test('compacting says before and after', async () => {
  await open({ compact_library: async () => ({ before: 1.9e9, after: 1.2e9 }) })
  await press('compact-library')
  await waitFor(() => expect(said('compact-result')).toBe('The index took 1.9 GB and takes 1.2 GB now.'))
})

describe('bringing a backup back', () => {
  const restored: Restored = { name: 'Home.tar', bytes: 5e6, conversations: 2, replaced: '/home/ada/library.replaced-1' }

  test('asks first, and keeps what is there on Esc', async () => {
    await open()
    await press('restore-library')
    const asks = await screen.findByTestId('restore-asks')
    expect(asks.textContent).toContain('Oriel 2026-11-22.tar takes the place of the library that is here now')
    expect(asks.textContent).toContain('kept whole in /home/ada/.local/share/oriel')
    await fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
    expect(screen.queryByTestId('restore-asks')).toBeNull()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId('restore-library')))
    expect(asked()).not.toContain('restore_library')
  })

  test('shows the other library from then on, and where the old one lies', async () => {
    let isOther = false
    const other = { ...start, library: { ...library, documents: 12 }, conversations: [{ id: 'b1', title: 'Another', changed: 1 }] }
    await open({
      start: () => (isOther ? other : start),
      restore_library: async () => {
        isOther = true
        return restored
      },
    })
    navigation.pane = 'viewer'
    talk.id = start.conversations[0]!.id
    await press('restore-library')
    await fireEvent.click(await screen.findByTestId('forget'))
    await waitFor(() => expect(said('restore-result')).toContain('The one that was here before lies in /home/ada/library.replaced-1.'))
    await waitFor(() => expect(session.conversations).toEqual(other.conversations))
    expect(session.library?.documents).toBe(12)
    expect([navigation.pane, talk.id, navigation.page]).toEqual([null, null, 'settings'])
  })

  test('that failed leaves everything as it is and says why', async () => {
    await open({
      restore_library: async () => {
        throw failure('/home/ada/Home.tar is damaged: its files are not what its list says; choose another backup')
      },
    })
    const asksForStart = () => asked().filter((name) => name === 'start').length
    await press('restore-library')
    await fireEvent.click(await screen.findByTestId('forget'))
    expect((await screen.findByRole('alert')).textContent).toContain('choose another backup')
    expect(asksForStart()).toBe(1)
  })
})
