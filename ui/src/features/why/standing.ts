// Why a file is not in an answer, in words, the first obstacle first. No DOM.
import { i18n, t } from '../../i18n/index.svelte'
import type { BestSentence, WhyNot } from '../../ipc/types'

/** Everything that kept a file out of an answer, or that would have. */
export function standing(not: WhyNot): string[] {
  const said: string[] = []
  if (not.standing.kind === 'waiting') said.push(t.why.waiting)
  if (not.standing.kind === 'failed') said.push(t.why.failed(i18n.say(not.standing.reason)))
  if (not.excludedBy.length > 0) said.push(t.why.outsideScope)
  if (not.standing.kind !== 'indexed') return said
  const all = not.sentences
  if (all === 0) return [...said, t.why.noSentences]
  const missing = not.withoutVectors
  if (missing > 0) {
    said.push(missing >= all ? t.why.noMeaning : t.why.someMeaning(missing, i18n.number(missing), i18n.number(all)))
  }
  return not.best ? [...said, ...ofBest(not.best, not)] : [...said, t.why.nothingNear]
}

function ofBest(best: BestSentence, not: WhyNot): string[] {
  const needed = i18n.number(not.needed.retrieved)
  const within = (place: { rank: number } | null) => place !== null && place.rank <= not.needed.retrieved
  const shown = not.passages.flatMap(({ fate }) => (fate.kind === 'shown' ? [fate.n] : []))
  const said: string[] = []
  if (best.dense && !within(best.dense)) said.push(t.why.farByMeaning(t.why.rank(best.dense.rank), needed))
  if (best.dense && within(best.dense)) said.push(t.why.nearByMeaning(t.why.rank(best.dense.rank), needed))
  if (!best.sparse) said.push(t.why.notByWords)
  else said.push(within(best.sparse) ? t.why.nearByWords(t.why.rank(best.sparse.rank), needed) : t.why.farByWords(t.why.rank(best.sparse.rank), needed))
  if (shown.length > 0) said.push(t.why.isShown(i18n.number(Math.min(...shown))))
  else if (best.fused) {
    said.push(best.rerank === null ? t.why.wasCandidate(t.why.rank(best.fused.rank)) : t.why.wasReranked(i18n.decimal(best.rerank, 2)))
  }
  return said
}
