// Palette, sheet of shortcuts, actions of the whole app.
import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import axe from 'axe-core'
import { tick } from 'svelte'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { registerAppActions } from '../src/features/dialogs/appActions'
import Palette from '../src/features/dialogs/Palette.svelte'
import Shortcuts from '../src/features/dialogs/Shortcuts.svelte'
import { conversations, documents, library, start } from '../src/ipc/fake/library'
import { fakeHost, type FakeHost } from '../src/ipc/fake/host'
import { actions } from '../src/state/actions.svelte'
import { navigation } from '../src/state/navigation.svelte'
import { session } from '../src/state/session.svelte'
import { talk } from '../src/state/talk.svelte'
import { viewer } from '../src/state/viewer.svelte'

let host: FakeHost
let leave: () => void

beforeEach(async () => {
  host = fakeHost()
  await session.boot(host)
  navigation.page = 'talk'
  navigation.pane = null
  navigation.dialog = null
  leave = registerAppActions()
})
afterEach(() => {
  leave()
  vi.restoreAllMocks()
})

const last = (name: string) => host.log.filter((one) => one.name === name).at(-1)?.args
const axeFinds = async () => {
  const { violations } = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false } } })
  return violations.map(({ id, nodes }) => [id, nodes[0]?.html])
}

describe('the palette', () => {
  const open = async (begin = '') => {
    navigation.openDialog('palette', begin)
    render(Palette)
    await waitFor(() => expect(host.log.some(({ name }) => name === 'documents') || begin === '>').toBe(true))
    await tick()
    return screen.getByRole<HTMLInputElement>('combobox')
  }
  const type = async (field: HTMLInputElement, value: string) => {
    await fireEvent.input(field, { target: { value } })
    await waitFor(() => expect(last('documents')).toMatchObject({ query: value.replace(/^@/, '') }))
    await tick()
  }
  const options = () => screen.getAllByRole('option').map((one) => one.textContent?.trim())
  const current = (field: HTMLElement) => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')

  test('the field has the focus and points at what Enter would do', async () => {
    const field = await open()
    expect(document.activeElement).toBe(field)
    expect(current(field)?.getAttribute('aria-selected')).toBe('true')
    expect(screen.getAllByRole('option', { selected: true })).toHaveLength(1)
  })

  test('Enter takes what is found for what was typed, not what was found before', async () => {
    let answer = () => {}
    const slow = new Promise<void>((done) => (answer = done))
    host = fakeHost({
      documents: async ({ query }) => {
        if (query === 'q3') await slow
        return documents.filter(({ name }) => name.toLowerCase().includes(query))
      },
    })
    await session.boot(host)
    const field = await open('@')
    await waitFor(() => expect(options().length).toBeGreaterThan(1))
    await fireEvent.input(field, { target: { value: '@q3' } })
    const before = options()
    await fireEvent.keyDown(field, { key: 'Enter' })
    expect([navigation.dialog, before.length > 1]).toEqual(['palette', true])
    answer()
    await waitFor(() => expect(navigation.dialog).toBeNull())
  })

  test('asks for questions by what they hold and for five documents', async () => {
    const field = await open()
    await type(field, 'q3')
    expect(last('conversations')).toEqual({ query: 'q3' })
    expect(last('documents')).toEqual({ query: 'q3', limit: 5 })
    const group = screen.getByRole('group', { name: 'Documents' })
    expect(within(group).getByText('Q3').tagName).toBe('MARK')
  })

  test('a question found by what it holds stands after those found by title', async () => {
    host = fakeHost({ conversations: () => [conversations[3]!, conversations[0]!] })
    await session.boot(host)
    const field = await open()
    await type(field, 'phoenix')
    const titles = within(screen.getByRole('group', { name: 'Questions' })).getAllByRole('option')
    expect(titles.map((one) => one.querySelector('.cut')?.textContent)).toEqual(['Phoenix Initiative ROI', 'Yield of batch 14'])
  })

  test('arrows, Home and End move through all sections and go round', async () => {
    const field = await open()
    const all = screen.getAllByRole('option')
    await fireEvent.keyDown(field, { key: 'ArrowDown' })
    expect(current(field)).toBe(all[1])
    await fireEvent.keyDown(field, { key: 'End' })
    expect(current(field)).toBe(all.at(-1))
    await fireEvent.keyDown(field, { key: 'ArrowDown' })
    expect(current(field)).toBe(all[0])
    await fireEvent.keyDown(field, { key: 'ArrowUp' })
    expect(current(field)).toBe(all.at(-1))
    await fireEvent.keyDown(field, { key: 'Home' })
    expect(current(field)).toBe(all[0])
  })

  test('Enter opens a document in the viewer and closes the palette', async () => {
    const opened = vi.spyOn(viewer, 'open').mockResolvedValue()
    const field = await open()
    await type(field, '@odyssey')
    expect(screen.queryByRole('group', { name: 'Commands' })).toBeNull()
    expect(options()).toHaveLength(1)
    await fireEvent.keyDown(field, { key: 'Enter' })
    await waitFor(() => expect(opened).toHaveBeenCalledExactlyOnceWith({ is: 'document', document: documents[1]!.id }))
    expect(navigation.dialog).toBeNull()
  })

  test('a press opens a question', async () => {
    const opened = vi.spyOn(talk, 'open').mockResolvedValue()
    navigation.page = 'failures'
    await open()
    await fireEvent.click(screen.getByRole('option', { name: /Landlord notice period/ }))
    await waitFor(() => expect(opened).toHaveBeenCalledExactlyOnceWith(conversations[1]!.id))
    expect(navigation.page).toBe('talk')
  })

  test('with > commands alone; what cannot be done now is left out', async () => {
    const field = await open('>')
    expect(screen.queryByRole('group', { name: 'Documents' })).toBeNull()
    expect(options()).toContain('Dark theme')
    expect(options()).not.toContain('Light theme')
    await fireEvent.input(field, { target: { value: '>dark' } })
    await fireEvent.keyDown(field, { key: 'Enter' })
    await waitFor(() => expect(document.documentElement.dataset.theme).toBe('dark'))
    expect(host.log.at(-1)).toEqual({ name: 'set_settings', args: { ...start.settings, theme: 'dark' } })
  })

  test('with # questions alone, more of them', async () => {
    const many = Array.from({ length: 60 }, (_, k) => ({ ...conversations[0]!, id: `${k}`, title: `Rent of month ${k}` }))
    host = fakeHost({ conversations: () => many })
    await session.boot(host)
    navigation.openDialog('palette', '#rent')
    render(Palette)
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(40))
    expect(screen.getAllByRole('group')).toHaveLength(1)
    expect(last('conversations')).toEqual({ query: 'rent' })
    expect(host.log.some(({ name }) => name === 'documents')).toBe(false)
  })

  test('finds settings and opens their page', async () => {
    const field = await open('>')
    await fireEvent.input(field, { target: { value: '>passages for' } })
    await fireEvent.keyDown(field, { key: 'Enter' })
    await waitFor(() => expect(navigation.page).toBe('settings'))
    expect(navigation.settingsPage).toBe('answers')
  })

  test('Esc closes it', async () => {
    const field = await open()
    await fireEvent.keyDown(field, { key: 'Escape' })
    expect(navigation.dialog).toBeNull()
  })

  test('an answer that comes late does not take the place of a newer one', async () => {
    let late: ((rows: typeof documents) => void) | undefined
    host = fakeHost({ documents: ({ query }) => (query === 'q' ? new Promise((then) => (late = then)) : documents.slice(1, 2)) })
    await session.boot(host)
    const field = await open()
    await type(field, 'q')
    await type(field, 'odyssey')
    await waitFor(() => expect(options().join()).toContain('odyssey-notes.md'))
    late?.([documents[0]!])
    await tick()
    expect(options().join()).not.toContain('Q3-report.pdf')
  })

  test('says so where nothing fits, and shows an error in place', async () => {
    const field = await open()
    await type(field, 'zzzzqqq')
    expect(screen.getByText(/Nothing is called “zzzzqqq”/)).toBeTruthy()
    const failing = fakeHost({
      documents: () => {
        throw { kind: 'failed', notice: { code: 'text', text: 'The library cannot be read: the disk is gone.' } }
      },
    })
    await session.boot(failing)
    await fireEvent.input(field, { target: { value: 'q3' } })
    expect((await screen.findByRole('alert')).textContent).toBe('The library cannot be read: the disk is gone.')
  })

  test('axe finds nothing', async () => {
    await open()
    expect(await axeFinds()).toEqual([])
  })
})

describe('the sheet of shortcuts', () => {
  const rowOf = (label: string) => screen.getByText(label).closest('div')!
  const capsOf = (label: string) => [...rowOf(label).querySelectorAll('kbd')].map((cap) => cap.textContent)

  test('shows keys as caps, on macOS its own', async () => {
    render(Shortcuts)
    expect(capsOf('Search and commands')).toEqual(['Ctrl', 'K'])
    expect(capsOf('Wider')).toEqual(['Alt', '+'])
    expect(capsOf('Narrower')).toEqual(['Alt', '−'])
    expect(capsOf('Copy with citations')).toEqual(['Ctrl', 'Shift', 'C'])
    await session.boot(fakeHost({ start: () => ({ ...start, mac: true }) }))
    await tick()
    expect(capsOf('Search and commands')).toEqual(['⌘', 'K'])
  })

  test('lists what else was registered with a key, once, and leaves out what has none', async () => {
    const off = actions.register(
      { id: 'probe', group: 'viewer', label: () => 'Turn the page', keys: ['Mod+Shift+L'], run: () => undefined },
      { id: 'probe2', group: 'viewer', label: () => 'Turn it again', keys: ['Mod+Shift+L'], run: () => undefined },
      { id: 'bare', group: 'viewer', label: () => 'Without a key', keys: [], run: () => undefined },
    )
    render(Shortcuts)
    expect(capsOf('Turn the page')).toEqual(['Ctrl', 'Shift', 'L'])
    expect(screen.getByRole('region', { name: 'Reading' }).contains(rowOf('Turn the page'))).toBe(true)
    expect(screen.queryByText('Turn it again')).toBeNull()
    expect(screen.queryByText('Without a key')).toBeNull()
    off()
  })

  test('leads to the settings', async () => {
    navigation.openDialog('shortcuts')
    render(Shortcuts)
    await fireEvent.click(screen.getByText('Show in settings'))
    await waitFor(() => expect([navigation.page, navigation.settingsPage, navigation.dialog]).toEqual(['settings', 'keyboard', null]))
  })

  test('axe finds nothing', async () => {
    render(Shortcuts)
    expect(await axeFinds()).toEqual([])
  })
})

describe('actions of the whole app', () => {
  const press = (key: string) => actions.dispatch(new KeyboardEvent('keydown', { key, shiftKey: key === '?' }))
  const run = (id: string) => actions.list.find((action) => action.id === id)!

  test('? opens the sheet', () => {
    expect(press('?')).toBe(true)
    expect(navigation.dialog).toBe('shortcuts')
  })

  test('text grows and shrinks in its four steps and no further', async () => {
    run('text-larger').run()
    await waitFor(() => expect(session.settings.textSize).toBe(112.5))
    run('text-larger').run()
    await waitFor(() => expect(document.documentElement.style.fontSize).toBe('125%'))
    expect(run('text-larger').enabled?.()).toBe(false)
    run('text-smaller').run()
    await waitFor(() => expect(session.settings.textSize).toBe(112.5))
  })

  test('the interface changes its language', async () => {
    run('german').run()
    await waitFor(() => expect(run('theme-dark').label()).toBe('Dunkles Design'))
    expect(run('german').enabled?.()).toBe(false)
  })

  test('the sample is offered until it is there', async () => {
    expect(run('add-sample').enabled?.()).toBe(true)
    run('add-sample').run()
    await waitFor(() => expect(host.log.some(({ name }) => name === 'add_sample')).toBe(true))
    host.send('library', { ...library, folders: [{ ...library.folders[0]!, own: 'sample' }] })
    expect(run('add-sample').enabled?.()).toBe(false)
  })
})
