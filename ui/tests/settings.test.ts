// Settings: what a change sends, where an error shows, finding a setting, folders, indexing, checking, language.
import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import axe from 'axe-core'
import { tick } from 'svelte'
import { beforeEach, describe, expect, test } from 'vitest'
import { applied } from '../src/features/settings/applied.svelte'
import lock from '../../Cargo.lock?raw'
import { findSettings } from '../src/features/settings/index'
import { parts } from '../src/features/settings/mpl'
import SettingsView from '../src/features/settings/Settings.svelte'
import { en } from '../src/i18n/en'
import { de } from '../src/i18n/de'
import { library as recorded, settings, start } from '../src/ipc/fake/library'
import { programs } from '../src/ipc/fake/settings'
import { fakeHost, type FakeHost } from '../src/ipc/fake/host'
import { actions } from '../src/state/actions.svelte'
import { library } from '../src/state/library.svelte'
import { navigation, type SettingsPage } from '../src/state/navigation.svelte'
import { session } from '../src/state/session.svelte'

let host: FakeHost

const boot = async (overrides: Parameters<typeof fakeHost>[0] = {}) => {
  host = fakeHost(overrides)
  await session.boot(host)
}
const open = async (page: SettingsPage) => {
  navigation.openSettings(page)
  render(SettingsView)
  await tick()
}
const sent = () => host.log.filter(({ name }) => name === 'set_settings').map(({ args }) => args)
const press = (init: KeyboardEventInit) => actions.dispatch(new KeyboardEvent('keydown', { cancelable: true, ...init }))

beforeEach(async () => {
  navigation.page = 'settings'
  applied.errors = {}
  applied.target = null
  await boot()
})

test('the glossary is kept as it was typed, and says which lines are no entries', async () => {
  await boot({ set_glossary: () => [2] })
  await open('answers')
  const field = await screen.findByLabelText<HTMLTextAreaElement>(/^Other words/)
  await waitFor(() => expect(field.value).toBe('quick ratio: current assets less inventories'))
  const text = 'PPE: property, plant and equipment\nno entry'
  await fireEvent.input(field, { target: { value: text } })
  await fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(host.log.filter(({ name }) => name === 'set_glossary').map(({ args }) => args)).toEqual([{ text }])
  await screen.findByText('Line 2 is no entry: it needs a name, a colon and a wording.')
})

describe('other programs', () => {
  const lines = () => screen.findByLabelText('Lines for Cursor')

  test('each shows its file, its state and the lines to copy', async () => {
    const written: string[] = []
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (text: string) => written.push(text) } })
    await open('programs')
    const row = within(await screen.findByTestId('program-claude-desktop'))
    row.getByText('Set up')
    row.getByText('Leaves this computer')
    await fireEvent.click(screen.getByRole('button', { name: 'Set up: Cursor' }))
    expect((await lines()).textContent).toBe(programs.lines)
    screen.getByText('/home/ada/.cursor/mcp.json')
    await fireEvent.click(screen.getByTestId('copy-setup'))
    await screen.findByText('Copied')
    expect(written).toEqual([programs.lines])
  })

  test('nothing can be copied where the command is missing', async () => {
    await boot({ programs: () => ({ ...programs, lines: null }) })
    await open('programs')
    await screen.findByText(/is not installed beside this app/)
    expect(screen.queryByRole('button', { name: 'Set up: Cursor' })).toBeNull()
  })

  test('a folder is hidden and shown again', async () => {
    await open('programs')
    await fireEvent.click(await screen.findByLabelText(/^Documents/))
    await screen.findByText('1,204 files, hidden from them')
    await fireEvent.click(screen.getByRole('button', { name: 'Show again: Tax' }))
    await waitFor(() => expect(screen.queryByText('Except Tax, 38 files')).toBeNull())
    expect(host.log.slice(-2)).toEqual([
      { name: 'hide_folder', args: { folder: 0, hide: true } },
      { name: 'unhide', args: { path: '/home/ada/Documents/Tax' } },
    ])
  })

  test('a box shows what is hidden, also where a change fails or is not possible', async () => {
    const folders = programs.folders.map((one) => ({ ...one, canChange: !one.isHidden }))
    await boot({
      programs: () => ({ ...programs, folders }),
      hide_folder: () => Promise.reject({ kind: 'failed', notice: { code: 'text', text: 'programs.json cannot be written' } }),
    })
    await open('programs')
    const box = await screen.findByLabelText<HTMLInputElement>(/^Documents/)
    await fireEvent.click(box)
    await screen.findByText(/cannot be written/)
    await waitFor(() => expect(box.checked).toBe(true))
    expect(screen.getByLabelText<HTMLInputElement>(/^Contracts/).disabled).toBe(true)
  })

  test('what they asked is listed and can be cleared', async () => {
    await open('programs')
    const log = within(await screen.findByTestId('asked-log'))
    expect(log.getAllByRole('row')).toHaveLength(5)
    log.getByText('Checked “ROI fell to 12%, down from 15%”')
    log.getByText('Contradicted, 1 place in 1 file')
    expect(log.getByText('Nothing').title).toContain('not followed')
    await fireEvent.click(screen.getByRole('button', { name: 'Show all 8' }))
    expect(log.getAllByRole('row')).toHaveLength(8)
    log.getByText('Which models there are')
    log.getByText('Vectors of “A text of the other program.”')
    await fireEvent.click(screen.getByRole('button', { name: 'Clear' }))
    await screen.findByText('No program has asked yet.')
  })
})

describe('the local address', () => {
  const section = async () => within(await screen.findByTestId('local-address'))

  test('is off, says what it means, and gives address and key to copy when it is on', async () => {
    const written: string[] = []
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (text: string) => written.push(text) } })
    await open('programs')
    const local = await section()
    local.getByText(/any program on this computer that has the key can ask/)
    const box = local.getByLabelText<HTMLInputElement>('Programs on this computer can ask')
    expect(box.checked).toBe(false)
    expect(local.queryByText('Address')).toBeNull()
    await fireEvent.click(box)
    await local.findByText('http://127.0.0.1:7766/v1')
    expect(box.checked).toBe(true)
    local.getByText('/home/ada/.local/share/oriel/library/serve-token')
    await fireEvent.click(local.getByRole('button', { name: 'Copy the address' }))
    await local.findByText('Copied')
    await fireEvent.click(local.getByRole('button', { name: 'Copy the key' }))
    await waitFor(() => expect(written).toEqual(['http://127.0.0.1:7766/v1', 'or-0123']))
    await fireEvent.click(local.getByRole('button', { name: 'New key…' }))
    await fireEvent.click(local.getByRole('button', { name: 'Make a new key' }))
    await waitFor(() => expect(local.queryByText(/Programs that use the old key/)).toBeNull())
    expect(host.log.filter(({ name }) => name.includes('local')).map(({ name }) => name)).toEqual([
      'set_local_address',
      'local_key',
      'renew_local_key',
    ])
  })

  test('says that its port is taken, and takes another', async () => {
    const local = { ...programs.local, isOn: true, port: 80, error: { code: 'port-taken' as const, port: 80 } }
    await boot({ programs: () => ({ ...programs, local }) })
    await open('programs')
    const shown = await section()
    shown.getByText(/^port 80 of this computer is in use; choose another one/)
    await fireEvent.input(shown.getByLabelText('Port'), { target: { value: '7777' } })
    await fireEvent.click(shown.getByRole('button', { name: 'Try this port' }))
    await shown.findByText('http://127.0.0.1:7777/v1')
    expect(shown.queryByRole('alert')).toBeNull()
  })
})

describe('a change', () => {
  test('of the theme is sent whole and seen at once', async () => {
    await open('appearance')
    await fireEvent.click(screen.getByLabelText('Dark'))
    expect(sent()).toEqual([{ ...settings, theme: 'dark' }])
    expect(document.documentElement.dataset.theme).toBe('dark')
    expect(screen.getByLabelText<HTMLInputElement>('Dark').checked).toBe(true)
  })

  test('waits for the one before it, so that the last one is kept', async () => {
    const ends: (() => void)[] = []
    await boot({ set_settings: () => new Promise((done) => ends.push(() => done(session.engine))) })
    const [first, second] = [session.change({ passages: 5 }), session.change({ passages: 6 })]
    await tick()
    expect(sent()).toHaveLength(1)
    ends.shift()?.()
    await first
    await tick()
    expect(sent().at(-1)).toEqual({ ...settings, passages: 6 })
    ends.shift()?.()
    await second
    expect(session.settings.passages).toBe(6)
  })

  test('of the text size scales the root', async () => {
    await open('appearance')
    await fireEvent.click(screen.getByLabelText('112.5%'))
    expect(sent()).toEqual([{ ...settings, textSize: 112.5 }])
    expect(document.documentElement.style.fontSize).toBe('112.5%')
  })

  test('of the language changes every word at once; the system’s is null', async () => {
    await open('general')
    await fireEvent.click(screen.getByLabelText('Deutsch'))
    expect(screen.getByRole('heading', { name: 'Allgemein' })).toBeTruthy()
    await fireEvent.click(screen.getByLabelText('Wie im System'))
    expect(sent()).toEqual([
      { ...settings, language: 'de' },
      { ...settings, language: null },
    ])
  })

  test('of a slider counts when it is let go, not while it moves', async () => {
    await open('answers')
    const slider = screen.getByRole('slider', { name: 'Sentences after' })
    await fireEvent.input(slider, { target: { value: '5' } })
    expect(slider.getAttribute('aria-valuetext')).toBe('5')
    expect(sent()).toEqual([])
    await fireEvent.change(slider, { target: { value: '5' } })
    expect(sent()).toEqual([{ ...settings, window: { before: 3, after: 5 } }])
  })

  test('that the shell refuses says why beside the setting and is taken back', async () => {
    await boot({
      set_settings: ({ closeToTray }) => {
        if (closeToTray) throw { kind: 'failed', notice: { code: 'text', text: 'There is no tray on this desktop.' } }
        return session.engine
      },
    })
    await open('general')
    await fireEvent.click(screen.getByLabelText('Keep Oriel in the tray'))
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toBe('There is no tray on this desktop.')
    expect(document.getElementById('setting-closeToTray')?.contains(alert)).toBe(true)
    expect(screen.getByLabelText<HTMLInputElement>('Keep Oriel in the tray').checked).toBe(false)
    expect(session.settings).toEqual(settings)
    // The next try that works takes the message away.
    await fireEvent.click(screen.getByLabelText('Say when a long reading of files has ended'))
    await boot()
    await fireEvent.click(screen.getByLabelText('Keep Oriel in the tray'))
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  })
})

describe('the rail', () => {
  test('says which page is open, arrows move in it, Esc leads back', async () => {
    await open('general')
    const current = screen.getByRole('button', { name: 'General' })
    expect(current.getAttribute('aria-current')).toBe('page')
    expect(document.activeElement).toBe(current)
    await fireEvent.keyDown(current, { key: 'ArrowDown' })
    expect(document.activeElement?.textContent?.trim()).toBe('Appearance')
    await fireEvent.click(document.activeElement!)
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Appearance')
    expect(press({ key: 'Escape' })).toBe(true)
    expect(navigation.page).toBe('talk')
  })

  test('Ctrl F finds a setting by its words, Enter opens and focuses it', async () => {
    await open('general')
    expect(press({ key: 'f', ctrlKey: true })).toBe(true)
    const field = screen.getByRole('searchbox', { name: 'Find a setting' })
    expect(document.activeElement).toBe(field)
    await fireEvent.input(field, { target: { value: 'candidates' } })
    expect(screen.getByText('1 setting')).toBeTruthy()
    await fireEvent.keyDown(field, { key: 'Enter' })
    expect(navigation.settingsPage).toBe('answers')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('slider', { name: 'Places looked at' })))
  })

  test('Esc empties the field before it leads back', async () => {
    await open('general')
    const field = screen.getByRole('searchbox')
    await fireEvent.input(field, { target: { value: 'nothing like it' } })
    expect(screen.getByText(/No page or setting is called/)).toBeTruthy()
    press({ key: 'Escape' })
    await tick()
    expect(navigation.page).toBe('settings')
    expect(screen.getByRole('button', { name: 'About' })).toBeTruthy()
    press({ key: 'Escape' })
    expect(navigation.page).toBe('talk')
  })

  test('finds by other words and in the language of the interface', async () => {
    expect(findSettings('dark').map(({ item }) => item)).toContain('theme')
    expect(findSettings('privacy')[0]).toMatchObject({ page: 'privacy', item: null })
    expect(findSettings('  ')).toEqual([])
    await boot({ start: () => ({ ...start, settings: { ...settings, language: 'de' } }) })
    expect(findSettings('TEXTGROSSE')[0]).toEqual({ page: 'appearance', item: 'textSize', label: 'Textgröße' })
    expect(findSettings('dunkel').map(({ item }) => item)).toEqual(['theme'])
    expect(findSettings('dark')).toEqual([])
  })
})

describe('folders', () => {
  test('says what is forgotten before it removes, and Esc keeps it', async () => {
    await open('folders')
    const row = screen.getByTestId('folder-2')
    const remove = within(row).getByRole('button', { name: 'Remove Contracts' })
    await fireEvent.click(remove)
    const says = screen.getByText('Remove Contracts: 503 files leave the index, the files themselves stay.')
    await fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
    expect(says.isConnected).toBe(false)
    await waitFor(() => expect(document.activeElement).toBe(remove))
    expect(navigation.page).toBe('settings')
    await fireEvent.click(remove)
    await fireEvent.click(screen.getByTestId('forget'))
    expect(host.log.at(-1)).toEqual({ name: 'remove_folder', args: { folder: 2 } })
  })

  test('shows what is left out and opens the patterns', async () => {
    host.send('library', {
      ...recorded,
      folders: [{ ...recorded.folders[0]!, excludes: ['*.log', 'Archive/'], waiting: 12, failed: 7, unreachable: { code: 'text', text: 'the disk is not connected' } }],
    })
    await open('folders')
    expect(screen.getByText('*.log, Archive/')).toBeTruthy()
    expect(screen.getByText('12 wait to be read')).toBeTruthy()
    expect(screen.getByText(/Cannot be reached: the disk is not connected/)).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: 'Exclude files of Documents' }))
    expect(library.excluding).toBe(1)
    library.excluding = null
  })

  test('adds one', async () => {
    await open('folders')
    await fireEvent.click(screen.getByTestId('settings-add-folder'))
    expect(host.log.at(-1)?.name).toBe('choose_folder')
  })
})

describe('indexing', () => {
  test('says with figures what is done, pauses and goes on', async () => {
    host.send('library', { ...recorded, activity: { is: 'embedding', done: 1200, total: 4000, rate: 190, left: 15 } })
    await open('indexing')
    const said = 'Making sentences findable by meaning, 1,200 of 4,000 · 190 a second · about 15 s left'
    expect(screen.getByText(said)).toBeTruthy()
    host.send('library', { ...recorded, activity: { is: 'embedding', done: 1200, total: 4000, rate: 190, left: 15 }, yielding: true })
    const waits = 'Making sentences findable by meaning, 1,200 of 4,000 · waits until the answer is written'
    expect(await screen.findByText(waits)).toBeTruthy()
    host.send('library', { ...recorded, activity: { is: 'embedding', done: 1200, total: 4000, rate: 190, left: 15 } })
    await screen.findByText(said)
    // Figures that change by themselves can be looked up, and are not announced.
    expect(screen.getByRole('progressbar', { name: 'Reading files' }).getAttribute('aria-valuetext')).toBe(said)
    expect(screen.queryByRole('status')).toBeNull()
    await fireEvent.click(screen.getByTestId('settings-pause'))
    expect(host.log.at(-1)?.name).toBe('pause')
    host.send('library', { ...recorded, activity: { is: 'paused' } })
    await waitFor(() => expect(screen.getByTestId('settings-pause').textContent?.trim()).toBe('Resume'))
    await fireEvent.click(screen.getByTestId('settings-pause'))
    expect(host.log.at(-1)?.name).toBe('resume')
  })

  test('leaves long work for mains power, or not', async () => {
    host.send('library', { ...recorded, activity: { is: 'deferred' } })
    await open('indexing')
    expect(await screen.findByText('The rest waits for mains power')).toBeTruthy()
    await fireEvent.click(screen.getByTestId('settings-pause'))
    expect(host.log.at(-1)?.name).toBe('resume')
    await fireEvent.click(screen.getByRole('checkbox', { name: 'Wait for mains power with long work' }))
    await waitFor(() => expect(host.log.at(-1)).toMatchObject({ name: 'set_settings', args: { savePower: false } }))
  })

  test('looks again, and leads to what could not be read', async () => {
    await open('indexing')
    await fireEvent.click(screen.getByRole('button', { name: 'Look again' }))
    expect(host.log.at(-1)?.name).toBe('rescan')
    await fireEvent.click(screen.getByRole('button', { name: 'Show 7 files' }))
    expect(navigation.page).toBe('failures')
  })

  test('leads to what holds nothing to read where everything could be read', async () => {
    host.send('library', { ...recorded, failed: 0 })
    await open('indexing')
    await fireEvent.click(screen.getByRole('button', { name: 'Show 315 files with nothing to read' }))
    expect(navigation.page).toBe('failures')
  })
})

describe('about', () => {
  test('names what is shipped under the MPL as it is locked, and where its source is', async () => {
    const locked = parts.filter((part) => {
      const [name, version] = part.split(' ')
      return lock.includes(`name = "${name}"\nversion = "${version}"\n`)
    })
    expect(locked).toEqual(parts)
    await open('about')
    const said = screen.getByText('Parts under MPL-2.0').nextElementSibling!.textContent
    for (const part of parts) expect(said).toContain(part)
    expect(said).toContain('crates.io')
  })
})

describe('every page', () => {
  const pages = Object.keys(en.settings.pages) as SettingsPage[]

  test.each(pages)('%s: has its title, and axe finds nothing', async (page) => {
    await open(page)
    if (page === 'models' || page === 'about') await screen.findByText('Qwen2.5 Coder 0.5B', { selector: 'b' })
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(en.settings.pages[page])
    const { violations } = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false } } })
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
  })

  test('is in German with nothing of English left', async () => {
    await boot({ start: () => ({ ...start, settings: { ...settings, language: 'de' } }) })
    /** Words that are the same in both, or that name themselves. */
    const same = /^(Oriel|English|Deutsch|Version|Text|Index|Threads|~\/.*|.*SIL Open Font License.*|[\d\s.,%–−-]*)$/
    const flat = (words: object): string[] =>
      Object.values(words).flatMap((word) => (typeof word === 'string' ? [word] : typeof word === 'object' ? flat(word) : []))
    const english = new Set([...flat(en.settings), ...flat(en.models), ...flat(en.dialogs)].filter((word) => !same.test(word)))
    const shared = [...flat(de.settings), ...flat(de.models), ...flat(de.dialogs)].filter((word) => english.has(word))
    expect(shared).toEqual([])
  })
})
