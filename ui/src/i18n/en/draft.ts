// A draft that is checked against the documents.
import { counting } from '../plural'

const counted = counting('en-GB')
const sentences = (count: number) => counted(count, 'sentence', 'sentences')

export const draft = {
  page: 'Check a draft',
  title: 'Does it agree with your documents?',
  lead: 'Paste a text. Oriel checks each sentence and shows the passage that supports or contradicts it, or tells you that nothing was found.',
  field: 'The text to check',
  placeholder: 'Paste a text, or drop a file here',
  drop: 'Drop the file to check its text',
  dropNote: 'A file is not added to your library; a folder is.',
  size: (count: number, left: string) => `${sentences(count)}${left && `, about ${left}`}`,
  tooMany: (checked: number, left: number) =>
    `Only the first ${sentences(checked)} are checked; ${counted(left, 'more is', 'more are')} not.`,
  chooseFile: 'Choose a file…',
  check: (count: number) => (count === 0 ? 'Check' : `Check ${sentences(count)}`),
  stays: 'The text stays on this computer and is not added to your library. It is forgotten when you close Oriel, unless you save the report.',
  earlier: 'Back to the earlier draft',
  where: 'Where to look',
  allFolders: 'All folders',
  folders: (count: number) => counted(count, 'folder', 'folders'),

  edit: 'Edit the draft',
  copy: 'Copy the draft',
  copied: 'The draft is copied.',
  save: 'Save report…',
  reportTitle: (name: string) => (name ? `Check of ${name}` : 'Check of a draft'),
  more: 'Edit, copy, save',
  checking: (done: number, all: number) => `Checking sentence ${done} of ${all}`,
  result: (supported: number, all: number) => {
    if (all === 0) return 'There is nothing to check in this text.'
    return all === 1
      ? `Your documents ${supported === 1 ? 'support' : 'do not support'} this sentence.`
      : `Your documents support ${supported} of these ${sentences(all)}.`
  },
  stopped: (left: number) => `Stopped; ${sentences(left)} not checked.`,
  goOn: 'Check the rest',
  took: (files: number, time: string) => `${counted(files, 'file', 'files')}, ${time}`,
  tabs: 'Findings to show',
  all: 'All',
  verdicts: { supported: 'Supported', contradicted: 'Contradicted', 'not-found': 'Not found' },
  nothing: 'Nothing to check',
  again: 'Checking again',
  noRows: 'No sentence has this finding.',
  rows: 'Sentences of the draft',
  place: (file: string, page: string) => (page ? `${file}, ${page}` : file),
  morePlaces: (count: number) => counted(count, 'more place', 'more places'),
  closest: (text: string) => `Closest: ${text}`,
  notClose: 'No passage comes close',
  replace: (from: string, to: string) => `Replace ${from} with ${to}`,
  editRow: 'Edit the sentence',
  editField: 'The sentence, to be checked again',
  next: 'next',
  previous: 'previous',
  nextProblem: 'next problem',
  open: 'open in document',
  editKey: 'edit',
  of: (at: number, all: number) => `${at} of ${all}`,
  nextSentence: 'Next sentence of the draft',
  previousSentence: 'Previous sentence of the draft',
  nextProblemSentence: 'Next sentence that is not supported',
  undo: 'Undo the last change of the draft',
  stop: 'Stop the check',

  selected: 'Selected text',
  checkSelected: 'Check against my documents',
  askSelected: 'Ask about this',
}
