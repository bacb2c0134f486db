// The offer of a model, its download wherever it shows, and the note below a quoted answer.
import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { tick } from 'svelte'
import { describe, expect, it } from 'vitest'
import RailBody from '../src/features/library/RailBody.svelte'
import StatusLine from '../src/features/library/StatusLine.svelte'
import DownloadsLiveRegion from '../src/features/models/DownloadsLiveRegion.svelte'
import { turn } from '../src/ipc/fake/chat'
import { emptyLibrary, quoting, readingLibrary, settings, start } from '../src/ipc/fake/library'
import { noGenerator } from '../src/ipc/fake/settings'
import type { Download, ModelsState, Start } from '../src/ipc/types'
import { models } from '../src/state/models.svelte'
import { navigation } from '../src/state/navigation.svelte'
import { around, boot, button, called, field, host, id, open, sound, Writing } from './chat'

around()

const small = 'qwen2.5-coder-0.5b-instruct'
const without: ModelsState = { ...noGenerator, models: noGenerator.models.filter(({ place }) => place.is !== 'found') }
const arrived: ModelsState = {
  ...without,
  models: without.models.map((model) => (model.id === small ? { ...model, place: { is: 'here' } } : model)),
}
const quoted = { ...turn, answer: { ...turn.answer!, quoted: true } }
const message = 'huggingface.co does not answer. What was downloaded is kept.'
const download = (extra: Partial<Download> = {}): Download => ({
  id: small,
  name: 'Qwen2.5 Coder 0.5B',
  host: 'huggingface.co',
  stage: 'downloading',
  work: { done: 212e6, total: 491.4e6, rate: 4e6, left: 70 },
  error: null,
  ...extra,
})
const failed = download({ work: null, error: { kind: 'failed', notice: { code: 'text', text: message } } })
const first = (more: Partial<Start> = {}): Partial<Start> => ({ library: readingLibrary, engine: quoting, ...more })
const calls = { models: () => without, download_model: () => null, pause_download: () => null, dismiss_download: () => null }
const offer = () => screen.findByTestId('offer')

async function begin(state: ModelsState | (() => ModelsState) = without, more: Partial<Start> = {}) {
  models.state = undefined
  models.arrived = null
  await boot({ ...calls, models: typeof state === 'function' ? state : () => state }, first(more))
}

async function ask(overrides: Parameters<typeof open>[1] = {}, more: Partial<Start> = {}) {
  models.state = undefined
  models.arrived = null
  await open([quoted], { ...calls, ...overrides }, first(more))
}

describe('the offer', () => {
  it('names the model, its size, memory, licence and host, and leaves the focus in the box', async () => {
    await begin()
    const card = await offer()
    expect(card.textContent).toContain('Suits this computerQwen2.5 Coder 0.5B')
    expect(card.textContent).toContain('To download491 MBMemory needed0.9 of 8.0 GB freeLicenceApache-2.0, free')
    expect(card.textContent).toContain('The file comes from huggingface.co. No document, question or answer is sent.')
    expect(document.activeElement).toBe(field())
    await sound()
  })

  it('downloads, and says how far that is in its place', async () => {
    await begin()
    await offer()
    await fireEvent.click(button('Download 491 MB'))
    await waitFor(() => expect(called('download_model')).toEqual([{ id: small }]))
    await waitFor(() => expect(document.activeElement).toBe(field()))
    host.send('downloads', [download()])
    await tick()
    expect(screen.queryByTestId('offer')).toBeNull()
    expect(screen.getByTestId('model-coming').textContent).toContain(
      'Oriel will answer in its own words once the model is here: 43%, about 1 min.',
    )
    await fireEvent.click(button('Cancel the download of Qwen2.5 Coder 0.5B'))
    expect(called('pause_download')).toEqual([{ id: small }])
  })

  it('leads to the others', async () => {
    await begin()
    await offer()
    await fireEvent.click(button('Choose another…'))
    expect([navigation.page, navigation.settingsPage]).toEqual(['settings', 'models'])
  })

  it('is closed for good by staying with quotes', async () => {
    await begin()
    await offer()
    await fireEvent.click(button('Stay with quotes'))
    expect(called('set_settings')).toEqual([{ ...settings, generator: 'quotes' }])
    await waitFor(() => expect(screen.queryByTestId('offer')).toBeNull())
  })

  it('begins with a larger model of another program that fits', async () => {
    await begin(noGenerator)
    await offer()
    // Gemma 3 12B is larger still, but tight.
    await fireEvent.click(button('Use Llama 3.2 3B from Ollama'))
    expect(called('set_settings')).toEqual([{ ...settings, generator: 'ollama-llama3.2-3b' }])
  })

  it('says how much room is missing on the disk', async () => {
    await begin({ ...without, diskFree: 212e6 })
    expect((await offer()).textContent).toContain('Needs 491 MB; 212 MB are free.')
    expect(button('Download 491 MB')).toHaveProperty('disabled', true)
  })

  it('says why the download failed, and tries again', async () => {
    await begin(without, { downloads: [failed] })
    expect((await offer()).textContent).toContain(message)
    await fireEvent.click(button('Try again'))
    await waitFor(() => expect(called('download_model')).toEqual([{ id: small }]))
  })

  it.each<[string, Partial<Start>]>([
    ['a model writes', { engine: start.engine }],
    ['quotes were chosen', { settings: { ...settings, generator: 'quotes' } }],
    ['there is no folder', { library: emptyLibrary }],
  ])('is not made where %s', async (_, more) => {
    await begin(without, more)
    await models.load()
    await tick()
    expect(screen.queryByTestId('offer')).toBeNull()
  })
})

describe('below a quoted answer', () => {
  it('stands how far the model is; it is asked again by itself once that writes', async () => {
    let state = without
    const writing = new Writing()
    await ask({ ask: writing.ask, models: () => state }, { downloads: [download()] })
    expect((await screen.findByTestId('model-coming')).textContent).toContain('43%, about 1 min.')
    expect(screen.queryByTestId('quoted')).toBeNull()
    await fireEvent.click(button('Ask again then'))
    expect(button('Do not ask again')).toBeTruthy()
    state = arrived
    host.send('downloads', [])
    // Nobody chose: the one that came writes.
    await waitFor(() => expect(called('set_settings')).toEqual([{ ...settings, generator: small }]))
    await waitFor(() => expect(called('ask')).toHaveLength(1))
    expect(writing.args).toMatchObject({ question: quoted.question, conversation: id, replace: 0 })
  })

  it('says that the model is here, and asks again', async () => {
    let state = without
    const writing = new Writing()
    await ask({ ask: writing.ask, models: () => state }, { downloads: [download({ stage: 'installing' })] })
    await screen.findByTestId('model-coming')
    state = arrived
    host.send('downloads', [])
    const note = await screen.findByTestId('model-arrived')
    expect(note.textContent).toContain('The model is here.')
    await fireEvent.click(note.querySelector('button')!)
    expect(writing.args.question).toBe(quoted.question)
  })

  it('says why the model did not come, and tries again', async () => {
    await ask({}, { downloads: [failed] })
    expect((await screen.findByTestId('model-failed')).textContent).toContain(message)
    await fireEvent.click(button('Try again to download Qwen2.5 Coder 0.5B from huggingface.co'))
    await waitFor(() => expect(called('download_model')).toEqual([{ id: small }]))
  })

  it('stands nothing where a model writes already', async () => {
    await ask({}, { engine: start.engine, downloads: [download()] })
    await waitFor(() => expect(models.coming).toBeTruthy())
    expect(screen.queryByTestId('model-coming')).toBeNull()
    expect(screen.getByTestId('quoted').textContent).toContain('no model wrote them')
  })
})

describe('a download', () => {
  it('stands in the rail, with a way to end it', async () => {
    await begin(without, { downloads: [download()] })
    render(RailBody)
    const going = screen.getByTestId(`rail-download-${small}`)
    expect(going.textContent?.replace(/\s+/g, ' ')).toContain('Qwen2.5 Coder 0.5B about 1 min 212 of 491 MB Cancel')
    await fireEvent.click(going.querySelector('button')!)
    expect(called('pause_download')).toEqual([{ id: small }])
    host.send('downloads', [failed])
    await tick()
    expect(screen.getByTestId(`rail-download-${small}`).textContent).toContain(message)
    await fireEvent.click(button('Dismiss the message about Qwen2.5 Coder 0.5B'))
    expect(called('dismiss_download')).toEqual([{ id: small }])
  })

  it('is named in the status bar with its host, and what is connected leads to it', async () => {
    await begin(without, { downloads: [download()] })
    render(StatusLine)
    expect(await screen.findByRole('button', { name: 'Quotes until the model is here · 43%' })).toBeTruthy()
    await fireEvent.click(button('Connected to huggingface.co'))
    expect([navigation.page, navigation.settingsPage]).toEqual(['settings', 'models'])
    host.send('downloads', [failed])
    await tick()
    expect(button('Quotes only · CPU, 8 threads')).toBeTruthy()
    await fireEvent.click(button('Offline'))
    expect([navigation.page, navigation.settingsPage]).toEqual(['settings', 'privacy'])
    host.send('engine', start.engine)
    await tick()
    expect(button('Qwen2.5 Coder 0.5B · CPU, 8 threads')).toBeTruthy()
  })

  it('is told by its quarters, not by each percent', async () => {
    let state = without
    await begin(() => state)
    render(DownloadsLiveRegion)
    const heard: string[] = []
    const at = async (downloads: Download[]) => {
      host.send('downloads', downloads)
      await tick()
      const said = screen.getByTestId('downloads-spoken').textContent!
      if (said !== heard.at(-1)) heard.push(said)
    }
    const part = (done: number) => download({ work: { done, total: 100, rate: null, left: null } })
    for (const done of [0, 10, 24, 26, 27, 49, 51, 99]) await at([part(done)])
    await at([failed])
    expect(heard).toEqual([
      'Qwen2.5 Coder 0.5B is being downloaded from huggingface.co.',
      'Qwen2.5 Coder 0.5B: 25%',
      'Qwen2.5 Coder 0.5B: 50%',
      'Qwen2.5 Coder 0.5B: 75%',
      `Qwen2.5 Coder 0.5B: ${message}`,
    ])
    state = arrived
    await at([])
    await waitFor(() => expect(screen.getByTestId('downloads-spoken').textContent).toBe('Qwen2.5 Coder 0.5B is here.'))
  })
})

describe('a library that is not in English', () => {
  const foreign: ModelsState = {
    ...noGenerator,
    foreignShare: 0.42,
    models: noGenerator.models.map((model) =>
      model.role === 'embedder' ? { ...model, recommended: model.languageCount > 1 } : model,
    ),
  }
  const idle = { library: { ...readingLibrary, activity: { is: 'idle' as const } } }

  it('gets a proposal, which opens what switching takes', async () => {
    await begin(foreign, idle)
    const note = await screen.findByTestId('foreign-note')
    expect(note.textContent).toContain('About 42% of your documents are not in English.')
    await fireEvent.click(note.querySelector('button')!)
    expect([navigation.page, navigation.settingsPage]).toEqual(['settings', 'models'])
  })

  it('gets none while most of it is', async () => {
    await begin({ ...foreign, foreignShare: null }, idle)
    await offer()
    expect(screen.queryByTestId('foreign-note')).toBeNull()
  })
})
