// What stands beside a conversation when one of its questions is asked again.
import { render, screen, waitFor } from '@testing-library/svelte'
import { tick } from 'svelte'
import { beforeEach, describe, expect, it } from 'vitest'
import Why from '../src/features/why/Why.svelte'
import { conversation, turn } from '../src/ipc/fake/chat'
import { fakeHost, type Calls, type FakeHost, type Streams } from '../src/ipc/fake/host'
import { documents } from '../src/ipc/fake/library'
import { why as recorded } from '../src/ipc/fake/viewer'
import type { IpcError, Turn, Why as Explained } from '../src/ipc/types'
import { navigation } from '../src/state/navigation.svelte'
import { session } from '../src/state/session.svelte'
import { talk } from '../src/state/talk.svelte'
import { viewer } from '../src/state/viewer.svelte'
import { why } from '../src/state/why.svelte'

const id = conversation.id
let host: FakeHost
let answer: (turn: Turn) => void
let fail: (error: IpcError) => void

async function open(overrides: Partial<Calls & Streams> = {}) {
  const ask: Streams['ask'] = ({ replace, conversation }, on) => {
    on({ is: 'begun', conversation: conversation ?? id, turn: replace ?? 2, searched: null })
    return new Promise((done, failed) => ([answer, fail] = [done, failed]))
  }
  host = fakeHost({ conversation: () => ({ ...conversation, turns: [turn, { ...turn, question: 'Second?' }] }), ask, ...overrides })
  await session.boot(host)
  await talk.open(id)
}

async function answered() {
  answer(turn)
  await waitFor(() => expect(talk.live).toBeNull())
  await tick()
}

const called = (name: string) => host.log.filter((one) => one.name === name)
const times = (totalMs: number): Explained => ({ ...recorded, totalMs })

beforeEach(() => {
  navigation.pane = null
  viewer.request = null
  why.turn = null
})

describe('a question that is asked again and nothing comes of', () => {
  const kept = () => talk.turns.map(({ question }) => question)

  async function failed(error: IpcError) {
    fail(error)
    await waitFor(() => expect(talk.live).toBeNull())
  }

  it('leaves what stood there, and says why', async () => {
    await open()
    talk.draft = ''
    talk.again(1)
    await failed({ kind: 'failed', notice: { code: 'text', text: 'the model does not fit into memory' } })
    expect(kept()).toEqual([turn.question, 'Second?'])
    expect([talk.error, talk.draft]).toEqual(['the model does not fit into memory', ''])
    // The next one goes where the shell puts it.
    void talk.ask('Third?')
    expect([talk.error, talk.live?.turn]).toEqual([null, 2])
    await answered()
  })

  it('leaves all that came after it, and gives its words back', async () => {
    await open({ ask: () => Promise.reject({ kind: 'gone', notice: { code: 'text', text: 'the folder is gone' } } satisfies IpcError) })
    talk.draft = ''
    await talk.ask('First, in other words?', { replace: 0 })
    expect(kept()).toEqual([turn.question, 'Second?'])
    expect([talk.error, talk.draft]).toEqual(['the folder is gone', 'First, in other words?'])
    talk.draft = 'half a question'
    await talk.ask('First, in yet other words?', { replace: 0 })
    expect(talk.draft).toBe('First, in yet other words?\nhalf a question')
    talk.draft = ''
  })

  it('waits with its words until its conversation is shown again', async () => {
    await open()
    talk.draft = ''
    void talk.ask('First, in other words?', { replace: 0 })
    talk.fresh()
    fail({ kind: 'failed', notice: { code: 'text', text: 'the disk is full' } })
    await new Promise((done) => setTimeout(done))
    expect([talk.draft, talk.error]).toEqual(['', null])
    await talk.open(id)
    expect([talk.draft, talk.error]).toEqual(['First, in other words?', 'the disk is full'])
    talk.draft = ''
  })

  it('says nothing where the person stopped it', async () => {
    await open()
    talk.again(1)
    await failed({ kind: 'cancelled', notice: { code: 'text', text: 'stopped' } })
    expect([kept(), talk.error]).toEqual([[turn.question, 'Second?'], null])
  })
})

describe('a passage of a turn that is asked again', () => {
  const passage = (turn: number) => viewer.open({ is: 'passage', conversation: id, turn, n: 2, claim: null })

  it('is closed: its number means another one from then on', async () => {
    await open()
    await passage(1)
    talk.again(1)
    await tick()
    expect([navigation.pane, viewer.view]).toEqual([null, null])
    // What is opened while it is answered, or belongs to a turn before it, stays.
    await passage(1)
    await answered()
    expect(navigation.pane).toBe('viewer')
    await passage(0)
    talk.again(1)
    await tick()
    expect(navigation.pane).toBe('viewer')
    await answered()
  })

  it('stays where the question is asked at the end, and where it is a document of its own', async () => {
    await open()
    await passage(0)
    talk.again(0)
    await tick()
    expect(navigation.pane).toBe('viewer')
    await answered()
    await viewer.open({ is: 'document', document: 12 })
    talk.again(2)
    await tick()
    expect(navigation.pane).toBe('viewer')
    await answered()
  })
})

describe('the explanation of a turn that is asked again', () => {
  it('makes way, and is that of the new answer once it is there', async () => {
    let ms = 2000
    await open({ why: () => times((ms += 1000)) })
    render(Why)
    await why.open(id, 1)
    expect((await screen.findByTestId('why-times')).textContent).toContain('3.0 s in all')
    talk.again(1)
    await tick()
    expect(screen.queryByTestId('why-times')).toBeNull()
    expect(screen.getByText('Shown as soon as the question is answered.')).toBeTruthy()
    await answered()
    expect((await screen.findByTestId('why-times')).textContent).toContain('4.0 s in all')
    expect(called('why').map(({ args }) => args)).toEqual([
      { conversation: id, turn: 1 },
      { conversation: id, turn: 1 },
    ])
  })

  it('goes to the turn that takes the place of it and of those before it', async () => {
    await open()
    render(Why)
    await why.open(id, 1)
    void talk.ask('First, in other words?', { replace: 0 })
    await tick()
    expect(why.turn).toEqual({ conversation: id, turn: 0 })
    await answered()
    await waitFor(() => expect(why.why).not.toBeNull())
    expect(called('why').at(-1)?.args).toEqual({ conversation: id, turn: 0 })
  })

  it('looks into the same file anew', async () => {
    await open()
    render(Why)
    why.openNot()
    await why.lookInto(documents[4]!)
    await screen.findByTestId('why-not-facts')
    talk.again(1)
    await tick()
    expect(screen.queryByTestId('why-not-facts')).toBeNull()
    await answered()
    await screen.findByTestId('why-not-facts')
    expect(called('why_not')).toHaveLength(2)
  })

  it('asks for nothing once the pane is gone', async () => {
    await open()
    await why.open(id, 1)
    why.close()
    talk.again(1)
    await answered()
    expect(called('why')).toHaveLength(1)
  })
})
