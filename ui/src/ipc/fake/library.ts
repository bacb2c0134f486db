// Recorded: start, folders, documents, failures.
import type {
  BackedUp,
  Compacted,
  ConversationRow,
  DocumentRow,
  EngineLine,
  FailureKind,
  FailureRow,
  IpcError,
  LibraryState,
  Notice,
  Restored,
  Stoppable,
  SenderCount,
  Settings,
  Start,
  Unread,
  Work,
} from '../types'
import { layouts } from './layouts'

export const settings: Settings = {
  theme: 'light',
  language: 'en',
  textSize: 100,
  window: { before: 3, after: 3 },
  candidates: 20,
  passages: 5,
  threads: null,
  cpu: false,
  embedder: null,
  reranker: null,
  generator: null,
  freeAfter: 10,
  closeToTray: false,
  notify: true,
  paused: false,
  savePower: true,
  localAddress: false,
  localPort: 7766,
  downloading: [],
}

const folder = (id: number, name: string, documents: number, waiting = 0) => ({
  id,
  name,
  path: `/home/ada/${name}`,
  isFile: false,
  own: null,
  documents,
  waiting,
  failed: 0,
  known: documents + waiting,
  unreachable: null,
  timed: null,
  excludes: [],
  followLinks: false,
})

export const library: LibraryState = {
  folders: [folder(1, 'Documents', 1204), folder(2, 'Contracts', 503)],
  documents: 1707,
  sentences: 205304,
  distinct: 198211,
  unembedded: 0,
  waiting: 0,
  failed: 7,
  empty: 3,
  skipped: 312,
  links: 2,
  bytes: 2.1e9,
  kinds: [
    { kind: 'pdf', count: 1319 },
    { kind: 'docx', count: 203 },
    { kind: 'md', count: 94 },
    { kind: 'html', count: 51 },
    { kind: 'txt', count: 40 },
  ],
  readOnly: false,
  readsFrom: null,
  publishesTo: null,
  activity: { is: 'idle' },
  unembeddedNext: null,
  yielding: false,
  meaningLeft: null,
}

/** Nothing followed yet. */
export const emptyLibrary: LibraryState = {
  ...library,
  folders: [],
  documents: 0,
  sentences: 0,
  distinct: 0,
  failed: 0,
  empty: 0,
  skipped: 0,
  bytes: 0,
  kinds: [],
}

/** A folder a few seconds after it was dropped: its words are being read. */
export const readingLibrary: LibraryState = {
  ...library,
  folders: [folder(1, 'Documents', 771, 433)],
  documents: 771,
  sentences: 96_400,
  distinct: 92_850,
  unembedded: 92_850,
  waiting: 433,
  failed: 0,
  kinds: [
    { kind: 'pdf', count: 816 },
    { kind: 'docx', count: 203 },
    { kind: 'md', count: 94 },
    { kind: 'html', count: 51 },
    { kind: 'txt', count: 40 },
  ],
  activity: { is: 'reading', done: 771, total: 1204, rate: 48, left: 9 },
  meaningLeft: 780,
}

/** A second folder is being read beside one that is done. */
export const secondFolder: LibraryState = {
  ...library,
  folders: [folder(1, 'Documents', 1204), folder(2, 'Contracts', 312, 191)],
  documents: 1516,
  unembedded: 21_400,
  waiting: 191,
  activity: { is: 'reading', done: 312, total: 503, rate: 1.6, left: 118 },
}

/** All words are read, meaning follows. */
export const embeddingLibrary: LibraryState = {
  ...library,
  unembedded: 148_200,
  activity: { is: 'embedding', done: 50_011, total: 198_211, rate: 190, left: 780 },
}

const hour = 3_600_000
const now = Date.now()
export const conversations: ConversationRow[] = [
  { id: '00000000000000a1', title: 'Phoenix Initiative ROI', changed: now - 60_000 },
  { id: '00000000000000a2', title: 'Landlord notice period', changed: now - 120_000 },
  { id: '00000000000000a3', title: 'Which vaccines does Mia still need?', changed: now - 50 * hour },
  { id: '00000000000000a4', title: 'Yield of batch 14', changed: now - 75 * hour },
  { id: '00000000000000a5', title: 'Heizungsrechnung 2023', changed: now - 200 * hour },
]

export const engine: EngineLine = { generator: 'qwen2.5-coder-0.5b-instruct', generatorName: 'Qwen2.5 Coder 0.5B', adapter: null, device: 'CPU', threads: 8, server: null }
/** No model writes. */
export const quoting: EngineLine = { ...engine, generator: null, generatorName: null }

export const start: Start = { version: '0.2.0', mac: false, library, place: '/home/ada/.local/share/oriel/library', trouble: null, broken: false, settings, conversations, engine, downloads: [] }

const row = (id: number, name: string, kind: DocumentRow['kind'], pages: number): DocumentRow => ({
  id,
  name,
  place: 'Documents/2024',
  kind,
  pages,
  sentences: 1200,
  bytes: 1_400_000,
  modified: Date.parse('2024-09-18'),
})

export const documents: DocumentRow[] = [
  row(11, 'Q3-report.pdf', 'pdf', 62),
  row(12, 'odyssey-notes.md', 'md', 0),
  row(13, 'Steering committee 2024-09-18.docx', 'docx', 0),
  row(14, 'Phoenix kickoff.docx', 'docx', 0),
  row(15, 'Q2-report.pdf', 'pdf', 58),
]

export const senders: SenderCount[] = [
  { name: 'Priya Raman <p.raman@northwind.example>', count: 212 },
  { name: 'Adaeze Okafor <a.okafor@northwind.example>', count: 140 },
  { name: 'Jonas Lindqvist <j.lindqvist@northwind.example>', count: 3 },
]

const failure = (id: number, name: string, place: string, code: FailureKind, reason: Notice): FailureRow => ({
  document: { ...row(id, name, 'pdf', 0), place },
  reason,
  code,
})

export const failures: FailureRow[] = [
  failure(
    21,
    'Scan_2019-03-11.pdf',
    'Documents/Tax/2019',
    'needs-ocr',
    { code: 'needs-ocr', install: 'sudo apt install tesseract-ocr' },
  ),
  failure(22, 'Kaufvertrag Wohnung.pdf', 'Contracts/Notar', 'encrypted', { code: 'pdf-wants-password' }),
  failure(23, 'budget-2021.docx', 'Documents/Money', 'broken', { code: 'damaged', kind: 'docx', what: 'xml-breaks-off' }),
  failure(24, 'thesis-final-2.docx', 'Documents/University', 'unreadable', {
    code: 'file-forbidden',
    cause: { code: 'io', kind: 'permission-denied', number: 13, text: 'Permission denied (os error 13)' },
  }),
  failure(
    25,
    'measurements_all.txt',
    'Documents/Lab',
    'too-large',
    { code: 'file-too-large', megabytes: 2355, limit: 512 },
  ),
  failure(
    26,
    'Vorlesung 07.pdf',
    'Documents/University',
    'garbled',
    { code: 'pdf-fonts-without-characters', install: 'sudo apt install tesseract-ocr' },
  ),
  failure(
    27,
    'old-quotes.pdf',
    'Contracts/Archive',
    'timed-out',
    { code: 'reading-took-too-long', seconds: 60 },
  ),
]

export const unread: Unread = {
  documents: [
    { ...row(31, 'Draft.md', 'md', 0), place: 'Contracts', sentences: 0, bytes: 0 },
    { ...row(32, 'Photos of the flat.docx', 'docx', 0), place: 'Documents/2019', sentences: 0 },
    { ...row(33, 'untitled.txt', 'txt', 0), place: 'Documents', sentences: 0, bytes: 2 },
  ],
  empty: 3,
  skipped: 312,
  extensions: [
    { extension: 'mp3', count: 204, paths: ['Tide.mp3', 'Weir.mp3', 'Pump.mp3', 'Gull.mp3'].map((name) => `/home/ada/Music/${name}`) },
    { extension: 'heic', count: 96, paths: ['/home/ada/Documents/Flat.heic'] },
    { extension: '', count: 8, paths: ['/home/ada/Documents/core'] },
  ],
  links: { count: 2, paths: ['/home/ada/Documents/Shared', '/home/ada/Documents/Plan.pdf'] },
  dangling: { count: 0, paths: [] },
  pageParts: 2,
  partNames: ['_static', 'Offer_files'],
}

export const libraryCalls = {
  start: () => start,
  library_state: () => library,
  choose_folder: () => ['Documents'],
  choose_files: () => null,
  add_sample: () => null,
  remove_folder: () => null,
  preview_excludes: () => 12,
  set_excludes: () => null,
  follow_links: () => null,
  rescan: () => null,
  pause: () => null,
  resume: () => null,
  cancel_indexing: () => null,
  failures: () => failures,
  unread: () => unread,
  retry: () => null,
  unlock: () => null,
  documents: ({ query, limit }: { query: string; limit: number }) =>
    [...documents, ...layouts.map((view) => view.document)].filter((one) => one.name.toLowerCase().includes(query.toLowerCase())).slice(0, limit),
  senders: () => senders,
  show_in_folder: () => null,
  open_document: () => null,
  check_library: () => ({ documents: 1707, sentences: 205304, problems: [] }),
  repair_library: () => ({ recomputed: 1704, reread: 3, forgotten: 0, unembedded: 12, refollowed: 0, unfollowed: 0, set_aside: null }),
  stop_work: (work: Stoppable) => {
    isStopped ||= work === 'maintenance'
    return null
  },
  choose_backup: () => ({ name: 'Oriel 2026-11-22.tar', folder: '/home/ada/.local/share/oriel' }),
}

let isStopped = false
const size = 1.2e9

/** Takes some seconds, so that one can look at it and cancel it. */
async function write(onEvent: (event: Work) => void) {
  isStopped = false
  for (let step = 1; step <= 30; step++) {
    await new Promise((then) => setTimeout(then, 100))
    const cancelled: IpcError = { kind: 'cancelled', notice: { code: 'cancelled-and-kept' } }
    if (isStopped) throw cancelled
    onEvent({ done: (size * step) / 30, total: size, rate: null, left: null })
  }
}

export const libraryStreams = {
  accept_drop: () => Promise.resolve(null),
  backup_library: async (_: null, onEvent: (event: Work) => void): Promise<BackedUp | null> => {
    await write(onEvent)
    return { name: 'Oriel 2026-11-22.tar', bytes: size, conversations: 5 }
  },
  compact_library: async (_: null, onEvent: (event: Work) => void): Promise<Compacted> => {
    await write(onEvent)
    return { before: 1.9e9, after: size }
  },
  restore_library: async (_: null, onEvent: (event: Work) => void): Promise<Restored> => {
    await write(onEvent)
    const replaced = '/home/ada/.local/share/oriel/library.replaced-1795305600000'
    return { name: 'Oriel 2026-11-22.tar', bytes: size, conversations: 5, replaced }
  },
}
