// The conversation on screen, its host a fake, for the tests of it.

import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import axe from 'axe-core'
import { tick } from 'svelte'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import Talk from '../src/features/chat/Talk.svelte'
import { said } from '../src/features/chat/conversationActions.svelte'
import { conversation, turn } from '../src/ipc/fake/chat'
import { fakeHost, type Calls, type FakeHost, type Streams } from '../src/ipc/fake/host'
import { start } from '../src/ipc/fake/library'
import type { Ask, AskEvent, Start, Turn } from '../src/ipc/types'
import { actions } from '../src/state/actions.svelte'
import { navigation } from '../src/state/navigation.svelte'
import { session } from '../src/state/session.svelte'
import { talk } from '../src/state/talk.svelte'

export { button, failing, press } from './hands'
export const id = conversation.id
export let host: FakeHost
const onkeydown = (event: KeyboardEvent) => void actions.dispatch(event)

/** A question whose answer the test writes. */
export class Writing {
  static readonly begun: Writing[] = []
  args!: Ask
  #on!: (event: AskEvent) => void
  #done!: (turn: Turn) => void
  #fail!: (error: unknown) => void
  readonly ask: Streams['ask'] = (args, on) => {
    this.args = args
    this.#on = on
    Writing.begun.push(this)
    return new Promise((done, fail) => {
      this.#done = done
      this.#fail = fail
    })
  }
  async send(event: AskEvent) {
    this.#on(event)
    await tick()
  }
  async begin(turn = 0, searched: string | null = null) {
    await this.send({ is: 'begun', conversation: id, turn, searched })
  }
  async write(...pieces: string[]) {
    for (const text of pieces) await this.send({ is: 'piece', text })
  }
  async end(extra: Partial<Turn> = {}) {
    this.#done({ ...turn, question: this.args.question, scope: this.args.scope, window: this.args.window, ...extra })
    await waitFor(() => expect(talk.live).toBeNull())
    await tick()
  }
  /** Ends what a test left open. */
  static async endAll() {
    for (const writing of Writing.begun.splice(0)) writing.#done(turn)
    await new Promise((done) => setTimeout(done))
  }
  async fail(error: unknown) {
    this.#fail(error)
    await waitFor(() => expect(talk.live).toBeNull())
    await tick()
  }
}

export async function boot(overrides: Partial<Calls & Streams> = {}, more: Partial<Start> = {}) {
  host = fakeHost({ start: () => ({ ...start, ...more }), ...overrides })
  await session.boot(host)
  talk.fresh()
  talk.draft = ''
  render(Talk)
  await tick()
}

export async function open(turns: Turn[] = [turn], overrides: Partial<Calls & Streams> = {}, more: Partial<Start> = {}) {
  await boot({ conversation: () => ({ ...conversation, turns }), ...overrides }, more)
  await talk.open(id)
  await tick()
}

export const called = (name: string) => host.log.filter((one) => one.name === name).map(({ args }) => args)
export const field = () => screen.getByTestId<HTMLTextAreaElement>('ask-field')
export const cards = () => screen.getAllByTestId('card')
export const cites = () => [...screen.getByTestId('answer').querySelectorAll<HTMLButtonElement>('.cite')]
export const sound = async () => {
  const { violations } = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false } } })
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
}

export async function type(text: string) {
  field().focus()
  await fireEvent.input(field(), { target: { value: text } })
}

/** What comes before and after every test of a file. */
export function around() {
  beforeEach(() => {
    window.addEventListener('keydown', onkeydown)
    navigation.page = 'talk'
    navigation.pane = null
    said.hush()
    // axe measures letters where it can; jsdom has no canvas.
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  })
  afterEach(async () => {
    await Writing.endAll()
    window.removeEventListener('keydown', onkeydown)
    vi.restoreAllMocks()
  })
}
