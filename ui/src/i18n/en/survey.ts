// The list under a count: every document that mentions a thing.
import { counting } from '../plural'

const counted = counting('en')

export const survey = {
  reading: (read: number, all: number) => `${read} of ${counted(all, 'file', 'files')} read`,
  read: (read: number, total: number, folder: string | null) =>
    `${read} of ${counted(total, 'file', 'files')}${folder === null ? '' : ` in ${folder}`} read in full.`,
  unreadable: (count: number) => `${count} could not be read.`,
  waiting: (count: number) => `${count} ${count === 1 ? 'is' : 'are'} not read yet.`,
  show: 'Show them',
  checked: (sentences: number, time: string) => `${counted(sentences, 'sentence', 'sentences')} compared in ${time}`,
  how: 'How it was counted',
  howLooked: (thing: string, folder: string | null) => `Oriel looked for “${thing}”${folder === null ? '' : ` in ${folder}`}.`,
  howCompared: (sentences: number, documents: number) =>
    sentences === 0
      ? 'The model for meaning was not here, so only sentences with its words were considered.'
      : `${counted(sentences, 'sentence', 'sentences')} of ${counted(documents, 'document', 'documents')} were compared with it, by meaning and by words.`,
  howChecked: (count: number) =>
    count === 0
      ? 'No checker could read them, so a sentence counts if it has all of its words.'
      : `The closest of each document, ${counted(count, 'sentence', 'sentences')} in all, went to a checker, which says how likely each mentions it.`,
  howCertain: (certain: number, least: number) => `From ${certain}% on a document is certain, from ${least}% on it is to review.`,
  howReviewed: (included: number, leftOut: number) => `You included ${included} and left out ${leftOut}.`,
  howMissing: (count: number) =>
    `${counted(count, 'file that was', 'files that were')} not read may mention it too.`,
  howTime: (time: string) => `All this took ${time}, on this computer.`,
  certain: (count: number) => `${count} certain`,
  review: (count: number) => `${count} to review`,
  reviewNote: 'they may mean something else',
  sentences: (count: number) => counted(count, 'sentence', 'sentences'),
  order: 'Order',
  byName: 'By name',
  byDate: 'By date',
  byCount: 'By count',
  more: (count: number) => `Show ${count} more`,
  others: (count: number, name: string) => `Show the other ${counted(count, 'sentence', 'sentences')} of ${name}`,
  fewer: (name: string) => `Hide the other sentences of ${name}`,
  include: 'Include',
  leaveOut: 'Leave out',
  included: 'Included',
  leftOut: 'Left out',
  takeBack: 'Undo',
  copy: 'Copy list',
  copied: 'List copied',
  save: 'Save as CSV…',
  list: 'Documents that mention it',
  reviewList: 'Documents to review',
}
