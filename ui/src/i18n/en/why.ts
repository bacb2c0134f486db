// Why an answer is as it is, and why a file is not in it.
import { counting } from '../plural'

const counted = counting('en-GB')
const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }
const ordinal = new Intl.PluralRules('en', { type: 'ordinal' })
const figure = new Intl.NumberFormat('en-GB')

export const why = {
  title: 'Why this answer',
  notFound: 'Why was a file not found?',
  close: 'Close the explanation',
  waits: 'Shown as soon as the question is answered.',
  searched: 'Searched for:',
  wordings: 'Also searched for:',
  quoted: (words: string) => `“${words}”`,

  times: 'Timings',
  inAll: (time: string) => `${time} in all`,
  firstWord: (time: string) => `First word after ${time}`,
  stage: { search: 'Search', rerank: 'Rerank', read: 'Read', write: 'Write', check: 'Check' },

  sentences: (count: number): string => (count === 1 ? 'sentence' : 'sentences'),
  afterMerging: (count: number): string => (count === 1 ? 'passage after merging' : 'passages after merging'),
  used: 'used',
  ofTokens: (limit: number) => `of ${counted(limit, 'token', 'tokens')}`,
  tokensOf: (tokens: string, limit: number) => `${tokens} of ${counted(limit, 'token', 'tokens')}`,
  refusal: (percent: number) => `${percent}% that the model finds no answer in it`,
  phrase: (percent: number) => `${percent}% that it is the answer`,

  stages: 'Stage',
  allStages: 'All stages',
  allTip: 'Every passage, by what became of it',
  meaning: 'Meaning',
  meaningTip: 'Found by meaning (dense): cosine, and rank',
  words: 'Words',
  wordsTip: 'Found by words (sparse): BM25, and rank',
  fused: 'Fused',
  fusedTip: 'Both lists put together: reciprocal rank fusion',
  rerank: 'Rerank',
  reranked: 'Reranked',
  rerankTip: 'Question and passage read together: score of the reranker, 0 to 1',
  rerankAlone: (score: string) => `The reranker alone: ${score}`,
  orderTip: 'Best first: the score of the reranker, less a little for each place after fusion.',
  passage: 'Passage',

  group: { used: 'Used', shown: 'Shown', cut: 'Cut', below: 'Cut' },
  groupOf: {
    used: (count: number, n: string) => (count === 1 ? `${n} passage` : `${n} passages`),
    shown: (count: number, n: string) => (count === 1 ? `${n} passage, not read for the answer` : `${n} passages, not read for the answer`),
    cut: (_: number, n: string) => `${n} for room or repetition`,
    below: (_: number, n: string) => `${n} scored lower`,
  },
  merged: (windows: number, first: string, last: string | null) => {
    const from = windows === 1 ? 'One window' : `Merged from ${windows} windows`
    return last === null ? `${from}, sentence ${first}` : `${from}, sentences ${first} to ${last}`
  },
  behind: 'Too far behind the best to be read for the answer',
  sameText: (n: number) => `Same text as passage ${n}`,
  noRoom: (tokens: number, left: number) => `Needs ${counted(tokens, 'token', 'tokens')}, ${counted(left, 'is', 'are')} left`,
  usedAs: (n: number) => `Used as passage ${n}`,
  shownAs: (n: number) => `Shown as passage ${n}, not read for the answer`,
  scoredLower: 'Others scored higher',
  left: 'This document is no longer in the library',
  rank: (rank: number) => `${figure.format(rank)}${suffixes[ordinal.select(rank)] ?? 'th'}`,
  notAmong: (taken: string) => `Not among the first ${taken}`,
  notThere: 'Not found this way',
  more: (count: string) => `Show ${count} more`,

  prompt: 'Prompt',

  check: 'Check',
  supportedOf: (supported: number, all: number) =>
    all === 1 ? `${supported} of 1 sentence supported` : `${supported} of ${all} sentences supported`,
  supports: (count: number): string => (count === 1 ? 'The cited passage says so' : 'The cited passages say so'),
  supportedPlain: 'Nothing to support',

  whichFile: 'Which file did you expect?',
  files: 'Files',
  noQuestion: 'Ask a question first: then this says where a file stood in it.',
  noSuchFile: (query: string) => `No file in the library has “${query}” in its name. Perhaps its folder is not followed, or it is left out.`,
  another: 'Another file',
  looking: (sentences: number) => `Comparing ${counted(sentences, 'sentence', 'sentences')} with the question`,
  waiting: 'It has not been read yet. Ask again when its turn has come.',
  failed: (reason: string) => `It could not be read: ${reason}`,
  outsideScope: 'The question looked elsewhere: its scope leaves this file out.',
  noSentences: 'It holds no sentences.',
  noMeaning: 'None of its sentences can be found by meaning yet, only by words.',
  someMeaning: (count: number, n: string, all: string) =>
    count === 1
      ? `One of its ${all} sentences cannot be found by meaning yet.`
      : `${n} of its ${all} sentences cannot be found by meaning yet.`,
  nothingNear: 'None of its sentences is near the question, neither by meaning nor by words.',
  nearByMeaning: (rank: string, needed: string) => `By meaning its best sentence is ${rank}, among the ${needed} that are taken.`,
  farByMeaning: (rank: string, needed: string) => `By meaning its best sentence is ${rank}, and ${needed} are taken.`,
  notByWords: 'By words it was not found: the sentence shares none with the question that count.',
  nearByWords: (rank: string, needed: string) => `By words it is ${rank}, among the ${needed} that are taken.`,
  farByWords: (rank: string, needed: string) => `By words it is ${rank}, and ${needed} are taken.`,
  wasCandidate: (rank: string) => `It was a candidate, ${rank} after both lists were put together. Others came first.`,
  wasReranked: (score: string) => `It was a candidate. The reranker gave it ${score} of 1; with its place after fusion counted, others came first.`,
  isShown: (n: string) => `It is among the passages, as number ${n}.`,
  bestSentence: 'Best sentence',
  openThere: 'Open at this sentence',
  openFile: 'Open the file',
  askOnlyHere: 'Ask only in this file',
  failures: 'Files that could not be read',
}
