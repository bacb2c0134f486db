// Measuring the library with questions from its own documents. Figures come as they are written.
import type { Arm, QuestionStage } from '../../ipc/types'
import { counting } from '../plural'

const counted = counting('en-GB')
const questions = (count: number) => counted(count, 'question', 'questions')
const arms: Record<Arm, string> = {
  oriel: 'Oriel as it is set',
  unmerged: 'Windows not merged',
  'no-rerank': 'No reranker',
  dense: 'By meaning only',
  sparse: 'By words only',
  'chunks-512': 'Chunks of 512 tokens',
  'chunks-100': 'Chunks of 100 characters',
  recursive: 'Recursive chunks',
}
const stages: Record<QuestionStage, string> = { search: 'Search', rerank: 'Rerank', read: 'Read', write: 'Write', quote: 'Quote', check: 'Check' }

export const evaluation = {
  page: 'Evaluation',
  lead: 'An exam on your own documents: how often Oriel finds the right sentence, and whether you can trust what it says.',
  reviewLead: 'Keep the questions a colleague might ask. Leave out the rest.',
  parts: 'What is shown',
  results: 'Results',
  questions: (count: number) => `Questions ${count}`,
  runs: (count: number) => `Earlier runs ${count}`,

  emptyTitle: 'How well does Oriel answer from your documents?',
  emptyLead:
    'Oriel makes questions from single sentences of your documents, and you review them. Then it asks each one and counts how often it finds the sentence. Nothing leaves this computer.',
  make: (count: number) => `Make ${questions(count)} from my documents`,
  makeMore: (count: number) => `Make ${counted(count, 'more question', 'more questions')}`,
  addFile: 'Open a file with questions…',
  added: (file: string, count: number) => (count === 0 ? `${file} has no question that is not here already.` : `${questions(count)} added from ${file}, as kept.`),
  noModel: 'Questions are made by the model that writes answers, and none is in use. Choose one in Settings, or open a file with questions.',
  toModels: 'Choose a model',
  making: (done: string, total: string, left: string) => `${done} of ${total} made${left && `, about ${left} left`}`,
  makingName: 'Questions that are made',
  stop: 'Stop',

  reviewed: (kept: number, out: number, open: number) => `${kept} kept, ${out} left out, ${open} to review`,
  reviewedName: 'Reviewed',
  needs: (count: number) => (count === 1 ? 'Keep 1 more for a run.' : `Keep ${count} more for a run.`),
  list: 'Questions to review',
  kept: 'Kept',
  leftOut: 'Left out',
  keep: 'Keep',
  leaveOut: 'Leave out',
  edit: 'Edit this question',
  field: 'The question',
  openPlace: (place: string) => `${place}: open the place of the answer`,
  forget: 'Forget all questions',
  forgetWhat: (count: number) => `${questions(count)} and what you decided about them are forgotten. Your documents and the results stay.`,
  next: 'next',
  previous: 'previous',
  keepKey: 'keep',
  leaveOutKey: 'leave out',
  editKey: 'edit',
  nextQuestion: 'Next question to review',
  previousQuestion: 'Previous question to review',
  keepQuestion: 'Keep the question',
  leaveOutQuestion: 'Leave the question out',
  editQuestion: 'Edit the question',

  answers: 'Answer each question, and check the answers',
  compareSettings: 'Compare with other settings',
  comparePieces: 'Compare with chunks, as most programs cut documents; embeds every document three times',
  run: (count: number) => `Run with ${count}`,
  runAgain: (left: string) => (left ? `Run again, about ${left}` : 'Run again'),
  finding: 'Looking for the places of the answers',
  embedding: (arm: Arm) => `${arms[arm]}: documents are embedded`,
  asking: (arm: Arm) => `${arms[arm]}: questions are asked`,
  step: (what: string, done: string, total: string, left: string) => `${what}, ${done} of ${total}${left && `, about ${left} left`}`,
  starting: 'Loading the models',
  progress: 'The run',
  waits: 'waits',
  save: 'Save report…',
  saved: (file: string) => `The report is saved as ${file}.`,
  noRuns: 'Nothing was measured yet. Keep the questions that are good, then run.',
  ran: (when: string, files: number, sentences: number) =>
    `Run ${when}, ${counted(files, 'file', 'files')}, ${counted(sentences, 'sentence', 'sentences')}. Ranges are 95% intervals.`,
  stopped: (done: number, all: number) => `Stopped after ${done} of ${questions(all)}.`,
  stoppedComparing: 'Stopped before every setting was compared.',
  part: (done: number, all: number) => `${done} of ${questions(all)}`,
  missing: (count: number) =>
    count === 1
      ? 'One file or passage that is asked about is not in the library; its questions count as missed.'
      : `${counted(count, 'file or passage', 'files or passages')} that are asked about are not in the library; their questions count as missed.`,

  percent: (share: string) => `${share}%`,
  between: (share: string, low: string, high: string) => (low === high ? `${share}%` : `${share}%, between ${low} and ${high}`),
  range: (low: string, high: string) => `${low} to ${high}`,
  both: (one: string, oneLow: string, oneHigh: string, other: string, otherLow: string, otherHigh: string) =>
    `${one}% (${oneLow} to ${oneHigh}) and ${other}% (${otherLow} to ${otherHigh})`,
  first: (right: number, all: number) => `The right sentence comes first for ${right} of ${questions(all)}.`,
  firstDocument: (right: number, all: number) => `The right document comes first for ${right} of ${questions(all)}.`,
  firstFive: (right: number) => `It is among the first five passages for ${right} of them.`,
  grounded: (supported: number, written: number) =>
    `${supported} of ${counted(written, 'written sentence is', 'written sentences are')} supported by their passage.`,
  relevant: (share: string) => `${share}% of the text of five passages is the sentence with the answer.`,
  refused: (answered: number, without: number, refused: number, withAnswer: number) =>
    `It answered ${answered} of ${questions(without)} that have no answer, and refused ${refused} of ${withAnswer} that do.`,
  refusedOnly: (refused: number, all: number) => `It refused ${refused} of ${questions(all)} that have an answer.`,

  arms,
  settings: 'Does another setting find more?',
  setting: 'Setting',
  better: (names: string) => `Yes: ${names}.`,
  allWorse: 'No. All are clearly worse.',
  noDifference: 'No clear difference.',
  someWorse: (worse: number, all: number) => `No. ${worse} of ${all} are clearly worse (grey: no clear difference).`,
  verticalLine: 'The vertical line marks the setting in use.',
  foundFirst: (from: string) => `Found first, ${from} to 100%`,
  value: '%',
  against: 'Against in use',
  interval: '95% interval',
  inUse: 'In use',
  fiveColumn: 'First five, %',
  relevantColumn: 'Relevant, %',
  relevantTip: 'Context precision: the share of the text shown that is the sentence with the answer',

  trust: 'Can you trust the percentage?',
  trustAnswer: (says: string, found: string) =>
    `When Oriel says ${says}%, the answer was there in about ${found} of 100 cases. Bars: how often it said so.`,
  trustPlot: 'What Oriel said against what came true',
  says: 'Oriel says, %',
  wasThere: 'The answer was there, %',
  count: 'Questions',

  depth: 'How many passages must you read?',
  depthAnswer: (one: string, five: string) => `One for ${one}% of the questions, five for ${five}%. By number of passages read; shaded: 95% interval.`,
  depthPlot: 'Share of questions whose answer is among the first passages',
  oriel: 'Oriel',
  depths: ['First, %', 'First 3, %', 'First 5, %', 'First 10, %'],

  supported: 'Do the passages support what is written?',
  supportedAnswer: (share: string, name: string) => `${name}: ${share}% of the written sentences.`,
  lastRuns: 'Each model as of its last run.',
  supportedPlot: 'Share of written sentences that their passage supports, by model',
  model: 'Model',
  supportedColumn: 'Supported, %',
  quotesOnly: 'Quotes only',
  passagesOnly: 'Passages only',

  time: 'Where does the time go?',
  timeAnswer: (median: string, most: string) => `Half of the questions take less than ${median}, 95% less than ${most}. Medians, on this computer.`,
  timePlot: 'Time of a question by stage',
  median: 'Median',
  most: '95%',
  stages,

  date: 'Date',
  show: 'Show',
  shown: 'Shown',
}
