// Recorded: a draft and what was found of each of its sentences.
import type { CheckDraft, CheckedSentence, Draft, DraftSentence, Finding, FindingPlace, Unsupported } from '../types'

const place = (document: number, name: string, page: number | null, text: string): FindingPlace => ({
  document,
  name,
  place: 'Documents/2024',
  kind: name.endsWith('pdf') ? 'pdf' : 'docx',
  page,
  text,
  at: { start: 4000 + text.length, end: 4000 + 2 * text.length, hits: [{ start: 4000 + text.length, end: 4000 + 2 * text.length }], hash: `of ${name}` },
})

const report = (text: string, page = 14) => place(11, 'Q3-report.pdf', page, text)
const minutes = (text: string) => place(13, 'Steering committee 2024-09-18.docx', null, text)

const supported = (...places: FindingPlace[]): Finding => ({ verdict: 'supported', reason: null, difference: null, places, closest: null })
const contradicted = (reason: Unsupported, claim: string, passage: string, at: FindingPlace): Finding => ({
  verdict: 'contradicted',
  reason,
  difference: { claim, passage },
  places: [at],
  closest: null,
})
const notFound = (reason: Unsupported, closest: FindingPlace | null = null): Finding => ({
  verdict: 'not-found',
  reason,
  difference: null,
  places: [],
  closest,
})

const roi = report('Consequently, the project’s overall ROI is now projected to be 12% over a five-year period, down from the initial 14% estimate.')
const costs = 'These disruptions led to a 5% increase in raw material costs.'

/** By sentence; anything else is found nowhere. */
const findings: Record<string, Finding> = {
  'Dear all,': notFound('no-claim'),
  'The Phoenix Initiative was a major driver of growth in the third quarter.': supported(report('The ‘Phoenix Initiative’ was a major driver of Q3 growth.')),
  'Its ROI over five years is now put at 12%, down from 15%.': contradicted('other-number', '15%', '14%', roi),
  'Its ROI over five years is now put at 12%, down from 14%.': supported(roi),
  'Supply chain disruptions in Southeast Asia raised raw material costs by 5%.': supported(report(costs), place(12, 'odyssey-notes.md', null, costs)),
  'Inventories fell to 112 million euros, as parts were ordered early.': contradicted('opposite', 'fell', 'rose', report('Inventories rose to 112 million euros.')),
  'Ms Lindqvist presents the case in January.': contradicted('other-name', 'Ms Lindqvist', 'Ms Okafor', minutes('Ms Okafor presents the case in January.')),
  'No order for the second line has been placed.': notFound('no-passage', minutes('None may be placed until then.')),
  'The group employs 1,912 people.': supported(report('The group employed 1,912 people.', 15)),
}

export const draftText =
  'Dear all,\n\nThe Phoenix Initiative was a major driver of growth in the third quarter. Its ROI over five years is now put at 12%, down from 15%. Supply chain disruptions in Southeast Asia raised raw material costs by 5%. Management expects the effect to fade next year.\n\nInventories fell to 112 million euros, as parts were ordered early. Ms Lindqvist presents the case in January. No order for the second line has been placed. The group employs 1,912 people.\n'

/** Good enough for recorded texts. */
function split(text: string): Draft {
  const sentences: DraftSentence[] = []
  let end = 0
  for (const { 0: sentence, index } of text.matchAll(/\S[^\n]*?(?:[.!?](?=\s|$)|(?=\n|$))/g)) {
    const before = text.slice(end, index)
    sentences.push({ before, text: sentence, beginsParagraph: end === 0 || before.includes('\n') })
    end = index + sentence.length
  }
  return { sentences, rest: text.slice(end), unchecked: 0 }
}

export const draftCalls = {
  split_draft: ({ text }: { text: string }): Draft => split(text),
  read_draft: () => ({ name: 'Board letter, autumn.docx', text: draftText }),
  save_draft_report: () => 'Check of Board letter, autumn.md',
}

export const draftStreams = {
  check_draft: async ({ sentences }: CheckDraft, onEvent: (event: CheckedSentence) => void) => {
    sentences.forEach((text, at) => onEvent({ at, finding: findings[text] ?? notFound('no-passage') }))
    return null
  },
}
