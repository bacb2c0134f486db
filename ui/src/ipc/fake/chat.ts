// Recorded: a conversation with an answer, one without, one in German, one that was asked while files were being read.
import type { Ask, AskEvent, Card, CellView, Claim, Conversation, ConversationRef, FillTable, Found, ReviewSurvey, SurveyRow, TableEvent, TableView, Turn } from '../types'
import { conversations } from './library'

const card = (n: number, document: number, name: string, extra: Partial<Card>, window: string, sentence: string): Card => ({
  n,
  document,
  name,
  place: 'Documents/2024',
  kind: 'pdf',
  page: null,
  headings: [],
  sender: null,
  sent: null,
  at: { start: 1000, end: 1400, hits: [{ start: 1000 + window.length, end: 1400 }], hash: `of ${name}` },
  score: 0.5,
  runs: [
    { text: window, mark: 'window' },
    { text: sentence, mark: 'sentence', hit: 0 },
  ],
  mentioned: [],
  lacking: [],
  also: [],
  ...extra,
})

export const found: Found = {
  cards: [
    card(
      1,
      11,
      'Q3-report.pdf',
      { page: 14, score: 0.94 },
      'The primary reason for this overrun was unforeseen supply chain disruptions in our Southeast Asia manufacturing facilities. These disruptions led to a 5% increase in raw material costs. ',
      'Consequently, the project’s overall ROI is now projected to be 12% over a five-year period, down from the initial 14% estimate.',
    ),
    card(
      2,
      12,
      'odyssey-notes.md',
      { kind: 'md', headings: ['Phoenix', 'Costs'], score: 0.81 },
      'This revision was due to unforeseen supply chain disruptions. ',
      'These disruptions caused a 5% increase in hardware procurement costs.',
    ),
    card(
      3,
      13,
      'Steering committee 2024-09-18.docx',
      { kind: 'docx', headings: ['3 Phoenix'], score: 0.58 },
      'The committee noted the higher cost of the first phase. ',
      'It asked for a revised business case before the second phase is released.',
    ),
  ],
  confidence: 0.91,
  read: 38,
  ms: 250,
  missing: { unread: 0, unembedded: 0 },
}

const text =
  'The projected ROI fell from 14% to 12% over five years [1]. Unforeseen supply chain disruptions in the Southeast Asia manufacturing facilities raised raw material costs by 5% [1][2], and a revised business case is due before the second phase [3].\n\nManagement expects the effect to fade next year.'

/** A sentence of an answer, found by its words. */
export const claimOf = (text: string, sentence: string, supported: boolean, citations: number[]): Claim => {
  const start = text.indexOf(sentence)
  return { start, end: start + sentence.length, text: sentence, supported, citations, ...(supported ? {} : { reason: 'no-passage' }) }
}

const claim = (sentence: string, supported: boolean, citations: number[]) => claimOf(text, sentence, supported, citations)

export const turn: Turn = {
  question: 'Why was the Phoenix Initiative’s ROI revised downwards?',
  searched: null,
  words: ['Phoenix', 'Initiative', 'ROI', 'revised', 'downwards'],
  asked: Date.parse('2026-11-21T10:00:00Z'),
  scope: { documents: [], folders: [{ id: 1, name: 'Documents' }], kinds: [], since: '2024-01-01', until: null, from: [], gone: [] },
  window: { before: 3, after: 3 },
  found,
  answer: {
    text,
    abstained: false,
    quoted: false,
    overruled: false,
    parts: [],
    survey: null,
    rows: null,
    time: null,
    model: 'qwen2.5-coder-0.5b-instruct',
    limit: 0.36,
    leftOut: [],
    sentences: [
      claim('The projected ROI fell from 14% to 12% over five years', true, [1]),
      {
        start: text.indexOf('Unforeseen'),
        end: text.indexOf(' [3]'),
        text: 'Unforeseen supply chain disruptions in the Southeast Asia manufacturing facilities raised raw material costs by 5%, and a revised business case is due before the second phase',
        supported: true,
        citations: [1, 2, 3],
      },
      claim('Management expects the effect to fade next year.', false, []),
    ],
    firstWordMs: 900,
    totalMs: 2400,
  },
  table: null,
  proposed: null,
  stopped: false,
  error: null,
}

export const conversation: Conversation = { id: conversations[0]!.id, title: conversations[0]!.title, turns: [turn] }

/** Nothing said it. */
export const abstained: Turn = {
  ...turn,
  question: 'What yield did batch 14 reach at 80 °C?',
  words: ['yield', 'batch', '14', 'reach', '80', 'C'],
  scope: { documents: [], folders: [{ id: 1, name: 'Documents' }], kinds: [], since: null, until: null, from: [], gone: [] },
  found: {
    cards: [
      card(
        1,
        16,
        'Lab notes 2024-06.md',
        { kind: 'md', headings: ['Thursday 13 June'], score: 0.21, mentioned: ['batch', '14'], lacking: ['yield', '80'] },
        'Heated in steps of ten degrees and sampled at each. ',
        'Batch 14 gave 62% at 60 °C and 71% at 70 °C.',
      ),
      card(2, 17, 'batch-12.txt', { kind: 'txt', score: 0.14 }, 'Batch 12, 90 °C, 4 h: 69%. ', 'Batch 12, 80 °C, 4 h: 74%.'),
    ],
    confidence: 0.08,
    read: 34,
    ms: 260,
    missing: { unread: 0, unembedded: 0 },
  },
  answer: {
    text: 'I could not find an answer in your documents.',
    abstained: true,
    quoted: false,
    overruled: false,
    parts: [],
    survey: null,
    rows: null,
    time: null,
    model: 'quotes',
    limit: 0.35,
    sentences: [],
    leftOut: [],
    firstWordMs: 300,
    totalMs: 300,
  },
}

const notice =
  'You have to give at least three months’ notice, ending with a calendar month [1]. It must be in writing; an e-mail or a call does not count [1].'

/** Asked while files were still being read. */
export const early: Turn = {
  ...turn,
  question: 'How much notice do I have to give my landlord, and in what form?',
  scope: { documents: [], folders: [{ id: 2, name: 'Contracts' }], kinds: [], since: null, until: null, from: [], gone: [] },
  window: { before: 2, after: 2 },
  found: {
    cards: [
      card(
        1,
        18,
        'Lease 14 Harbour Row.pdf',
        { page: 3, score: 0.97 },
        'A message by e-mail or telephone is not notice in writing. ',
        'The tenant shall give not less than three months’ notice, expiring at the end of a calendar month.',
      ),
      card(
        2,
        19,
        'Letter to Ms Okafor 2023.docx',
        { kind: 'docx', score: 0.62 },
        'You asked how the notice period is counted. ',
        'Notice is given on the day the letter reaches you, not the day it was posted.',
      ),
    ],
    confidence: 0.88,
    read: 31,
    ms: 240,
    missing: { unread: 191, unembedded: 0 },
  },
  answer: {
    ...turn.answer!,
    text: notice,
    sentences: [
      claimOf(notice, 'You have to give at least three months’ notice, ending with a calendar month', true, [1]),
      claimOf(notice, 'It must be in writing; an e-mail or a call does not count', true, [1]),
    ],
    firstWordMs: 800,
  },
}

const warranty =
  'Die Garantie läuft bis zum 14. November 2028 [1]. Sie gilt nur, wenn ein Fachbetrieb die Anlage jedes Jahr wartet [1]. Die nächste Wartung ist im Oktober 2025 fällig [2].'

const german: Turn = {
  ...turn,
  question: 'Bis wann läuft die Garantie der Wärmepumpe, und woran hängt sie?',
  scope: { documents: [], folders: [{ id: 1, name: 'Documents' }], kinds: [], since: null, until: null, from: [], gone: [] },
  found: {
    ...found,
    cards: [
      card(
        1,
        20,
        'Rechnung Exner 2023-11.pdf',
        { page: 1, score: 0.96 },
        'Auf die Montage geben wir zwei Jahre Gewähr. ',
        'Die Garantie des Herstellers auf die Wärmepumpe läuft fünf Jahre ab Inbetriebnahme, also bis zum 14. November 2028.',
      ),
      card(
        2,
        21,
        'Wartung 2024.docx',
        { kind: 'docx', score: 0.63 },
        'Anlage ohne Befund. ',
        'Die nächste Wartung ist im Oktober 2025 fällig.',
      ),
    ],
    read: 29,
    ms: 220,
  },
  answer: {
    ...turn.answer!,
    text: warranty,
    sentences: [
      claimOf(warranty, 'Die Garantie läuft bis zum 14. November 2028', true, [1]),
      claimOf(warranty, 'Sie gilt nur, wenn ein Fachbetrieb die Anlage jedes Jahr wartet', true, [1]),
      claimOf(warranty, 'Die nächste Wartung ist im Oktober 2025 fällig', true, [2]),
    ],
  },
}

const turnsOf: Record<string, Turn[]> = {
  [conversations[1]!.id]: [early],
  [conversations[3]!.id]: [abstained],
  [conversations[4]!.id]: [german],
}

const listedRow = (n: number, name: string, certain: boolean, ...sentences: string[]): SurveyRow => ({
  n,
  cited: true,
  document: 20 + n,
  name,
  place: 'Documents/Contracts',
  kind: name.endsWith('.pdf') ? 'pdf' : 'docx',
  modified: Date.parse(`2024-0${n}-01T10:00:00Z`),
  certain,
  included: null,
  sentences: sentences.map((text, k) => ({
    page: name.endsWith('.pdf') ? k + 2 : null,
    text,
    at: { start: 100 * k, end: 100 * k + text.length, hits: [], hash: `of ${name}` },
  })),
})

/** Asked for all documents: a count and its list. */
export const listed: Turn = {
  ...turn,
  question: 'Which contracts mention a notice period?',
  words: ['contracts', 'mention', 'notice', 'period'],
  answer: {
    ...turn.answer!,
    text: '3 of 40 contracts mention a notice period [1][2][3].',
    quoted: true,
    model: 'quotes',
    sentences: [
      {
        start: 0,
        end: 44,
        text: '3 of 40 contracts mention a notice period.',
        supported: true,
        citations: [1, 2, 3],
      },
    ],
    survey: {
      thing: 'a notice period',
      folder: 'Contracts',
      total: 42,
      read: 40,
      unreadable: 2,
      sentences: 6124,
      checked: 212,
      least: 0.5,
      certain: 0.85,
      rows: [
        listedRow(1, 'Brandt framework 2022.docx', true, 'Either party may end this agreement with three months’ notice.'),
        listedRow(2, 'Lease 14 Harbour Row.pdf', true, 'The Tenant gives six months’ notice.', 'Notice is given in writing.'),
        listedRow(3, 'Tidewater insurance.pdf', false, 'The insured must give notice of any loss within 14 days.'),
      ],
    },
    totalMs: 2400,
  },
}

export const chatCalls = {
  review_survey: ({ n, included }: ReviewSurvey): Turn => {
    const survey = listed.answer!.survey!
    const rows = survey.rows.map((row) => (row.n === n ? { ...row, included } : row))
    return { ...listed, answer: { ...listed.answer!, survey: { ...survey, rows } } }
  },
  save_survey: () => 'Notice periods.csv',
  prepare_answer: () => null,
  suggestions: (): string[] => ['What does Lease 2021.pdf say about the notice period?'],
  suggest: (): string | null => null,
  empty_cell: (): Turn => listed,
  save_table: () => 'Notice periods.csv',
  conversations: ({ query }: { query: string }) =>
    conversations.filter((row) => row.title.toLowerCase().includes(query.toLowerCase())),
  conversation: ({ conversation: id }: ConversationRef): Conversation => {
    const row = conversations.find((one) => one.id === id)
    return row && turnsOf[id] ? { id, title: row.title, turns: turnsOf[id] } : conversation
  },
  rename_conversation: () => null,
  delete_conversation: () => null,
  export_conversation: () => 'Phoenix Initiative ROI.md',
  turn_markdown: () => `${text}\n`,
  conversation_markdown: () => `# Phoenix Initiative ROI\n\n${text}\n`,
  stop: () => null,
  widen: () => found,
}

const cell = (words: string, unsure = false, ...others: string[]): CellView => ({
  quotes: [words, ...others].map((one, k) => ({
    words: one,
    sentence: `It is ${one}.`,
    page: null,
    at: { start: 10 * k, end: 10 * k + 9, hits: [], hash: null },
  })),
  unsure,
})

/** A table of the list. */
export const tabled: TableView = {
  questions: ['How long is it?', 'Who may give it?'],
  rows: [
    { document: 21, name: 'Brandt framework 2022.docx', place: 'Documents/Contracts', kind: 'docx', cells: [cell('three months'), cell('Either party')] },
    { document: 22, name: 'Lease 14 Harbour Row.pdf', place: 'Documents/Contracts', kind: 'pdf', cells: [cell('six months', true), { quotes: [], unsure: false }] },
    { document: 23, name: 'Tidewater insurance.pdf', place: 'Documents/Contracts', kind: 'pdf', cells: [cell('14 days', false, 'a month'), null] },
  ],
}

export const chatStreams = {
  fill_table: async ({ questions }: FillTable, onEvent: (event: TableEvent) => void): Promise<Turn> => {
    const empty = tabled.rows.map((row) => ({ ...row, cells: questions.map(() => null) }))
    onEvent({ is: 'begun', table: { questions, rows: empty } })
    const filled = empty.map((row, at) => ({ ...row, cells: questions.map((_, column) => tabled.rows[at]!.cells[column] ?? { quotes: [], unsure: false }) }))
    filled.forEach(({ cells }, row) => cells.forEach((cell, column) => onEvent({ is: 'filled', row, column, cell })))
    return { ...listed, table: { questions, rows: filled } }
  },
  ask: async (args: Ask, onEvent: (event: AskEvent) => void) => {
    const answered: Turn = { ...turn, question: args.question, scope: args.scope, window: args.window }
    onEvent({ is: 'begun', conversation: conversation.id, turn: 0, searched: null })
    onEvent({ is: 'found', found })
    for (const piece of text.split(/(?<= )/)) onEvent({ is: 'piece', text: piece })
    return answered
  },
}
