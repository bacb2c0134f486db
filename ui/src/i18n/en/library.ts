// Rail, first run, what is being read, failures, status line.
import { counting, plural } from '../plural'

const counted = counting('en-GB')
const files = (count: number, figure: string) => (count === 1 ? '1 file' : `${figure} files`)

/** A, B and C; from four on the first two and how many more. */
const names = (all: string[]) => {
  if (all.length > 3) return `${all.slice(0, 2).join(', ')} and ${all.length - 2} more`
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}

export const library = {
  files,
  names,

  rail: 'Questions and folders',
  newQuestion: 'New question',
  search: 'Search',
  settings: 'Settings',
  showRail: 'Show or hide the rail',
  withKey: (name: string, key: string) => `${name} (${key})`,

  questions: 'Questions',
  today: 'Today',
  thisWeek: 'This week',
  earlier: 'Earlier',
  moreAbout: (title: string) => `Rename or delete ${title}`,
  rename: 'Rename',
  renameLabel: 'New title',
  delete: 'Delete',
  deleteWhat: (title: string) => `Delete ${title}: its questions and answers are forgotten, your documents stay.`,
  deleteNow: 'Delete it',
  keep: 'Keep it',

  folders: 'Folders',
  noFolders: 'None yet. A folder stays where it is; Oriel reads it and keeps up with it.',
  addFolder: 'Add a folder or files',
  chooseFolder: 'Choose a folder…',
  chooseFiles: 'Choose files…',
  sample: 'Sample',
  folderMenu: (name: string) => `What can be done with ${name}`,
  askOnlyHere: 'Ask only here',
  askOnlyIn: (name: string) => `Ask only in ${name}`,
  exclude: 'Exclude files…',
  lookAgain: 'Look again',
  remove: 'Remove',
  removeWhat: (name: string, count: number, figure: string) =>
    `Remove ${name}: ${files(count, figure)} ${count === 1 ? 'leaves' : 'leave'} the index, the ${count === 1 ? 'file itself stays' : 'files themselves stay'}.`,
  removeSample: (name: string, count: number, figure: string) =>
    `Remove ${name}: ${files(count, figure)} ${count === 1 ? 'leaves' : 'leave'} the index and ${count === 1 ? 'is' : 'are'} deleted. It can be added again at any time.`,
  removeNow: (name: string) => `Remove ${name}`,
  unreachable: (name: string) => `${name} cannot be reached`,
  failedRow: (count: number, figure: string) => `${files(count, figure)} could not be read`,
  failedFolders: (count: number, figure: string) => `Folders, ${files(count, figure)} could not be read`,
  drop: 'Drop files or a folder here',

  left: (left: string) => `about ${left} left`,
  soon: 'Estimating…',
  pause: 'Pause',
  resume: 'Resume',
  pauseOrResume: 'Pause or resume reading',
  paused: 'Paused',
  stopped: 'Stopped',
  byWords: 'By words',
  byMeaning: 'By meaning',
  unitFiles: (count: number): string => plural(count, 'file', 'files'),
  unitSentences: (count: number): string => plural(count, 'sentence', 'sentences'),
  percent: (figure: string) => `${figure}%`,

  firstRun: {
    title: 'Add a folder to begin',
    lead: 'Oriel reads the documents in it and answers from them. Every answer shows the sentence it came from, in its place.',
    zone: 'Drop a folder or files anywhere in this window',
    zoneNow: 'Let go to add it',
    stays: 'They are read where they lie. Nothing is moved or changed.',
    kinds: 'PDF, Word, HTML, Markdown, plain text',
    noFolder: 'No folder at hand?',
    sample: 'Try the sample, 23 documents of an invented firm. Removing it takes one click.',
    trySample: 'Try the sample',
    privacy: 'Documents, index, questions and answers stay on this machine. Nothing is sent anywhere.',
  },

  found: {
    looking: (names: string) => `Looking through ${names}`,
    reading: (names: string) => `Reading ${names}`,
    ask: 'You can ask now',
    paused: 'Reading is paused',
    stopped: 'Reading stopped',
    done: 'Everything is read',
    none: 'Nothing to read here',
    seen: (count: number, figure: string) => `${files(count, figure)} seen so far.`,
    lead: (count: number, figure: string, names: string, size: string) =>
      `${count === 1 ? '1 document' : `${figure} documents`} found in ${names}, ${size}.`,
    order: (count: number) =>
      `${plural(count, 'It is read by its', 'They are read by their')} words first, then by meaning. Each answer says what was not ready.`,
    pausedLead: 'What is read can be asked. Resume goes on where it stopped.',
    doneLead: (count: number) => `${plural(count, 'It can be found by its', 'All of them can be found by their')} words and by meaning.`,
    noneLead: 'Oriel reads PDF, Word, HTML, Markdown and plain text.',
    noText: (count: number, figure: string) => `${files(count, figure)} ${count === 1 ? 'holds' : 'hold'} no text`,
    building: 'Putting the index in order',
    cancel: 'Cancel',
  },

  drops: {
    over: 'Drop to add',
    overFolder: 'Folders are read where they lie, and Oriel keeps up with them.',
    overFiles: 'For files you choose whether they are copied.',
    title: (what: string) => `Add ${what}`,
    folders: (count: number, figure: string) => (count === 1 ? '1 folder' : `${figure} folders`),
    both: (one: string, other: string) => `${one} and ${other}`,
    none: 'Nothing here can be read',
    where: 'Where the files are read',
    lie: 'Read them where they lie',
    lieHow: 'Oriel keeps up with changes. A file that is moved away leaves the index.',
    copy: 'Copy them into the library',
    copyHow: 'Oriel keeps its own copies. Later changes to the originals are not seen.',
    foldersStay: 'Folders are always read where they lie.',
    add: (what: string) => `Add ${what}`,
    copyAndAdd: (what: string) => `Copy and add ${what}`,
    unread: (count: number, figure: string) => `${files(count, figure)} cannot be read`,
    kindUnread: (ending: string) => `Oriel does not read .${ending} files`,
    kindUnknown: 'Its name does not say what it is',
    reads: 'Oriel reads PDF, Word, HTML, Markdown and plain text.',
    added: (names: string) => `Added: ${names}`,
    more: (figure: string) => `and ${figure} more`,
  },

  excludes: {
    title: (name: string) => `Exclude files from ${name}`,
    patterns: 'Patterns, one a line',
    how: 'As in a .gitignore file. What matches is neither read nor found; the files themselves stay.',
    exampleLog: 'every file whose name ends in .log',
    exampleFolder: 'the folder Archive with everything in it',
    count: (count: number, figure: string, total: string) =>
      `${count === 1 ? '1 file' : `${figure} files`} of ${total} ${count === 1 ? 'is' : 'are'} left out.`,
    counting: 'Counting…',
    apply: 'Apply',
  },

  failures: {
    title: (count: number, figure: string) => `${files(count, figure)} could not be read`,
    lead: (count: number) =>
      `${count === 0 ? 'No other is indexed yet.' : `The other ${count === 1 ? 'one is' : counted(count, '', 'are')} indexed.`} A file is tried again by itself when it changes.`,
    empty: 'Every file could be read',
    emptyLead: 'A file that cannot be read is listed here with the reason and the way out.',
    back: 'Back to the questions',
    copyList: 'Copy list',
    retryAll: 'Try all again',
    retry: 'Try again',
    retryOf: (name: string) => `Try again: ${name}`,
    waiting: 'In line',
    show: 'Show in folder',
    showOf: (name: string) => `Show in folder: ${name}`,
    folder: 'Folder',
    all: (figure: string) => `All ${figure}`,
    file: 'File',
    reason: 'Reason',
    toDo: 'What to do',
    actions: 'Actions',
    skipped: (count: number, figure: string) =>
      `${count === 1 ? '1 more file holds' : `${figure} more files hold`} no text Oriel could read, such as music and programs.`,
    reasons: {
      unreadable: 'It cannot be opened',
      broken: 'Damaged',
      encrypted: 'Locked with a password',
      'needs-ocr': 'Pictures without text',
      garbled: 'Garbled text',
      'too-large': 'Too large',
      'timed-out': 'Took too long and was stopped',
      crashed: 'The reader could not cope with it',
    },
    ways: {
      unreadable: 'Give your account the right to read it, or connect the disk it lies on.',
      broken: 'Open it in its own app and save it again, or bring it back from a backup.',
      encrypted: 'Save a copy without a password.',
      'needs-ocr': 'Run text recognition (OCR) on it and save the result.',
      garbled: 'Export it anew from the app it was made with, or run text recognition (OCR) on it.',
      'too-large': 'Divide it into smaller files, or exclude it from the folder.',
      'timed-out': 'Save it again in its own app or divide it, or exclude it from the folder.',
      crashed: 'Open it in its own app and save it again, or exclude it from the folder.',
    },
  },

  status: {
    label: 'Status',
    ready: 'Ready',
    upToDate: 'Up to date',
    reading: 'Reading',
    paused: 'Paused',
    needsHand: 'Needs a hand',
    none: 'No documents yet',
    seen: (count: number) => `${counted(count, 'file', 'files')} seen`,
    words: (done: string, total: number) => `By words ${done} of ${counted(total, 'file', 'files')}`,
    meaning: (done: string, total: number) => `By meaning ${done} of ${counted(total, 'sentence', 'sentences')}`,
    building: (percent: string) => `Putting the index in order ${percent}`,
    filesRate: (figure: string) => `${figure} files/s`,
    sentencesRate: (figure: string) => `${figure} sentences/s`,
    files,
    sentences: (count: number, figure: string) => (count === 1 ? '1 sentence' : `${figure} sentences`),
    quotes: 'Quotes only',
    engine: (model: string, device: string, threads: number) =>
      `${model} · ${device}, ${threads === 1 ? '1 thread' : `${threads} threads`}`,
    models: 'Models and device',
    offline: 'Nothing is sent anywhere. Only a download of a model that you ask for uses the network.',
  },

  trouble: {
    title: 'The library cannot be opened',
    again: 'Try again',
  },
}
