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
