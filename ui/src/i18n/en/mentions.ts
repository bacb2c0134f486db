// The list of every mention.
const files = (count: number, figure: string) => (count === 1 ? '1 file' : `${figure} files`)
const sentences = (count: number, figure: string) => (count === 1 ? '1 sentence' : `${figure} sentences`)

export const mentions = {
  action: 'List every mention of…',
  title: 'Every mention',
  lead: 'Name what you look for. Every file with a sentence that holds all of the words is listed, in all their forms.',
  looking: (count: number, figure: string) => `Looking through ${files(count, figure)}`,
  found: (count: number, figure: string, words: string) =>
    `${files(count, figure)} ${count === 1 ? 'mentions' : 'mention'} “${words}”`,
  notWhole: 'No sentence holds all of these words',
  nowhere: (words: string) => `No file mentions “${words}”`,
  nearest: (count: number, figure: string) =>
    `${count === 1 ? 'The file that comes nearest is' : `The ${figure} files that come nearest are`} below, most words first.`,
  sentences: (count: number, figure: string) => `${sentences(count, figure)} in all.`,
  read: (count: number, figure: string, where: string) =>
    `${count === 1 ? '1 file was' : `${figure} files were`} looked through from end to end${where && `, in ${where}`}.`,
  unread: (count: number, figure: string) => `${files(count, figure)} could not be read, or not yet, and ${count === 1 ? 'is' : 'are'} not in this list.`,
  field: 'Words to look for',
  list: 'List mentions',
  back: 'Back to the questions',
  lookedFor: 'Looked for',
  held: (count: number, figure: string) => (count === 0 ? 'nowhere' : `in ${sentences(count, figure)}`),
  noWord: 'There is no word in it to look for. Name what you look for.',
  files: 'Files that mention the words',
  some: (words: string, all: string) => `${words} of ${all} words`,
  count: sentences,
  moreOf: (left: number, figure: string, name: string) =>
    left === 1 ? `Show 1 more in ${name}` : `Show more of the other ${figure} in ${name}`,
}
