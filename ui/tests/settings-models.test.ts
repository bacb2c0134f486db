// The page of models: roles, memory, downloads that ask first, importing, removing, names.
import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { tick } from 'svelte'
import { beforeEach, describe, expect, test } from 'vitest'
import { applied } from '../src/features/settings/applied.svelte'
import { models } from '../src/features/settings/models.svelte'
import { nameOf } from '../src/features/settings/names'
import SettingsView from '../src/features/settings/Settings.svelte'
import { settings } from '../src/ipc/fake/library'
import { models as recorded } from '../src/ipc/fake/settings'
import { fakeHost, type FakeHost } from '../src/ipc/fake/host'
import type { ModelProgress } from '../src/ipc/types'
import { place } from '../src/state/place.svelte'
import { session } from '../src/state/session.svelte'

let host: FakeHost

const open = async (overrides: Parameters<typeof fakeHost>[0] = {}) => {
  host = fakeHost(overrides)
  await session.boot(host)
  models.state = undefined
  models.errors = {}
  models.downloads = {}
  models.imported = null
  applied.errors = {}
  place.openSettings('models')
  render(SettingsView)
  await screen.findByTestId('model-multilingual-e5-small')
}
const row = (id: string) => screen.getByTestId(`model-${id}`)
const calls = (name: string) => host.log.filter((one) => one.name === name).map(({ args }) => args)
const e5 = 'multilingual-e5-small'

beforeEach(() => (place.page = 'settings'))

describe('roles', () => {
  test('shows what is in use, and a choice is sent by its id', async () => {
    await open()
    const writes = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Writes the answer' })
    expect(writes.value).toBe('smollm2-135m-instruct-q4_1')
    await fireEvent.change(writes, { target: { value: 'qwen2.5-7b-instruct-q4_k_m' } })
    expect(calls('set_settings')).toEqual([{ ...settings, generator: 'qwen2.5-7b-instruct-q4_k_m' }])
  })

  test('can be left empty: off for ordering, quotes for writing, and says what that means', async () => {
    await open()
    await fireEvent.change(screen.getByRole('combobox', { name: 'Puts passages in order' }), { target: { value: 'off' } })
    await fireEvent.change(screen.getByRole('combobox', { name: 'Writes the answer' }), { target: { value: 'quotes' } })
    expect(calls('set_settings').at(-1)).toEqual({ ...settings, reranker: 'off', generator: 'quotes' })
    expect(screen.getByText(/word for word/)).toBeTruthy()
    // Nothing but a model finds by meaning.
    const finds = screen.getByRole('combobox', { name: 'Finds by meaning' })
    expect(within(finds).getAllByRole('option').map((option) => option.textContent)).toEqual(['all-MiniLM-L6-v2'])
  })

  test('does not offer what does not fit', async () => {
    await open()
    const unfit = screen.getByRole<HTMLOptionElement>('option', { name: 'Mistral Small 24B, needs 8.9 GB more' })
    expect(unfit.disabled).toBe(true)
    const mistral = row('mistral-small-24b-q4_k_m')
    expect(within(mistral).getByText('Needs 8.9 GB more')).toBeTruthy()
    expect(within(mistral).queryByRole('button', { name: /^Use/ })).toBeNull()
    expect(within(mistral).getByRole('button', { name: 'Remove Mistral Small 24B' })).toBeTruthy()
  })

  test('Use in the table sends the same', async () => {
    await open()
    await fireEvent.click(screen.getByRole('button', { name: 'Use Qwen2.5 7B Instruct' }))
    expect(calls('set_settings')).toEqual([{ ...settings, generator: 'qwen2.5-7b-instruct-q4_k_m' }])
  })
})

describe('the machine', () => {
  test('says what memory goes to and why the card is not used', async () => {
    await open({ models: () => ({ ...recorded, features: ['cuda'], deviceNote: 'no driver was found' }) })
    expect(screen.getByRole('img', { name: 'Other programs 7.4 GB, the models in use 0.6 GB, free 8.0 GB' })).toBeTruthy()
    expect(screen.getByText('no driver was found')).toBeTruthy()
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /Processor/ }).checked).toBe(true)
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /Graphics card/ }).disabled).toBe(true)
  })

  test('a card is used unless the person wants the processor', async () => {
    await open({ models: () => ({ ...recorded, card: 'CUDA', features: ['cuda'] }) })
    const [processor, card] = [/Processor/, /Graphics card/].map((name) => screen.getByRole<HTMLInputElement>('radio', { name }))
    expect([processor!.checked, card!.checked]).toEqual([false, true])
    expect(screen.getByText('CUDA, in use')).toBeTruthy()
    await fireEvent.click(processor!)
    await fireEvent.click(card!)
    expect(calls('set_settings')).toEqual([
      { ...settings, cpu: true },
      { ...settings, cpu: false },
    ])
  })

  test('all threads are no number; fewer are', async () => {
    await open()
    const threads = screen.getByRole('slider', { name: 'Threads' })
    expect(threads.getAttribute('aria-valuetext')).toBe('8 of 8')
    await fireEvent.change(threads, { target: { value: '4' } })
    await fireEvent.change(threads, { target: { value: '8' } })
    expect(calls('set_settings')).toEqual([
      { ...settings, threads: 4 },
      { ...settings, threads: null },
    ])
  })

  test('memory is freed after ten minutes, or never', async () => {
    await open()
    const box = screen.getByRole('checkbox', { name: 'Free the memory after 10 min without a question' })
    await fireEvent.click(box)
    await fireEvent.click(box)
    expect(calls('set_settings')).toEqual([
      { ...settings, freeAfter: null },
      { ...settings, freeAfter: 10 },
    ])
  })

  test('says so where the memory cannot be told', async () => {
    await open({ models: () => ({ ...recorded, memoryTotal: 0 }) })
    expect(screen.getByText('how much this machine has cannot be told')).toBeTruthy()
    expect(screen.queryByRole('img', { name: /Other programs/ })).toBeNull()
  })
})

describe('a download', () => {
  const ask = () => fireEvent.click(within(row(e5)).getByRole('button', { name: 'Download 471 MB: multilingual-e5-small' }))

  test('asks first, names the host and the size, and Cancel or Esc connects to nothing', async () => {
    await open()
    await ask()
    const asks = screen.getByTestId('model-asks')
    expect(asks.textContent).toContain('Oriel connects to pypi.org to fetch 471 MB.')
    expect(document.activeElement?.textContent?.trim()).toBe('Download')
    await fireEvent.click(within(asks).getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByTestId('model-asks')).toBeNull()
    await ask()
    await fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
    expect(screen.queryByTestId('model-asks')).toBeNull()
    expect(document.activeElement).toBe(within(row(e5)).getByRole('button'))
    expect(calls('download_model')).toEqual([])
  })

  test('shows figures, rate and estimate, and the list is read again at its end', async () => {
    let tell: ((progress: ModelProgress) => void) | undefined
    let end: (() => void) | undefined
    await open({
      download_model: (_, onEvent) => {
        tell = onEvent
        return new Promise((then) => (end = () => then(null)))
      },
    })
    await ask()
    await fireEvent.click(within(screen.getByTestId('model-asks')).getByRole('button', { name: 'Download' }))
    await waitFor(() => expect(calls('download_model')).toHaveLength(1))
    expect(calls('download_model')).toEqual([{ id: e5 }])
    expect(screen.getByTestId('model-progress').textContent).toContain('Connecting')
    const announced = () => within(screen.getByTestId('model-progress')).getByRole('status').textContent
    expect(announced()).toBe('Connecting')
    tell!({ stage: 'downloading', work: { done: 120e3, total: 471e3, rate: 12e3, left: 29 } })
    await tick()
    expect(screen.getByTestId('model-progress').textContent).toContain('120 MB of 471 MB · 12 MB/s · about 29 s left')
    expect(announced()).toBe('')
    const bar = screen.getByRole('progressbar')
    expect(bar.getAttribute('aria-valuetext')).toBe('120 MB of 471 MB · 12 MB/s · about 29 s left')
    expect(bar.getAttribute('aria-valuenow')).toBe('120000')
    tell!({ stage: 'installing', work: { done: 471e3, total: 471e3, rate: null, left: null } })
    await tick()
    expect(screen.getByTestId('model-progress').textContent).toContain('All here, being checked')
    expect(announced()).toBe('All here, being checked')
    const before = calls('models').length
    end!()
    await waitFor(() => expect(screen.queryByTestId('model-progress')).toBeNull())
    expect(calls('models').length).toBe(before + 1)
  })

  test('is ended by Cancel without an error', async () => {
    let fail: ((reason: unknown) => void) | undefined
    await open({
      download_model: () => new Promise((_, reject) => (fail = reject)),
      cancel_download: () => {
        fail?.({ code: 'cancelled', message: 'cancelled' })
        return null
      },
    })
    await ask()
    await fireEvent.click(within(screen.getByTestId('model-asks')).getByRole('button', { name: 'Download' }))
    await waitFor(() => expect(calls('download_model')).toHaveLength(1))
    await fireEvent.click(within(screen.getByTestId('model-progress')).getByRole('button', { name: 'Cancel' }))
    expect(calls('cancel_download')).toEqual([{ id: e5 }])
    await waitFor(() => expect(screen.queryByTestId('model-progress')).toBeNull())
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('that fails says why under its row and can be tried again', async () => {
    await open({
      download_model: async () => {
        throw { code: 'failed', message: 'pypi.org cannot be reached: there is no network.' }
      },
    })
    await ask()
    await fireEvent.click(within(screen.getByTestId('model-asks')).getByRole('button', { name: 'Download' }))
    expect((await screen.findByRole('alert')).textContent).toBe('pypi.org cannot be reached: there is no network.')
    expect(within(row(e5)).getByRole('button', { name: /Download/ })).toBeTruthy()
  })

  test('goes on while another page is open', async () => {
    let end: (() => void) | undefined
    await open({
      download_model: (_, onEvent) => {
        onEvent({ stage: 'downloading', work: { done: 1e3, total: 471e3, rate: null, left: null } })
        return new Promise((then) => (end = () => then(null)))
      },
    })
    await ask()
    await fireEvent.click(within(screen.getByTestId('model-asks')).getByRole('button', { name: 'Download' }))
    await fireEvent.click(screen.getByRole('button', { name: 'General' }))
    await fireEvent.click(screen.getByRole('button', { name: 'Models and device' }))
    expect((await screen.findByTestId('model-progress')).textContent).toContain('1 MB of 471 MB')
    end!()
    await waitFor(() => expect(screen.queryByTestId('model-progress')).toBeNull())
  })
})

describe('models of one’s own', () => {
  test('one that is imported is named; nothing happens where the person changed their mind', async () => {
    let chosen: string | null = null
    await open({ import_model: () => Promise.resolve(chosen) })
    await fireEvent.click(screen.getByTestId('import-model'))
    expect(screen.queryByText(/is on this machine now/)).toBeNull()
    chosen = 'qwen2.5-7b-instruct-q4_k_m'
    await fireEvent.click(screen.getByTestId('import-model'))
    expect(await screen.findByText('Qwen2.5 7B Instruct is on this machine now.')).toBeTruthy()
  })

  test('a file that is no model says why', async () => {
    await open({
      import_model: async () => {
        throw { code: 'failed', message: '/home/ada/cat.png: it is no GGUF file; choose a model' }
      },
    })
    await fireEvent.click(screen.getByTestId('import-model'))
    expect((await screen.findByRole('alert')).textContent).toContain('it is no GGUF file')
  })

  test('an import shows what is done and how far, and is ended by Cancel without an error', async () => {
    let tell: ((progress: ModelProgress) => void) | undefined
    let fail: ((reason: unknown) => void) | undefined
    await open({
      import_model: (_, onEvent) => {
        tell = onEvent
        return new Promise((_, reject) => (fail = reject))
      },
      cancel_import: () => {
        fail?.({ code: 'cancelled', message: 'cancelled' })
        return null
      },
    })
    await fireEvent.click(screen.getByTestId('import-model'))
    await waitFor(() => expect(tell).toBeTruthy())
    expect(screen.queryByTestId('model-progress'), 'nothing is chosen yet').toBeNull()
    tell!({ stage: 'reading', work: { done: 1.2e6, total: 4.7e6, rate: 400e3, left: 9 } })
    await tick()
    const shown = () => screen.getByTestId('model-progress')
    expect(shown().textContent).toContain('Reading it · 1.2 GB of 4.7 GB · 400 MB/s · about 9 s left')
    expect(within(shown()).getByRole('status').textContent).toBe('Reading it')
    tell!({ stage: 'trying', work: { done: 0, total: 4.7e6, rate: null, left: null } })
    await tick()
    expect(shown().textContent).toContain('Loading it and asking it for a word · 4.7 GB')
    tell!({ stage: 'copying', work: { done: 0.1e6, total: 4.7e6, rate: null, left: null } })
    await tick()
    expect(shown().textContent).toContain('Copying it into Oriel’s folder · 100 MB of 4.7 GB')
    await fireEvent.click(within(shown()).getByRole('button', { name: 'Cancel' }))
    expect(calls('cancel_import')).toHaveLength(1)
    await waitFor(() => expect(screen.queryByTestId('model-progress')).toBeNull())
    expect(screen.queryByRole('alert')).toBeNull()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId('import-model')))
    // What serves was not put down for a model that did not come.
    expect(session.settings.generator).toBeNull()
  })

  test('removing says what is forgotten first', async () => {
    await open()
    await fireEvent.click(screen.getByRole('button', { name: 'Remove Qwen2.5 7B Instruct' }))
    const asks = screen.getByTestId('model-asks')
    expect(asks.textContent).toContain('Oriel’s copy of 4.7 GB is deleted, the file it was imported from stays.')
    expect(calls('remove_model')).toEqual([])
    await fireEvent.click(within(asks).getByRole('button', { name: 'Remove' }))
    expect(calls('remove_model')).toEqual([{ id: 'qwen2.5-7b-instruct-q4_k_m' }])
  })
})

test('models are called as their makers write them', () => {
  const name = (id: string, role: 'embedder' | 'reranker' | 'generator') => Object.values(nameOf({ id, role }))
  expect(name('smollm2-135m-instruct-q4_1', 'generator')).toEqual(['SmolLM2 135M Instruct', 'Q4_1'])
  expect(name('qwen2.5-7b-instruct-q4_k_m', 'generator')).toEqual(['Qwen2.5 7B Instruct', 'Q4_K_M'])
  expect(name('all-minilm-l6-v2', 'embedder')).toEqual(['all-MiniLM-L6-v2', ''])
  expect(name('multilingual-e5-small', 'embedder')).toEqual(['multilingual-e5-small', ''])
  expect(name('oriel-reranker-v1', 'reranker')).toEqual(['Oriel reranker v1', ''])
})
