// Recorded: a conversation with one answer.
import type { Ask, AskEvent, Card, Conversation, Found, Turn } from '../types'
import { conversations } from './library'

const card = (n: number, document: number, name: string, extra: Partial<Card>, window: string, sentence: string): Card => ({
  n,
  document,
  name,
  place: 'Documents/2024',
  kind: 'pdf',
  page: null,
  heading: null,
  score: 0.5,
  runs: [
    { text: window, mark: 'window' },
    { text: sentence, mark: 'sentence', hit: 0 },
  ],
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
      { kind: 'md', heading: 'Costs', score: 0.81 },
      'This revision was due to unforeseen supply chain disruptions. ',
      'These disruptions caused a 5% increase in hardware procurement costs.',
    ),
    card(
      3,
      13,
      'Steering committee 2024-09-18.docx',
      { kind: 'docx', heading: '3 Phoenix', score: 0.58 },
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

const claim = (sentence: string, supported: boolean, citations: number[]) => {
  const start = text.indexOf(sentence)
  return { start, end: start + sentence.length, text: sentence, supported, reason: supported ? null : ('no-passage' as const), citations }
}

export const turn: Turn = {
  question: 'Why was the Phoenix Initiative’s ROI revised downwards?',
  searched: null,
  asked: Date.parse('2026-11-21T10:00:00Z'),
  scope: { documents: [], folders: [{ id: 1, name: 'Documents' }], kinds: [], since: '2024-01-01', until: null },
  window: { before: 3, after: 3 },
  found,
  answer: {
    text,
    abstained: false,
    quoted: false,
    model: 'smollm2-135m-instruct-q4_1',
    limit: 0.28,
    sentences: [
      claim('The projected ROI fell from 14% to 12% over five years', true, [1]),
      claim(
        'Unforeseen supply chain disruptions in the Southeast Asia manufacturing facilities raised raw material costs by 5%',
        true,
        [1, 2],
      ),
      claim('Management expects the effect to fade next year.', false, []),
    ],
    firstWordMs: 900,
    totalMs: 2400,
  },
  stopped: false,
  error: null,
}

export const conversation: Conversation = { id: conversations[0]!.id, title: conversations[0]!.title, turns: [turn] }

export const chatCalls = {
  conversations: ({ query }: { query: string }) =>
    conversations.filter((row) => row.title.toLowerCase().includes(query.toLowerCase())),
  conversation: () => conversation,
  rename_conversation: () => null,
  delete_conversation: () => null,
  export_conversation: () => 'Phoenix Initiative ROI.md',
  turn_markdown: () => `${text}\n`,
  stop: () => null,
  widen: () => found,
}

export const chatStreams = {
  ask: async (args: Ask, onEvent: (event: AskEvent) => void) => {
    const answered: Turn = { ...turn, question: args.question, scope: args.scope, window: args.window }
    onEvent({ is: 'begun', conversation: conversation.id, turn: 0, searched: null })
    onEvent({ is: 'found', found })
    for (const piece of text.split(/(?<= )/)) onEvent({ is: 'piece', text: piece })
    onEvent({ is: 'done', turn: answered })
    return answered
  },
}
