// Actions on a conversation besides asking: copy and export. Their result is shown once, under the head.
import { t } from '../../i18n/index.svelte'
import { messageOf, session } from '../../state/session.svelte'
import { talk } from '../../state/talk.svelte'
import { copy } from '../../components/copy'
import type { TurnPlace } from './places'

class Said {
  /** The turn that was just copied. */
  copied = $state<number | null>(null)
  notice = $state.raw<{ text: string; warn: boolean } | null>(null)
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Shows a message: an error until it is closed, any other for a while. */
  say(text: string, warn: boolean) {
    clearTimeout(this.#timer)
    this.notice = { text, warn }
    if (!warn) this.#timer = setTimeout(() => this.hush(), 6000)
  }

  hush() {
    this.notice = null
    this.copied = null
  }

  /** Marks a turn as copied for a while. */
  tick(turn: number) {
    clearTimeout(this.#timer)
    this.copied = turn
    this.notice = null
    this.#timer = setTimeout(() => (this.copied = null), 2000)
  }
}

export const said = new Said()

/** Runs an action and shows its error. */
export async function attempt(what: () => Promise<unknown>) {
  try {
    await what()
  } catch (error) {
    said.say(messageOf(error), true)
  }
}

/** Copies one turn with its citations. */
export function copyTurn({ conversation, turn }: TurnPlace): Promise<void> {
  return attempt(async () => {
    if (!conversation) return
    await copy(session.host.call('turn_markdown', { conversation, turn }))
    said.tick(turn)
  })
}

/** Copies the whole conversation. */
export function copyAll(): Promise<void> {
  return attempt(async () => {
    const conversation = talk.id
    if (!conversation) return
    await copy(session.host.call('conversation_markdown', { conversation }))
    said.say(t.chat.copiedAll, false)
  })
}

/** Writes the conversation to a file that the user chooses. */
export function exportAll(): Promise<void> {
  return attempt(async () => {
    if (!talk.id) return
    const file = await session.host.call('export_conversation', { conversation: talk.id })
    if (file !== null) said.say(t.chat.exported(file), false)
  })
}
