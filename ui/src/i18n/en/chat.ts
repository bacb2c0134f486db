// The conversation and its box.
import type { Difference, Unsupported } from '../../ipc/types'
import { counting, plural } from '../plural'

const counted = counting('en-GB')

/** A reason in words; `words` are those that make the difference. */
type Reason = (words: Difference | null) => string

const passageSays: Reason = (words) =>
  words ? `The passage says ${words.passage}, not ${words.claim}` : 'A passage says otherwise'

const reasons: Record<Unsupported, Reason> = {
  'no-passage': () => 'Not found in your documents',
  number: (words) => (words ? `${words.claim} was not found` : 'A number was not found'),
  name: (words) => (words ? `${words.claim} was not found` : 'A name was not found'),
  added: (words) => (words ? `Not found: ${words.claim}` : 'A part of it was not found'),
  denial: () => 'A passage says the opposite',
  'other-number': (words) => passageSays(words),
  'other-unit': (words) => passageSays(words),
  'other-name': (words) => passageSays(words),
  opposite: (words) => passageSays(words),
  otherwise: () => 'A passage says otherwise',
  'no-claim': () => 'Says nothing that can be checked',
}

export const chat = {
  page: 'Conversation',
  newQuestion: 'New question',
  loading: 'Opening the conversation',

  // Head
  export: 'Export',
  exportTip: 'Write the conversation as Markdown',
  exported: (file: string) => `Written to ${file}`,
  more: 'Rename, delete, more',
  moreNarrow: 'Export, rename, delete, more',
  rename: 'Rename',
  titleOf: 'Title of the conversation',
  delete: 'Delete…',
  deleteNow: 'Delete',
  deleteWhat: (title: string, count: number) =>
    `“${title}”: ${count === 1 ? 'its question and answer are' : `its ${count} questions and their answers are`} forgotten. Your documents stay.`,
  copyAll: 'Copy everything',
  copiedAll: 'The conversation is copied.',

  // Empty
  emptyTitle: 'Ask your documents',
  emptyLead: 'Each answer names the sentences it rests on. Press a number to see the place in the document.',
  hints: [
    'Ask as you would ask a person who has read everything.',
    'Type @ to look into one file or folder only.',
    'Where nothing says it, the answer says so.',
  ],

  // A turn
  answer: (n: number) => `Answer ${n}`,
  earlier: (count: number) => `Show ${counted(count, 'earlier question', 'earlier questions')}`,
  edit: 'Edit and ask again',
  editField: 'The question, to be asked again',
  editForgets: (count: number) =>
    `${count === 1 ? 'The question after it is' : `The ${count} questions after it are`} forgotten with ${plural(count, 'its answer', 'their answers')}.`,
  searched: (question: string) => `Searched for “${question}”`,
  editSearched: 'Change what is searched for',
  cite: (n: number, file: string, where: string) => `Passage ${n}, ${file}${where && `, ${where}`}`,
  passage: (n: number) => `Passage ${n}`,
  /** Why a sentence is not supported. */
  reasons,
  leftOut: (count: number) =>
    `${counted(count, 'sentence', 'sentences')} left out: ${plural(count, 'a passage says otherwise', 'passages say otherwise')}`,
  reasonTip: 'Show how the sentence was checked',

  // The line under an answer
  supported: (done: number, total: number) => `${done} of ${counted(total, 'sentence', 'sentences')} supported`,
  quoted: (count: number) => `${counted(count, 'sentence', 'sentences')} quoted word for word`,
  quotedNoModel: 'No model is set to write, so the answer is quoted.',
  quotedOverruled: 'What the model wrote was not backed by the passages, so the answer is quoted.',
  quotedPlain: 'These are the documents’ own words; no model wrote them.',
  unchecked: 'Not checked',
  computed: 'Computed by Oriel, no model wrote it',
  moreRows: (count: number) => `Show ${count} more`,
  furtherRows: (count: string) => `and ${count} more`,
  query: 'How it was computed',
  time: (words: string, dates: string) => `“${words}”: documents from ${dates}`,
  timeLatest: (words: string) => `“${words}”: the newest document that answers first`,
  timeFirst: (words: string) => `“${words}”: the oldest document that answers first`,
  anyTime: 'Ask again without this limit',
  firstWord: (time: string) => `First word after ${time}`,
  stopped: 'Stopped; what was written is kept',
  stoppedBefore: 'Stopped before anything was written',
  whyLong: 'Why this answer',
  whyShort: 'Why',
  whyNone: 'Why no answer',
  copyCited: 'Copy with citations',
  copied: 'Copied',
  again: 'Ask again',

  // While it is answered
  searching: (sentences: number) => `Searching ${counted(sentences, 'sentence', 'sentences')}`,
  provisional: (doing: string) => `Probably so. ${doing} to be sure`,
  readingPassages: (count: number) => `Reading ${counted(count, 'passage', 'passages')}`,
  writing: (rate: number) => `Writing, ${counted(rate, 'word', 'words')} a second`,
  writingSoon: 'Writing',
  darkOnceChecked: 'Sentences turn dark once checked',
  stopping: 'Stopping',
  stop: 'Stop',

  // Passages
  passages: 'Passages',
  nearest: 'Closest passages',
  /** Before words of the question, in a passage that does not answer it. */
  mentioned: 'Mentions',
  lacking: 'Missing',
  /** Before the files that say nearly the same. */
  alsoIn: 'Also in',
  used: (used: number, read: string, time: string) => `${used} used, ${read} read in ${time}`,
  found: (found: number, read: string, time: string) => `${found} found, ${read} read in ${time}`,
  nearestOf: (shown: number, read: string, time: string) => `${shown} of ${read}, in ${time}`,
  score: 'What the order follows, 0 to 1: the score of the reranker, less a little for each place after fusion',
  goneFrom: 'no longer in the library',
  openDocument: (file: string) => `Open ${file}`,
  noPassages: 'Nothing came near the question.',
  widened: (size: string) => `Passages for window ${size}; ask again to answer from them`,

  // The parts of a question
  partFound: 'Found',
  partNotFound: 'Not found',
  partsAnswered: (answered: number, all: number) => `${answered} of ${all} parts answered`,
  sidesFound: (found: number, all: number) => `${found} of ${all} sides found`,
  partClosest: 'The closest place:',
  /** Words of the part that the closest passage has and has not; its number follows. */
  partInstead: (mentioned: string, lacking: string) => `The closest place mentions ${mentioned}, but not ${lacking}:`,

  // Not found
  none: 'I could not find this in your documents.',
  noneRead: (read: string, where: string) =>
    `${read === '1' ? 'The one passage' : `None of the ${read} passages`} I read${where && ` in ${where}`} ${read === '1' ? 'does not say' : 'says'} it.`,
  noneNothing: (where: string) => `No passage${where && ` in ${where}`} came near the question.`,
  nearestBelow: 'The closest are below.',
  /** Words of the question that the closest passage has and has not. */
  instead: (mentioned: string, lacking: string) => `The closest mentions ${mentioned}, but not ${lacking}.`,
  confidence: (percent: number, limit: number) => `Chance that the answer is in these passages: ${percent}%; Oriel needs ${limit}% to answer`,
  confidenceModel: (percent: number) => `Chance that the answer is in these passages: ${percent}%, but the model found none`,
  waysOn: 'What you can try',
  waySuggested: (question: string) => `The closest passage answers “${question}”`,
  waySuggestedButton: 'Ask that',
  wayAll: (where: string) => `Search everything; this question looked only in ${where}`,
  wayAllButton: 'Search all folders',
  wayMentions: (words: string, figure: string) =>
    `List every file that mentions “${words}”, ${figure === '1' ? 'the one read' : figure ? `all ${figure} read` : 'all read'} from end to end`,
  wayMentionsButton: 'List mentions',
  wayFile: 'Expected a certain file? See if it was read, and where it ranked',
  wayFileButton: 'Choose the file…',
  wayFailed: (count: number, where: string) =>
    `${counted(count, 'file', 'files')}${where && ` in ${where}`} could not be read and ${plural(count, 'was', 'were')} not searched`,
  wayFailedButton: 'Show them',
  narrowed: 'a part of your documents',

  // Not ready yet
  unread: (count: number, shown: string) => `${shown} ${plural(count, 'file is', 'files are')} not yet readable.`,
  unembedded: (count: number, shown: string) =>
    `${shown} ${plural(count, 'sentence is', 'sentences are')} not yet readable by meaning, only by ${plural(count, 'its', 'their')} words.`,
  wasMissing: 'The library was still being read when this was asked; now it is complete.',
  againReady: 'Ask again when ready',
  againWaiting: 'It is asked again by itself when they are.',
  againNot: 'Do not ask again',

  // The box
  ask: 'Ask',
  question: 'Question',
  first: 'Ask a question, or type @ to name a file or folder',
  firstShort: 'Ask a question, or type @',
  follow: 'Ask a follow-up, or type @ to name a file or folder',
  followShort: 'Ask a follow-up, or type @',
  other: 'Ask in other words, or type @ to name a file or folder',
  next: 'You can type the next question',
  remove: (name: string) => `Remove ${name}`,
  openAgain: 'Try again',
  removeGone: (name: string) => `Remove ${name}, which is no longer in the library`,
  files: 'Files and folders',
  filesFound: (count: number) => `${counted(count, 'name', 'names')}, arrow keys choose, Enter takes`,
  noFiles: 'No file or folder has this in its name.',
  folderSize: (count: number, shown: string) => `${shown} ${plural(count, 'file', 'files')}`,
  anyKind: 'Any kind',
  kinds: 'Kinds of files',
  anySender: 'Any sender',
  senders: 'Senders of mails',
  senderField: 'Only mails from',
  senderPlaceholder: 'Name or address, Enter',
  anyDate: 'Any date',
  dates: 'When the file was changed or the mail sent',
  since: (date: string) => `Since ${date}`,
  until: (date: string) => `Until ${date}`,
  between: (since: string, until: string) => `${since} to ${until}`,
  sinceField: 'Changed since',
  untilField: 'Changed until',
  lastMonth: 'Last 30 days',
  lastYear: 'Last 12 months',
  thisYear: 'This year',
  moreFilters: 'More',
  window: 'Window',
  windowChip: (size: string) => `Window ${size}`,
  windowField: 'Sentences before and after',
  windowSize: (before: number, after: number) => {
    if (before !== after) return `${before} before, ${after} after`
    return before === 0 ? 'the sentence alone' : `${counted(before, 'sentence', 'sentences')} before and after`
  },
  windowSign: (before: number, after: number) => (before === after ? `±${before}` : `−${before} +${after}`),

  // What the shortcuts are called
  editLast: 'Edit the last question',
  stopAnswer: 'Stop the answer',
  openNth: (n: number) => `Open passage ${n}`,
  wider: 'Wider window',
  narrower: 'Narrower window',
  exportAll: 'Export this conversation as Markdown',
  spokenFound: (count: number) => `${counted(count, 'passage', 'passages')} found.`,
}
