// The interface between window and shell, with two hosts. Everything that is not Tauri runs on recorded data.
import type { Commands, Events } from './types'

/** Names of commands that answer once. */
export type CallName = { [K in keyof Commands]: Commands[K]['event'] extends null ? K : never }[keyof Commands]
/** Names of commands that stream before they answer. */
export type StreamName = Exclude<keyof Commands, CallName>
export type EventName = keyof Events

export interface Host {
  /** Asks the shell for something. Rejects with an `IpcError`. */
  call<K extends CallName>(name: K, args: Commands[K]['args']): Promise<Commands[K]['result']>
  /** The same, with events in between, in order. */
  stream<K extends StreamName>(
    name: K,
    args: Commands[K]['args'],
    onEvent: (event: Commands[K]['event']) => void,
  ): Promise<Commands[K]['result']>
  /** Listens to events of the shell; the result stops it. */
  listen<E extends EventName>(name: E, handler: (payload: Events[E]) => void): Promise<() => void>
}

/** The host this page runs on. */
export async function host(): Promise<Host> {
  if ('__TAURI_INTERNALS__' in window) return (await import('./tauri')).tauriHost()
  if (import.meta.env.DEV) return (await import('./fake/host')).fakeHost()
  throw new Error('Oriel runs in its own window: start it with `oriel-desktop`')
}
