// A finding in words: what was found, where, and the words that can be replaced.
import type { IconName } from '../../components/icons'
import { locationWords } from '../../i18n/formats'
import { t } from '../../i18n/index.svelte'
import type { Finding, FindingPlace, ReportedSentence, Unsupported, Verdict } from '../../ipc/types'
import { counts, draft, type Part } from '../../state/draft.svelte'
import { around } from '../chat/claims'

export const signs: Record<Verdict, IconName> = { supported: 'check', contradicted: 'differs', 'not-found': 'missing' }

/** Reasons with words that can be replaced by those of the passage. */
const literal = new Set<Unsupported | null>(['other-number', 'other-unit', 'other-name'])

/** Supported; The passage says 14%, not 15%; Not found; Nothing to check. */
export function findingWords({ verdict, reason, difference }: Finding): string {
  if (reason === 'no-claim') return t.draft.nothing
  if (reason === null || reason === 'no-passage') return t.draft.verdicts[verdict]
  return t.chat.reasons[reason](difference)
}

/** `Q3-report.pdf, page 14` */
export const placeWords = (place: FindingPlace): string => t.draft.place(place.name, locationWords(place))

/** What a sentence is if the words of the passage take the place of its own; `null` if that is not all that differs. */
export function replaced({ text, finding }: Part): string | null {
  if (!finding?.difference?.passage || !literal.has(finding.reason)) return null
  const [before, wrong, after] = around(text, finding.difference)
  return wrong ? before + finding.difference.passage + after : null
}

/** Your documents support 5 of these 10 sentences. */
export function summary(): string {
  return t.draft.result(draft.count('supported'), draft.rows.filter(counts).length)
}

/** The sentences with their findings, to be saved. */
export function reported(parts: Part[]): ReportedSentence[] {
  return parts.map(({ text, finding }) => {
    const place = finding?.places[0]
    return {
      text,
      finding: finding ? findingWords(finding) : t.chat.unchecked,
      place: place ? placeWords(place) : null,
      quote: place?.text ?? null,
    }
  })
}
