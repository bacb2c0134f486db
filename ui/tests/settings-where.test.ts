// Where answers are written: a server is named before it receives anything, and can be left again.
import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { beforeEach, expect, test } from 'vitest'
import StatusLine from '../src/features/library/StatusLine.svelte'
import { applied } from '../src/features/settings/applied.svelte'
import SettingsView from '../src/features/settings/Settings.svelte'
import { fakeHost, type FakeHost } from '../src/ipc/fake/host'
import { engine, start } from '../src/ipc/fake/library'
import { models as recorded } from '../src/ipc/fake/settings'
import type { ModelRow } from '../src/ipc/types'
import { models } from '../src/state/models.svelte'
import { navigation } from '../src/state/navigation.svelte'
import { session } from '../src/state/session.svelte'

const place = { is: 'served', address: 'https://gpu.northwind.example/v1', host: 'gpu.northwind.example', isLocal: false } as const
const served: ModelRow = { ...recorded.models[0]!, id: 'gpu.northwind.example/qwen3-32b', name: 'Qwen3 32B', tier: null, inUse: false, place }
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const type = (label: string, value: string) => fireEvent.input(screen.getByLabelText(label), { target: { value } })
const index = { address: 'http://milvus.example:19530', host: 'milvus.example:19530', isLocal: false, collection: 'contracts', trouble: null }
let host: FakeHost
const calls = (name: string) => host.log.filter((one) => one.name === name).map(({ args }) => args)

async function open(overrides: Parameters<typeof fakeHost>[0] = {}) {
  host = fakeHost(overrides)
  await session.boot(host)
  models.state = undefined
  models.errors = {}
  applied.errors = {}
  navigation.openSettings('where')
  render(SettingsView)
  await screen.findByText('this computer')
}

beforeEach(() => (navigation.page = 'settings'))

test('another computer is named, and receives nothing before it is allowed', async () => {
  const list = { ...recorded }
  await open({
    models: () => ({ ...list }),
    server_host: () => ({ host: place.host, isLocal: false, isEncrypted: true }),
    connect_server: () => {
      list.models = [...recorded.models, { ...served, inUse: true }]
      return served.id
    },
    set_settings: () => ({ ...engine, server: { host: place.host, isLocal: false, isEncrypted: true } }),
  })
  await fireEvent.click(button('Connect a server…'))
  await type('Address', place.address)
  await type('Key', 'secret')
  expect(calls('server_host')).toEqual([])
  await fireEvent.click(button('Connect'))
  const dialog = await screen.findByTestId('send-ask')
  expect(dialog.textContent).toContain('Send passages of your documents to gpu.northwind.example?')
  expect(document.activeElement?.textContent).toContain('Stay offline')
  expect(calls('connect_server')).toEqual([])
  await fireEvent.click(within(dialog).getByRole('button', { name: 'Send to gpu.northwind.example' }))
  await waitFor(() => expect(calls('connect_server')).toEqual([{ address: place.address, host: place.host, model: '', key: 'secret' }]))
  const card = await screen.findByRole('region', { name: 'A server' })
  await waitFor(() => expect(card.textContent).toContain('In use'))
  expect(card.textContent).toContain('the question and the passages found for it')
  expect(session.settings.generator).toBe(served.id)
  // Answers are written here again.
  await fireEvent.click(within(card).getByRole('button', { name: 'Stop sending' }))
  await waitFor(() => expect(session.settings.generator).toBeNull())
})

test('a server on this computer needs no question; what is wrong with it is said', async () => {
  await open({
    server_host: () => ({ host: 'localhost:11434', isLocal: true, isEncrypted: false }),
    connect_server: () => Promise.reject({ kind: 'failed', notice: { code: 'host-refuses', host: 'localhost:11434' } }),
  })
  await fireEvent.click(button('Connect a server…'))
  await type('Address', 'http://localhost:11434/v1')
  await fireEvent.click(button('Connect'))
  expect((await screen.findByRole('alert')).textContent).toBe('localhost:11434 refuses the connection')
  expect(screen.queryByTestId('send-ask')).toBeNull()
})

test('a library is published to a named server, and taken over if another one writes there', async () => {
  const refusal = { kind: 'failed', notice: { code: 'collection-of-other-library', host: index.host, collection: 'contracts' } }
  await open({ index_host: () => ({ host: index.host, isLocal: false, isEncrypted: false }), connect_index: ({ takeOver }) => (takeOver ? null : Promise.reject(refusal)) })
  await fireEvent.click(button('Publish…'))
  await type('Address', index.address)
  await type('Collection', 'contracts')
  await type('Key', 'ada:secret')
  await fireEvent.click(button('Connect'))
  const dialog = await screen.findByTestId('send-ask')
  expect(dialog.textContent).toContain('Send the texts of your documents to milvus.example:19530?')
  expect(dialog.textContent).toContain('The connection is not encrypted')
  expect(calls('connect_index')).toEqual([])
  await fireEvent.click(within(dialog).getByRole('button', { name: 'Publish to milvus.example:19530' }))
  expect((await screen.findByRole('alert')).textContent).toContain("another library writes the collection 'contracts'")
  await fireEvent.click(button('Take it over'))
  const asked = { address: index.address, host: index.host, collection: 'contracts', key: 'ada:secret', publish: true }
  await waitFor(() => expect(calls('connect_index')).toEqual([{ ...asked, takeOver: false }, { ...asked, takeOver: true }]))
  await waitFor(() => expect(screen.queryByLabelText('Collection')).toBeNull())
})

test('an empty library can read a shared one, and leave it', async () => {
  const reading = { ...start, library: { ...start.library!, folders: [], readOnly: true, readsFrom: index } }
  await open({ start: () => reading })
  const card = screen.getByRole('region', { name: 'A shared library' })
  expect(card.textContent).toContain('contracts')
  expect(card.textContent).toContain('the words of the question, and its meaning as numbers')
  expect(screen.queryByRole('button', { name: 'Publish…' })).toBeNull()
  await fireEvent.click(within(card).getByRole('button', { name: 'Disconnect' }))
  expect(calls('leave_index')).toEqual([{ publish: false }])
})

test('why a library could not be published is said beside it', async () => {
  const publishesTo = { ...index, trouble: { code: 'server-silent', host: index.host } as const }
  await open({ start: () => ({ ...start, library: { ...start.library!, publishesTo } }) })
  const card = screen.getByRole('region', { name: 'A copy for others' })
  expect(within(card).getByRole('alert').textContent).toContain('milvus.example:19530 does not answer')
})

test('the status line says who receives what is asked', async () => {
  const server = { host: place.host, isLocal: false, isEncrypted: true }
  host = fakeHost({ start: () => ({ ...start, engine: { ...engine, generatorName: 'Qwen3 32B', server } }) })
  await session.boot(host)
  render(StatusLine)
  expect(screen.getByTestId('network').textContent?.trim()).toBe('Sends to gpu.northwind.example')
  expect(button('Qwen3 32B · gpu.northwind.example')).toBeTruthy()
  await fireEvent.click(screen.getByTestId('network'))
  expect(navigation.settingsPage).toBe('where')
})

test('the status line counts servers, and names what each receives', async () => {
  const server = { host: place.host, isLocal: false, isEncrypted: true }
  host = fakeHost({ start: () => ({ ...start, engine: { ...engine, server }, library: { ...start.library!, publishesTo: index } }) })
  await session.boot(host)
  render(StatusLine)
  const network = screen.getByTestId('network')
  expect(network.textContent?.trim()).toBe('Sends to 2 servers')
  expect(network.title).toContain('milvus.example:19530 receives the texts of your documents')
})
