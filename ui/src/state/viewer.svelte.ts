// The document beside the conversation: which one was asked for, what came back, which marked sentence is shown.
import { tick, untrack } from 'svelte'
import type { OpenView, View } from '../ipc/types'
import { navigation } from './navigation.svelte'
import { messageOf, session } from './session.svelte'
import { talk } from './talk.svelte'

class Viewer {
  request = $state.raw<OpenView | null>(null)
  view = $state.raw<View | null>(null)
  /** Why the document cannot be shown. */
  error = $state<string | null>(null)
  /** Which of the marked sentences is shown. */
  hit = $state<number | null>(null)
  /** Counts the jumps: the pages scroll to `hit` whenever it changes. */
  jump = $state(0)
  /** Whether closing goes back to the why-panel, from where it was opened. */
  #fromWhy = false
  /** The requests on the way into files inside other files. */
  #way: OpenView[] = []
  #asked = 0

  /** The passage whose place is open, for its citation and card. */
  readonly openAt = $derived(
    navigation.pane === 'viewer' && this.request?.is === 'passage'
      ? { conversation: this.request.conversation, turn: this.request.turn, n: this.request.n }
      : null,
  )

  /** Whether the document needs more room than a column of text. */
  readonly wide = $derived(this.view !== null && ['sheets', 'slides', 'mail'].includes(this.view.layout))

  constructor() {
    $effect.root(() => {
      $effect(() => {
        const anew = talk.live ?? talk.givenBack
        untrack(() => {
          // Its passage belonged to a turn that is asked again: its number means another passage.
          if (anew && this.request?.is === 'passage' && talk.replaces(anew, this.request)) this.close()
        })
      })
    })
  }

  /**
   * Opens a document beside the conversation; the focus stays where it is and is remembered. With `back` closing it goes
   * back to the why-panel, where it was opened from there.
   */
  async open(request: OpenView, { back = request.is !== 'passage' } = {}) {
    this.#way = []
    await this.#show(request, back)
  }

  /** Opens a file inside the open document. */
  async enter(member: number) {
    if (this.request) this.#way.push(this.request)
    await this.#stay({ is: 'document', document: member })
  }

  /** Goes back to the document that the open one is inside of, in its last state. */
  async leave() {
    const container = this.view?.inside.at(-1)
    const request = this.#way.pop() ?? (container && { is: 'document', document: container.id })
    if (request) await this.#stay(request)
  }

  /** Shows another document in the pane, which keeps the focus. */
  async #stay(request: OpenView) {
    await this.#show(request, true)
    await tick()
    if (document.activeElement === document.body) focusPane()
  }

  async #show(request: OpenView, back: boolean) {
    if (navigation.pane === null) {
      navigation.keepFocus()
      // Cleans up a pane that was removed with its conversation.
      this.#fromWhy = false
      this.view = null
      this.hit = null
    } else if (navigation.pane === 'why') this.#fromWhy = back
    else if (!back) this.#fromWhy = false
    if (!navigation.besides) navigation.page = 'talk'
    navigation.pane = 'viewer'
    this.request = request
    await this.load()
  }

  /** Asks the shell for what `request` names; the view before it stays until the answer is here. */
  async load() {
    const request = this.request
    if (!request) return
    const asked = ++this.#asked
    this.error = null
    try {
      const view = await session.host.call('open_view', request)
      if (asked !== this.#asked) return
      this.view = view
      this.go(view.first ?? (view.hits.length > 0 ? 0 : null))
    } catch (error) {
      if (asked !== this.#asked) return
      this.view = null
      this.hit = null
      this.error = messageOf(error)
    }
  }

  /** Shows a marked sentence. */
  go(hit: number | null) {
    this.hit = hit
    this.jump += 1
  }

  /** The next marked sentence (1) or the one before (-1), from the last to the first. */
  step(by: 1 | -1) {
    const count = this.view?.hits.length ?? 0
    if (count > 0) this.go(((this.hit ?? (by > 0 ? -1 : 0)) + by + count) % count)
  }

  /** Closes the pane; the focus goes back to where it came from unless it has moved on since. */
  close() {
    this.#asked += 1
    this.request = null
    this.view = null
    this.error = null
    this.hit = null
    if (this.#fromWhy) {
      this.#fromWhy = false
      const inside = document.activeElement?.closest('[data-pane="side"]')
      navigation.pane = 'why'
      // The row from which it was opened takes the focus if it is there.
      if (inside) void tick().then(() => document.activeElement === document.body && focusPane())
    } else leavePane()
  }
}

/** Focuses the pane. */
function focusPane() {
  document.querySelector<HTMLElement>('[data-pane="side"] [data-pane-start]')?.focus()
}

/** Removes the pane and moves the focus back if it was inside. */
export function leavePane() {
  const now = document.activeElement
  const stays = now instanceof HTMLElement && now !== document.body && !now.closest('[data-pane="side"]')
  navigation.pane = null
  queueMicrotask(() => {
    navigation.returnFocus()
    if (stays && now.isConnected) now.focus()
  })
}

export const viewer = new Viewer()
