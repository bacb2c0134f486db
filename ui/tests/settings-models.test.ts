// The page of models: tabs, cards, the table, downloads, switching the embedder, importing, removing.
import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { tick } from 'svelte'
import { beforeEach, describe, expect, test } from 'vitest'
import { applied } from '../src/features/settings/applied.svelte'
import SettingsView from '../src/features/settings/Settings.svelte'
import { embeddingLibrary, settings, start } from '../src/ipc/fake/library'
import { models as recorded, trial } from '../src/ipc/fake/settings'
import { fakeHost, type FakeHost } from '../src/ipc/fake/host'
import type { Download, ModelProgress, ModelRow, ModelsState, Trial } from '../src/ipc/types'
import { models } from '../src/state/models.svelte'
import { navigation } from '../src/state/navigation.svelte'
import { session } from '../src/state/session.svelte'

let host: FakeHost

const open = async (overrides: Parameters<typeof fakeHost>[0] = {}) => {
  host = fakeHost({ download_model: () => null, pause_download: () => null, dismiss_download: () => null, ...overrides })
  await session.boot(host)
  models.state = undefined
  models.errors = {}
  models.trial = null
  models.imported = null
  applied.errors = {}
  navigation.openSettings('models')
  render(SettingsView)
  await screen.findByTestId(`model-${small}`)
}
const of = (id: string) => screen.getByTestId(`model-${id}`)
const text = (id: string) => of(id).textContent!.replace(/\s+/g, ' ').trim()
const calls = (name: string) => host.log.filter((one) => one.name === name).map(({ args }) => args)
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
const tab = (name: string) => fireEvent.click(screen.getByRole('tab', { name }))
const changed = (id: string, change: Partial<ModelRow>): ModelsState => ({
  ...recorded,
  models: recorded.models.map((model) => (model.id === id ? { ...model, ...change } : model)),
})
const [small, balanced, best] = ['qwen2.5-coder-0.5b-instruct', 'qwen3-4b-instruct-2507', 'qwen3-8b'] as const
const e5 = 'multilingual-e5-small'
const download = (extra: Partial<Download> = {}): Download => ({
  id: balanced,
  name: 'Qwen3 4B Instruct',
  host: 'huggingface.co',
  stage: 'downloading',
  work: { done: 1.21e9, total: 2.5e9, rate: 7e6, left: 180 },
  error: null,
  ...extra,
})

beforeEach(() => (navigation.page = 'settings'))

describe('what writes the answer', () => {
  test('is a card for each tier, with what was measured and what was not', async () => {
    await open()
    expect(text(small)).toBe(
      'Small and fast In use Qwen2.5 Coder 0.5B · 29 languages · Apache-2.0 Right answers 71 of 100 Speed here 38 words/s Memory 0.9 of 8.4 GB Fits 491 MB Remove',
    )
    expect(text(balanced)).toContain('Balanced Best for this computer')
    expect(screen.getAllByText('Best for this computer')).toHaveLength(1)
    expect(text(best)).toContain('Right answers not measured Speed here not measured yet Memory 6.8 of 8.4 GB Tight')
    expect([small, balanced, best].map((id) => of(id).classList.contains('on'))).toEqual([true, false, false])
    expect(within(of(best)).getByRole('button').textContent).toBe('Download 5.03 GB')
    expect(text(best)).toContain('from huggingface.co')
  })

  test('lists the rest by where it is', async () => {
    await open()
    const groups = screen.getAllByRole('rowheader').map(({ textContent }) => textContent)
    expect(groups).toEqual([
      'Installed 2 models, 18.7 GB',
      'In other programs used in place, not copied',
      'More to download Oriel connects only when you press Download',
    ])
    expect(text('my-mistral-7b')).toContain('imported · Q4_K_M')
    expect(within(of('ollama-llama3.2-3b')).getAllByRole('cell')[0]!.title).toBe('/home/ada/.models/Ollama.gguf')
    expect(text('ollama-llama3.2-3b')).toContain('2.7 GB Fits Use')
    expect(text('qwen2.5-coder-1.5b-instruct')).toContain('Paused at 0.64 of 1.12 GB')
    // The fifth waits behind a button, but what is paused is always there.
    expect(screen.queryByTestId('model-qwen3.5-2b')).toBeNull()
    await press('Show 1 more')
    expect(text('qwen3.5-2b')).toContain('from huggingface.co')
  })

  test('is chosen by its id', async () => {
    await open()
    await press('Use Llama 3.2 3B')
    expect(calls('set_settings')).toEqual([{ ...settings, generator: 'ollama-llama3.2-3b' }])
  })

  test('does not offer what is too large', async () => {
    await open()
    expect(text('gpt-oss-20b')).toContain('13.1 GB Too large Needs 4.5 GB more')
    expect(within(of('gpt-oss-20b')).queryByRole('button')).toBeNull()
    expect(text('mistral-small-24b')).toContain('Needs 8.0 GB more')
    expect(within(of('mistral-small-24b')).getAllByRole('button').map((one) => one.textContent)).toEqual(['Remove'])
  })

  test('can be quotes alone, and goes back to what wrote before', async () => {
    await open({ set_settings: ({ generator }) => ({ ...start.engine, generator: generator === 'quotes' ? null : generator }) })
    const box = screen.getByRole('checkbox', { name: 'Quotes only, no model' })
    await fireEvent.click(box)
    await fireEvent.click(box)
    await waitFor(() => expect(calls('set_settings')).toHaveLength(2))
    expect(calls('set_settings')).toEqual([
      { ...settings, generator: 'quotes' },
      { ...settings, generator: small },
    ])
  })
})

describe('tabs', () => {
  test('are walked by arrows, and the panel follows', async () => {
    await open()
    const at = () => document.activeElement?.textContent
    screen.getByRole('tab', { name: 'Writes the answer' }).focus()
    await fireEvent.keyDown(document.activeElement!, { key: 'ArrowRight' })
    expect(at()).toBe('Finds by meaning')
    await fireEvent.keyDown(document.activeElement!, { key: 'End' })
    expect(at()).toBe('Puts passages in order')
    expect(screen.getByRole('tabpanel', { name: 'Puts passages in order' }).textContent).toContain('Oriel reranker v1')
    await fireEvent.keyDown(document.activeElement!, { key: 'ArrowRight' })
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Writes the answer')
  })

  test('open where a setting is looked for', async () => {
    await open()
    applied.show('models', 'reranker')
    await waitFor(() => expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Puts passages in order'))
  })

  test('passages can stay in the order found', async () => {
    await open()
    await tab('Puts passages in order')
    await fireEvent.click(screen.getByRole('checkbox', { name: 'In the order found, no model' }))
    expect(calls('set_settings')).toEqual([{ ...settings, reranker: 'off' }])
    expect(screen.getByText(/Passages stand as they were found/)).toBeTruthy()
  })
})

describe('another embedder', () => {
  const reach = async (overrides: Parameters<typeof fakeHost>[0] = {}) => {
    await open(overrides)
    await tab('Finds by meaning')
  }

  test('is called by its languages', async () => {
    await reach()
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      'English',
      'English, finer',
      '100 languages',
    ])
    expect(text('all-minilm-l6-v2')).toContain('Found first, English 91 of 100 Found first, other languages 38 of 100')
    expect(text('all-minilm-l6-v2')).toContain('Your library uses this one')
  })

  test('says what switching takes, and switches', async () => {
    await reach()
    await press('Switch to multilingual-e5-small')
    const takes = screen.getByTestId('switch')
    expect(document.activeElement?.textContent).toBe('Switch to 100 languages')
    expect(takes.textContent).toContain('About 41 min. 198,211 sentences are read again.')
    expect(takes.textContent).toContain('A second index beside the first; 74.0 GB are free.')
    await press('Stay with English')
    expect(screen.queryByTestId('switch')).toBeNull()
    expect(document.activeElement?.textContent).toBe('Finds by meaning')
    await press('Switch to multilingual-e5-small')
    await press('Switch, about 41 min')
    expect(calls('set_settings')).toEqual([{ ...settings, embedder: e5 }])
  })

  test('is gone back to at once while its index is kept', async () => {
    const until = new Date(2026, 10, 24).getTime()
    await reach({ models: () => ({ ...recorded, previous: { id: e5, until, waiting: 0 } }) })
    await press('Switch to multilingual-e5-small')
    expect(screen.getByTestId('switch').textContent).toContain('At once. Its index is kept until 24 Nov 2026.')
    await press('Go back')
    expect(calls('set_settings')).toEqual([{ ...settings, embedder: e5 }])
  })

  test('is tried on the questions asked last', async () => {
    let finish: (trial: Trial) => void = () => {}
    const running = new Promise<Trial>((resolve) => (finish = resolve))
    await reach({
      try_embedder: (_, onEvent) => {
        onEvent({ done: 2_048, total: 9_310, rate: 190, left: 38 })
        return running
      },
    })
    await press('Switch to multilingual-e5-small')
    await press('Try 20')
    const said = () => screen.getByTestId('trial').textContent!.replace(/\s+/g, ' ')
    expect(said()).toContain('2,048 of 9,310 sentences · about 38 s')
    await press('Cancel')
    expect(calls('stop_work')).toEqual(['trial'])
    finish(trial)
    await waitFor(() => expect(said()).toContain('Of your last 8 questions, 4 ranked higher, 3 the same, 1 lower.'))
    expect(said()).toContain('Tried on 61 documents in 54 s.')
    expect(screen.getByRole('row', { name: /Wer trägt/ }).textContent).toContain('not found2nd')
    expect(screen.queryByText('Who signed the lease?')).toBeNull()
    await press('Show all 8')
    expect(screen.getByText('Who signed the lease?')).toBeTruthy()
  })

  test('is not judged by fewer than five questions', async () => {
    await reach({ try_embedder: () => Promise.resolve({ ...trial, questions: trial.questions.slice(0, 4) }) })
    await press('Switch to multilingual-e5-small')
    await press('Try 20')
    await waitFor(() => expect(screen.getByTestId('trial').textContent).toContain('Ask a few questions first'))
    expect(screen.queryByRole('table')).toBeNull()
  })

  test('names no time where its speed was not measured', async () => {
    await reach({ models: () => changed(e5, { speed: null }) })
    await press('Switch to multilingual-e5-small')
    expect(screen.getByTestId('switch').textContent).toContain('Not measured yet. 198,211 sentences are read again.')
    expect(screen.getByRole('button', { name: 'Switch' })).toBeTruthy()
  })

  test('shows how far the second index is', async () => {
    await reach({ start: () => ({ ...start, library: { ...embeddingLibrary, unembedded: 0, unembeddedNext: 148_200 } }) })
    expect(screen.getByTestId('next-index').textContent).toContain('50,011 of 198,211 sentences · about 13 min')
    expect(screen.getByRole('progressbar', { name: 'Switching to English' }).getAttribute('aria-valuenow')).toBe('50011')
  })
})

describe('a download', () => {
  test('starts with the button that its host stands beside; what is in use stays in use', async () => {
    await open()
    await press('Download 2.50 GB from huggingface.co: Qwen3 4B Instruct')
    await waitFor(() => expect(calls('download_model')).toEqual([{ id: balanced }]))
    expect(calls('set_settings')).toEqual([{ ...settings, generator: small }])
  })

  test('shows how far it is, is paused and resumed, and the focus stays', async () => {
    let state = recorded
    await open({ models: () => state })
    host.send('downloads', [download({ work: null })])
    await tick()
    expect(text(balanced)).toContain('Connecting')
    host.send('downloads', [download()])
    await tick()
    expect(text(balanced)).toContain('1.21 of 2.50 GB, about 3 min Pause Cancel')
    const bar = screen.getByRole('progressbar', { name: 'Qwen3 4B Instruct' })
    expect(bar.getAttribute('aria-valuetext')).toBe('1.21 of 2.50 GB, about 3 min')
    screen.getByRole('button', { name: 'Pause the download of Qwen3 4B Instruct' }).focus()
    await press('Pause the download of Qwen3 4B Instruct')
    expect(calls('pause_download')).toEqual([{ id: balanced }])
    state = changed(balanced, { place: { is: 'remote', host: 'huggingface.co', downloaded: 1.21e9 } })
    host.send('downloads', [])
    await waitFor(() => expect(text(balanced)).toContain('Paused at 1.21 of 2.50 GB, from huggingface.co'))
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Resume'))
    await press('Resume the download of Qwen3 4B Instruct from huggingface.co')
    await waitFor(() => expect(calls('download_model')).toEqual([{ id: balanced }]))
  })

  test('that is cancelled is stopped and not shown as paused', async () => {
    let state = recorded
    await open({ models: () => state })
    host.send('downloads', [download()])
    await tick()
    await press('Cancel the download of Qwen3 4B Instruct')
    expect(calls('pause_download')).toEqual([{ id: balanced }])
    state = changed(balanced, { place: { is: 'remote', host: 'huggingface.co', downloaded: 1.21e9 } })
    host.send('downloads', [])
    await waitFor(() => expect(models.find(balanced)?.place).toMatchObject({ downloaded: 1.21e9 }))
    await tick()
    expect(text(balanced)).toContain('Download 2.50 GB')
    expect(text(balanced)).not.toContain('Paused')
  })

  test('that ended well is here', async () => {
    let state = recorded
    await open({ models: () => state })
    host.send('downloads', [download({ stage: 'installing' })])
    await tick()
    expect(text(balanced)).toContain('Checking the files')
    state = changed(balanced, { place: { is: 'here' } })
    host.send('downloads', [])
    await waitFor(() => expect(screen.getByRole('button', { name: 'Use Qwen3 4B Instruct' })).toBeTruthy())
    // What writes already stays.
    expect(calls('set_settings')).toEqual([])
  })

  test('that failed says why, is tried again or taken off', async () => {
    await open()
    const message = 'The download does not match the published file. Oriel deleted it and used none of it.'
    host.send('downloads', [download({ id: 'granite-4.1-3b', name: 'Granite 4.1 3B', work: null, error: { kind: 'failed', notice: { code: 'text', text: message } } })])
    await tick()
    expect(text('granite-4.1-3b')).toContain(message)
    await press('Try again to download Granite 4.1 3B from huggingface.co')
    await waitFor(() => expect(calls('download_model')).toEqual([{ id: 'granite-4.1-3b' }]))
    await press('Dismiss the message about Granite 4.1 3B')
    expect(calls('dismiss_download')).toEqual([{ id: 'granite-4.1-3b' }])
  })

  test('is not begun where the disk has no room for it', async () => {
    await open({ models: () => ({ ...recorded, diskFree: 1e9 }) })
    expect(within(of(balanced)).getByRole<HTMLButtonElement>('button').disabled).toBe(true)
    expect(text(balanced)).toContain('Needs 2.50 GB; 1.00 GB are free.')
    // What is here of it already needs no room.
    expect(text('qwen2.5-coder-1.5b-instruct')).not.toContain('are free')
  })

  test('that cannot be started says why beside it', async () => {
    await open({ download_model: () => Promise.reject({ kind: 'failed', notice: { code: 'text', text: 'there is no network' } }) })
    await press('Download 2.50 GB from huggingface.co: Qwen3 4B Instruct')
    expect((await screen.findByRole('alert')).textContent).toBe('there is no network')
  })
})

describe('the machine', () => {
  test('says what memory goes to and why the card is not used', async () => {
    await open({ models: () => ({ ...recorded, deviceNote: { code: 'text', text: 'no driver was found' } }) })
    expect(screen.getByRole('img', { name: 'Other programs 7.4 GB, the three models 1.1 GB, free 7.5 GB' })).toBeTruthy()
    expect(screen.getByText('no driver was found')).toBeTruthy()
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /Processor/ }).checked).toBe(true)
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /Graphics card/ }).disabled).toBe(true)
  })

  test('a card is used unless the person wants the processor', async () => {
    await open({ models: () => ({ ...recorded, card: 'CUDA' }) })
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
    const models = recorded.models.map((model) => ({ ...model, fit: 'unknown' as const }))
    await open({ models: () => ({ ...recorded, models, memoryTotal: 0, memoryFree: 0 }) })
    expect(screen.getByText('size unknown')).toBeTruthy()
    expect(screen.queryByRole('img', { name: /Other programs/ })).toBeNull()
    expect(text(small)).toContain('Memory 0.9 GB 491 MB')
  })
})

describe('models of one’s own', () => {
  test('one that is imported is named; nothing happens where the person changed their mind', async () => {
    let chosen: string | null = null
    await open({ import_model: () => Promise.resolve(chosen) })
    await fireEvent.click(screen.getByTestId('import-model'))
    expect(screen.queryByText(/is on this computer now/)).toBeNull()
    chosen = 'my-mistral-7b'
    await fireEvent.click(screen.getByTestId('import-model'))
    expect(await screen.findByText('My Mistral 7B is on this computer now.')).toBeTruthy()
  })

  test('a file that is no model says why', async () => {
    await open({
      import_model: async () => {
        throw { kind: 'failed', notice: { code: 'text', text: '/home/ada/cat.png: it is no GGUF file; choose a model' } }
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
      stop_work: () => {
        fail?.({ kind: 'cancelled', notice: { code: 'text', text: 'cancelled' } })
        return null
      },
    })
    await fireEvent.click(screen.getByTestId('import-model'))
    await waitFor(() => expect(tell).toBeTruthy())
    expect(screen.queryByTestId('model-progress'), 'nothing is chosen yet').toBeNull()
    tell!({ stage: 'reading', work: { done: 1.2e9, total: 4.7e9, rate: 400e6, left: 9 } })
    await tick()
    const shown = () => screen.getByTestId('model-progress')
    expect(shown().textContent).toContain('Reading it · 1.2 GB of 4.7 GB · 400 MB/s · about 9 s left')
    expect(within(shown()).getByRole('status').textContent).toBe('Reading it')
    tell!({ stage: 'trying', work: { done: 0, total: 4.7e9, rate: null, left: null } })
    await tick()
    expect(shown().textContent).toContain('Loading it and asking it for a word · 4.7 GB')
    await fireEvent.click(within(shown()).getByRole('button', { name: 'Cancel' }))
    expect(calls('stop_work')).toEqual(['importing'])
    await waitFor(() => expect(screen.queryByTestId('model-progress')).toBeNull())
    expect(screen.queryByRole('alert')).toBeNull()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId('import-model')))
    // What serves was not put down for a model that did not come.
    expect(session.settings.generator).toBeNull()
  })

  test('removing says what is forgotten first; Esc takes that away and the focus goes back', async () => {
    await open()
    await press('Remove My Mistral 7B')
    const asks = screen.getByTestId('model-asks')
    expect(asks.textContent).toContain('Oriel’s copy of 4.40 GB is deleted, the file it was imported from stays.')
    await fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove My Mistral 7B' })))
    await press('Remove My Mistral 7B')
    expect(calls('remove_model')).toEqual([])
    await fireEvent.click(within(screen.getByTestId('model-asks')).getByRole('button', { name: 'Remove' }))
    expect(calls('remove_model')).toEqual([{ id: 'my-mistral-7b' }])
  })

  test('one that is chosen is not asked for any more once it is removed', async () => {
    await open({ start: () => ({ ...start, settings: { ...settings, generator: small } }) })
    await press('Remove Qwen2.5 Coder 0.5B')
    await fireEvent.click(within(screen.getByTestId('model-asks')).getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(calls('set_settings')).toEqual([settings]))
  })
})
