// The real host: Tauri's commands, channels and events.
import { Channel, invoke } from '@tauri-apps/api/core'
import { listen } from '@tauri-apps/api/event'
import type { Host } from './host'

export function tauriHost(): Host {
  return {
    call: (name, args) => invoke(name, { args }),
    stream: (name, args, onEvent) => {
      const events = new Channel<Parameters<typeof onEvent>[0]>()
      events.onmessage = onEvent
      return invoke(name, { args, events })
    },
    listen: (name, handler) => listen(name, (event) => handler(event.payload as Parameters<typeof handler>[0])),
  }
}
