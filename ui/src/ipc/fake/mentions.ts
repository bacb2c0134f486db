// Recorded: every mention of some words. Lists longer than a page are made up.
import type { FindMentions, Mention, MentionRow, Mentions, MoreMentions } from '../types'
import { documents } from './library'

const mention = (start: number, page: number | null, ...pieces: string[]): Mention => ({
  start,
  page,
  // Every second piece is one of the words.
  pieces: pieces.map((text, at) => ({ text, found: at % 2 === 1 })).filter(({ text }) => text !== ''),
})

const nth = (at: number, page: number | null) =>
  mention(1000 + at * 90, page, '', 'Batch', ' ', '14', ` was sampled for the ${at + 1}th time.`)

export const mentionRows: MentionRow[] = [
  {
    document: documents[1]!,
    words: 2,
    sentences: 40,
    mentions: [
      mention(500, null, 'Thursday 13 June: ', 'batch', ' ', '14', '.'),
      mention(640, null, '', 'Batch', ' ', '14', ' gave 62% at 60 °C and 71% at 70 °C.'),
      nth(2, null),
    ],
  },
  { document: documents[0]!, words: 2, sentences: 1, mentions: [mention(80, 14, 'The yield of ', 'batches', ' 13 and ', '14', ' fell.')] },
]

export const listed: Mentions = {
  words: [
    { word: 'batch', sentences: 61 },
    { word: '14', sentences: 112 },
  ],
  whole: true,
  searched: 1707,
  documents: 3,
  sentences: 42,
  rows: mentionRows,
}

export const nearest: Mentions = {
  ...listed,
  words: [...listed.words, { word: 'zeppelin', sentences: 0 }],
  whole: false,
}

const last: MentionRow = { document: documents[2]!, words: 2, sentences: 1, mentions: [nth(0, null)] }

export const mentionCalls = {
  mentions: ({ words, from }: FindMentions): Mentions => {
    const list = words.includes('zeppelin') || words.includes('yield') ? nearest : listed
    if (words.includes('nothing')) {
      return { ...list, words: [{ word: 'nothing', sentences: 0 }], whole: false, documents: 0, sentences: 0, rows: [] }
    }
    return { ...list, rows: from === 0 ? mentionRows : [last] }
  },
  more_mentions: ({ document, from }: MoreMentions): MentionRow => {
    const row = mentionRows.find((one) => one.document.id === document) ?? mentionRows[0]!
    const left = Array.from({ length: Math.min(30, row.sentences - from) }, (_, k) => nth(from + k, null))
    return { ...row, mentions: left }
  },
}
