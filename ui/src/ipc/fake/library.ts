// Recorded: start, folders, documents, failures.
import type { ConversationRow, DocumentRow, EngineLine, FailureRow, LibraryState, Settings, Start } from '../types'

export const settings: Settings = {
  theme: 'light',
  language: 'en',
  textSize: 100,
  window: { before: 3, after: 3 },
  candidates: 20,
  passages: 5,
  threads: null,
  embedder: null,
  reranker: null,
  generator: null,
  freeAfter: 10,
  closeToTray: false,
  notify: true,
  paused: false,
}

const folder = (id: number, name: string, documents: number) => ({
  id,
  name,
  path: `/home/ada/${name}`,
  isFile: false,
  isSample: false,
  documents,
  waiting: 0,
  failed: 0,
  unreachable: null,
  excludes: [],
})

export const library: LibraryState = {
  folders: [folder(1, 'Documents', 1204), folder(2, 'Contracts', 503)],
  documents: 1707,
  sentences: 205304,
  distinct: 198211,
  unembedded: 0,
  waiting: 0,
  failed: 7,
  skipped: 312,
  bytes: 2.1e9,
  kinds: [
    { kind: 'pdf', count: 1319 },
    { kind: 'docx', count: 203 },
    { kind: 'md', count: 94 },
    { kind: 'html', count: 51 },
    { kind: 'txt', count: 40 },
  ],
  activity: { is: 'idle' },
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

export const engine: EngineLine = { generator: 'SmolLM2 135M', device: 'CPU', threads: 8 }

export const start: Start = { version: '0.1.0', mac: false, library, trouble: null, settings, conversations, engine }

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

export const failures: FailureRow[] = [
  { document: row(21, 'Scan 2019-03.pdf', 'pdf', 12), reason: 'it holds pictures of text', code: 'needs-ocr' },
  { document: row(22, 'Salaries.docx', 'docx', 0), reason: 'it asks for a password', code: 'encrypted' },
]

export const libraryCalls = {
  start: () => start,
  library_state: () => library,
  choose_folder: () => ['Documents'],
  choose_files: () => null,
  accept_drop: () => null,
  add_sample: () => null,
  remove_folder: () => null,
  preview_excludes: () => 12,
  set_excludes: () => null,
  rescan: () => null,
  pause: () => null,
  resume: () => null,
  cancel_indexing: () => null,
  failures: () => failures,
  retry: () => null,
  documents: ({ query, limit }: { query: string; limit: number }) =>
    documents.filter((one) => one.name.toLowerCase().includes(query.toLowerCase())).slice(0, limit),
  show_in_folder: () => null,
  open_document: () => null,
  check_library: () => ({ documents: 1707, sentences: 205304, problems: [] }),
}
