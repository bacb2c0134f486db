// The host for tests and for `npm run dev` in a browser: recorded answers, no shell. Each feature records its own.
import type { CallName, EventName, Host, StreamName } from '../host'
import type { Commands, Events } from '../types'
import { calls, streams } from './recorded'

type Handlers = { [E in EventName]: Set<(payload: Events[E]) => void> }

export interface FakeHost extends Host {
  /** Sends an event as the shell would. */
  send<E extends EventName>(name: E, payload: Events[E]): void
  /** What was called, in order. */
  readonly log: { name: keyof Commands; args: unknown }[]
}

export type Calls = {
  [K in CallName]: (args: Commands[K]['args'], send: FakeHost['send']) => Commands[K]['result'] | Promise<Commands[K]['result']>
}
export type Streams = {
  [K in StreamName]: (
    args: Commands[K]['args'],
    onEvent: (event: Commands[K]['event']) => void,
  ) => Promise<Commands[K]['result']>
}

export function fakeHost(overrides: Partial<Calls & Streams> = {}): FakeHost {
  const handlers: Handlers = { library: new Set(), conversations: new Set(), conversation: new Set(), engine: new Set(), downloads: new Set(), drag: new Set(), reopened: new Set() }
  const log: FakeHost['log'] = []
  const send: FakeHost['send'] = (name, payload) => handlers[name].forEach((handler) => handler(payload))
  const all = { ...calls, ...streams, ...overrides }
  return {
    log,
    async call(name, args) {
      log.push({ name, args })
      return (all[name] as Calls[typeof name])(args, send)
    },
    async stream(name, args, onEvent) {
      log.push({ name, args })
      return (all[name] as Streams[typeof name])(args, onEvent)
    },
    async listen(name, handler) {
      handlers[name].add(handler)
      return () => handlers[name].delete(handler)
    },
    send,
  }
}
