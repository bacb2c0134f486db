// The passages of an answered question for another window, while its slider moves: one request at a time, the last value
// wins. Nothing is answered again.
import type { Found, Turn, WindowSize } from '../ipc/types'
import { messageOf, session } from './session.svelte'

export interface Widened {
  turn: Turn
  window: WindowSize
  found: Found
}

export class Widening {
  /** The last result; null if the passages are those of the answer. */
  shown = $state.raw<Widened | null>(null)
  error = $state<string | null>(null)
  #wanted: { turn: Turn; window: WindowSize } | null = null
  #busy = false
  #round = 0

  /** Shows the passages of `turn` for `window`. */
  async to(turn: Turn, window: WindowSize) {
    this.#wanted = { turn, window }
    if (this.#busy) return
    this.#busy = true
    const round = this.#round
    while (this.#wanted && round === this.#round) {
      const wanted: { turn: Turn; window: WindowSize } = this.#wanted
      this.#wanted = null
      await this.#ask(wanted.turn, wanted.window, round)
    }
    if (round === this.#round) this.#busy = false
  }

  /** Back to the passages of the answer. */
  reset() {
    this.#round += 1
    this.#busy = false
    this.#wanted = null
    this.shown = null
    this.error = null
  }

  async #ask(turn: Turn, window: WindowSize, round: number) {
    if (window.before === turn.window.before && window.after === turn.window.after) {
      this.shown = null
      this.error = null
      return
    }
    try {
      const question = turn.searched ?? turn.question
      const found = await session.host.call('widen', { question, scope: turn.scope, window })
      if (round !== this.#round) return
      this.shown = { turn, window, found }
      this.error = null
    } catch (error) {
      if (round === this.#round) this.error = messageOf(error)
    }
  }
}
