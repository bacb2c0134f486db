// A table over documents.
import { counting } from '../plural'

const counted = counting('en')
const documents = (count: number) => counted(count, 'document', 'documents')

export const table = {
  make: 'Make a table…',
  open: 'Open the table',
  asked: (count: number, folder: string | null, columns: string) =>
    `As a table: one row for each of ${documents(count)}${folder === null ? '' : ` in ${folder}`}, with ${columns}.`,
  title: (thing: string, count: number) => `${documents(count)}: ${thing}`,
  makeTitle: (count: number) => `A table of ${documents(count)}`,
  makeLead: 'One row per document, one column per question. Each cell quotes the words that answer it, or says that nothing was found.',
  questions: 'Questions',
  question: (n: number) => `Question ${n}`,
  another: (most: number) => `Another question, up to ${most}`,
  drop: 'Leave this question out',
  from: 'From',
  listed: (count: number) => `The ${documents(count)} listed`,
  everything: (count: number) => `All ${documents(count)} searched`,
  choose: 'Choose…',
  which: 'Name of a folder or document',
  makeChosen: 'A table of chosen documents',
  cellsAtMost: (count: number) => `At most ${counted(count, 'cell', 'cells')}, on this computer`,
  cells: (count: number) => `${counted(count, 'cell', 'cells')}, on this computer`,
  cancel: 'Cancel',
  start: 'Make the table',
  proposals: (thing: string) => [`What is ${thing}?`, 'Who is it between?', 'When does it begin?'],
  back: 'Back to the answer',
  save: 'Save as CSV…',
  stop: 'Stop',
  stopping: 'Stopping…',
  goOn: 'Read the rest',
  progress: (rows: number, all: number, time: string | null) =>
    `${rows} of ${documents(all)} read${time === null ? '' : `, about ${time}`}`,
  document: 'Document',
  answered: (answered: number, all: number) => `${answered} of ${all}`,
  none: 'No document answers this',
  notFound: 'not found',
  notRead: 'not read yet',
  unsure: 'unsure',
  disagree: (count: number) => `${count} places disagree`,
  add: 'Add a question',
  change: (question: string) => `Change or leave out “${question}”`,
  sort: (question: string) => `Sort by “${question}”`,
  filled: (done: number, all: number) => `${done} of ${all} filled`,
  missing: (count: number) => `${count} not found`,
  conflicts: (count: number) => counted(count, 'conflict', 'conflicts'),
  page: 'Table',
}
