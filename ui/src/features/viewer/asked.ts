// What the conversation knows about the open document: which sentence of the answer led here, which passage was kept.
import type { Card, OpenView, Turn } from '../../ipc/types'
import { talk } from '../../state/talk.svelte'

/** The turn that a request belongs to, where its conversation is the open one. */
export function askedIn(request: OpenView | null): Turn | null {
  return request?.is === 'passage' && talk.id === request.conversation ? (talk.turns[request.turn] ?? null) : null
}

/** The passage as the conversation shows it. */
export function cardOf(request: OpenView | null): Card | null {
  return request?.is === 'passage' ? (askedIn(request)?.found?.cards.find((card) => card.n === request.n) ?? null) : null
}

/** The sentence of the answer that cites the open place. */
export function claimOf(request: OpenView | null): string | null {
  if (request?.is !== 'passage') return null
  const claims = askedIn(request)?.answer?.sentences ?? []
  const claim = request.claim === null ? claims.find((one) => one.citations.includes(request.n)) : claims[request.claim]
  return claim?.text ?? null
}

/** The document that was asked for, where it is known. */
export function documentOf(request: OpenView | null): number | null {
  return request === null ? null : request.is === 'passage' ? (cardOf(request)?.document ?? null) : request.document
}

/** Asks the question of the open place once more. */
export function askAgain(request: OpenView) {
  if (request.is === 'passage' && askedIn(request)) talk.again(request.turn)
}
