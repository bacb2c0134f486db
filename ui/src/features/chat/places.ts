// Where a passage comes from, in words; opening its place in the viewer; copying.
import { locationWords } from '../../i18n/formats'
import { i18n, t } from '../../i18n/index.svelte'
import type { Card, Claim, Found, LibraryState, PartView, Scope } from '../../ipc/types'
import { viewer } from '../../state/viewer.svelte'

/** A turn that citations and cards belong to. */
export interface TurnPlace {
  /** `null` as long as the shell has not kept the question. */
  conversation: string | null
  turn: number
  /** How many sentences of the answer come before those of this part. */
  before?: number
}

/** `page 14 · Break clause`, `Prices, row 12`: the page and the innermost heading, or nothing. Of a mail who sent it. */
export function whereIn(card: Card): string {
  if (card.sender !== null) return nameOfSender(card.sender)
  // A sheet is a heading, too.
  const heading = card.headings.at(-1)
  return [locationWords(card, card.kind), heading === card.sheet ? '' : heading].filter(Boolean).join(' · ')
}

/** A sender's name without the address behind it. */
export const nameOfSender = (sender: string): string => sender.replace(/\s*<[^<>]*>$/u, '') || sender

/** `0.9 s`: the wait for the first word, in tenths of a second. */
export function firstWord(ms: number): string {
  return t.chat.firstWord(`${i18n.decimal(ms / 1000, 1)} s`)
}

/** Opens the place of a passage; `claim` is the sentence of the answer that cites it. */
export function openPassage({ conversation, turn, before = 0 }: TurnPlace, n: number, claim: number | null) {
  const place = claim === null ? null : before + claim
  if (conversation) void viewer.open({ is: 'passage', conversation, turn, n, claim: place })
}

/** The first sentence of an answer that cites a passage. */
export function citing(claims: Claim[], n: number): number | null {
  const claim = claims.findIndex(({ citations }) => citations.includes(n))
  return claim < 0 ? null : claim
}

/** Whether the parts of a question are the sides that it compares. */
export function areSides(parts: PartView[]): boolean {
  return parts.length > 0 && parts.every(({ side }) => side !== null)
}

/** The numbers of the answer's own passages that a card of another window holds. */
export function numbersOf(card: Card, own: Found): number[] {
  const shared = ({ at }: Card) => at.hits.some((hit) => card.at.hits.some((other) => other.start === hit.start))
  const held = own.cards.filter((one) => one.document === card.document && one.at.hash === card.at.hash && shared(one))
  return held.map(({ n }) => n)
}

/** Whether a scope leaves nothing out. */
export function isEverywhere(scope: Scope): boolean {
  const { documents, folders, kinds, from, gone } = scope
  return documents.length + folders.length + kinds.length + from.length + gone.length === 0 && !scope.since && !scope.until
}

/** Where a question looked, to follow `in …`; empty if everywhere. */
export function scopeWords(scope: Scope): string {
  if (isEverywhere(scope)) return ''
  const names = [...[...scope.folders, ...scope.documents].map(({ name }) => name), ...scope.gone]
  return names.length > 0 ? names.join(', ') : t.chat.narrowed
}

/** Whether everything in the library can be found by words and by meaning. */
export function isReady(library: LibraryState | undefined): boolean {
  const busy = ['scanning', 'reading', 'embedding', 'recognising'].includes(library?.activity.is ?? 'idle')
  return library !== undefined && library.waiting === 0 && library.unembedded === 0 && !busy
}
