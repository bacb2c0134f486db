// The why-panel's table: which passages are in which list, in which order, with which texts. No DOM.
import { i18n, t } from '../../i18n/index.svelte'
import type { Fate, Stage, StageRank, Why, WhyPassage } from '../../ipc/types'
import type { StageList } from '../../state/why.svelte'

export interface Group {
  is: 'used' | 'shown' | 'cut' | 'below'
  rows: WhyPassage[]
}

const groupOf: Record<Fate['kind'], Group['is']> = { used: 'used', shown: 'shown', behind: 'shown', 'same-text': 'cut', 'no-room': 'cut', 'not-shown': 'below' }

/** The passages by what became of them, each group in its final order; empty groups are left out. */
export function groups(passages: WhyPassage[]): Group[] {
  const order: Group['is'][] = ['used', 'shown', 'cut', 'below']
  return order
    .map((is) => ({ is, rows: passages.filter((passage) => groupOf[passage.fate.kind] === is).sort((a, b) => a.rank - b.rank) }))
    .filter((group) => group.rows.length > 0)
}

export type OneStage = Exclude<StageList, 'all'>

/** The passages that one stage has seen, in its own order. */
export function ofStage(passages: WhyPassage[], stage: OneStage): WhyPassage[] {
  if (stage === 'rerank') return passages.filter((one) => one.rerank !== null).sort((a, b) => (b.rerank ?? 0) - (a.rerank ?? 0))
  return passages.filter((one) => one[stage] !== null).sort((a, b) => (a[stage]?.rank ?? 0) - (b[stage]?.rank ?? 0))
}

/** How many each stage has found: sentences by meaning and words, passages reranked. */
export function counts(why: Why): Record<OneStage, number> {
  return { dense: why.dense, sparse: why.sparse, fused: why.fused, rerank: ofStage(why.passages, 'rerank').length }
}

/** The passage's number among those that are shown; `null` where it is not shown. */
export function numberOf(fate: Fate): number | null {
  return fate.kind === 'not-shown' || fate.kind === 'same-text' ? null : fate.n
}

/** The line under a passage's name: why it was cut, or what it was put together from. */
export function reason(passage: WhyPassage): string {
  const { fate } = passage
  if (fate.kind === 'behind') return t.why.behind
  if (fate.kind === 'same-text') return t.why.sameText(fate.n)
  if (fate.kind === 'no-room') return t.why.noRoom(fate.tokens, fate.left)
  return t.why.merged(passage.windows, i18n.number(passage.first), passage.last > passage.first ? i18n.number(passage.last) : null)
}

/** What became of a passage, where the table is not grouped by that. */
export function fateOf(passage: WhyPassage): string {
  const { fate } = passage
  if (fate.kind === 'used') return t.why.usedAs(fate.n)
  if (fate.kind === 'shown') return t.why.shownAs(fate.n)
  return fate.kind === 'not-shown' ? t.why.scoredLower : reason(passage)
}

/** A score as its stage counts: a cosine, BM25, a sum of reciprocal ranks, a probability. */
export function score(stage: OneStage | 'order', value: number): string {
  if (stage === 'fused') return i18n.decimal(value, 4).replace(/^0/u, '')
  return i18n.decimal(value, stage === 'sparse' ? 1 : 2)
}

/** What the stages say of a passage; `score` where it takes part in the order. */
export type Scored = Pick<WhyPassage, 'dense' | 'sparse' | 'fused' | 'rerank'> & Partial<Pick<WhyPassage, 'score'>>

/** The score of a stage, or what the order follows, with the rank where it has one. */
export function placeOf(passage: Scored, stage: OneStage | 'order'): StageRank | { score: number; rank: null } | null {
  if (stage !== 'rerank' && stage !== 'order') return passage[stage]
  const value = stage === 'order' ? passage.score : passage.rerank
  return value === null || value === undefined ? null : { score: value, rank: null }
}

/** 41 ms, 0.9 s. */
export function rough(ms: number): string {
  return ms < 100 ? `${i18n.number(ms)} ms` : `${i18n.decimal(ms / 1000, 1)} s`
}

/** 41 ms, 1.42 s: finer than elsewhere, the parts have to add up. */
export function precise(ms: number): string {
  return ms < 1000 ? `${i18n.number(ms)} ms` : `${i18n.decimal(ms / 1000, 2)} s`
}

export interface Slice {
  stage: Stage
  /** Percent of the bar. */
  share: number
  time: string
}

/** The parts of the bar. */
export function slices(why: Why): Slice[] {
  const all = why.stages.reduce((sum, stage) => sum + stage.ms, 0) || 1
  return why.stages.map(({ stage, ms }) => ({ stage, share: (100 * ms) / all, time: precise(ms) }))
}
