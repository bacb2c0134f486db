// Recorded: models and settings.
import type { ProgramRequest, Download, HideFolder, ModelRef, ModelRow, ModelsState, Programs, SetLocalAddress, Trial, Work } from '../types'
import type { FakeHost } from './host'
import { engine } from './library'

const model = (id: string, name: string, role: ModelRow['role'], size: number, memory: number, extra: Partial<ModelRow> = {}): ModelRow => ({
  id,
  name,
  about: `${role}, recorded`,
  role,
  size,
  memory,
  fit: 'fits',
  lacking: 0,
  budget: 8.4e9,
  licence: 'Apache-2.0',
  languages: [],
  languageCount: 0,
  parameters: null,
  quantisation: role === 'generator' ? 'Q4_K_M' : null,
  tier: null,
  recommended: false,
  rightAnswers: null,
  foundEnglish: null,
  foundOther: null,
  speed: null,
  place: { is: 'here' },
  stays: false,
  inUse: false,
  ...extra,
})
const remote = (downloaded = 0): Pick<ModelRow, 'place'> => ({ place: { is: 'remote', host: 'huggingface.co', downloaded } })
const found = (program: string): Pick<ModelRow, 'place'> => ({ place: { is: 'found', program, path: `/home/ada/.models/${program}.gguf` } })
const english = { languages: ['en'], languageCount: 1 }

export const models: ModelsState = {
  models: [
    model('qwen2.5-coder-0.5b-instruct', 'Qwen2.5 Coder 0.5B', 'generator', 491.4e6, 0.9e9, {
      languageCount: 29,
      parameters: 0.5e9,
      tier: 'small',
      rightAnswers: 71,
      speed: 38,
      inUse: true,
    }),
    model('qwen3-4b-instruct-2507', 'Qwen3 4B Instruct', 'generator', 2.5e9, 3.6e9, {
      languageCount: 100,
      parameters: 4e9,
      tier: 'balanced',
      recommended: true,
      rightAnswers: 86,
      ...remote(),
    }),
    model('qwen3-8b', 'Qwen3 8B', 'generator', 5.03e9, 6.8e9, {
      languageCount: 100,
      parameters: 8e9,
      tier: 'best',
      fit: 'tight',
      ...remote(),
    }),
    model('my-mistral-7b', 'My Mistral 7B', 'generator', 4.4e9, 5.2e9, { licence: 'unknown', place: { is: 'imported' }, parameters: 7e9 }),
    model('mistral-small-24b', 'Mistral Small 24B', 'generator', 14.3e9, 16.9e9, {
      place: { is: 'imported' },
      fit: 'too-large',
      lacking: 8e9,
    }),
    model('ollama-llama3.2-3b', 'Llama 3.2 3B', 'generator', 2e9, 2.7e9, {
      licence: 'Llama 3.2 licence',
      parameters: 3.2e9,
      rightAnswers: 74,
      speed: 14,
      ...found('Ollama'),
    }),
    model('lm-studio-gemma-3-12b', 'Gemma 3 12B', 'generator', 7.3e9, 8.3e9, {
      licence: 'Gemma terms',
      parameters: 12e9,
      fit: 'tight',
      rightAnswers: 88,
      speed: 3,
      ...found('LM Studio'),
    }),
    model('qwen2.5-coder-1.5b-instruct', 'Qwen2.5 Coder 1.5B', 'generator', 1.117e9, 1.7e9, {
      languageCount: 29,
      parameters: 1.5e9,
      rightAnswers: 78,
      ...remote(640e6),
    }),
    model('granite-4.1-3b', 'Granite 4.1 3B', 'generator', 2.1e9, 2.9e9, { languageCount: 12, rightAnswers: 83, ...remote() }),
    model('gpt-oss-20b', 'gpt-oss 20B', 'generator', 12.1e9, 13.1e9, {
      ...english,
      fit: 'too-large',
      lacking: 4.5e9,
      rightAnswers: 91,
      ...remote(),
    }),
    model('qwen3-1.7b', 'Qwen3 1.7B', 'generator', 1.11e9, 1.7e9, { languageCount: 100, ...remote() }),
    model('qwen3.5-2b', 'Qwen3.5 2B', 'generator', 1.28e9, 1.9e9, { languageCount: 100, ...remote() }),
    model('all-minilm-l6-v2', 'all-MiniLM-L6-v2', 'embedder', 91e6, 0.1e9, {
      ...english,
      foundEnglish: 91,
      foundOther: 38,
      speed: 190,
      stays: true,
      inUse: true,
    }),
    model('mdbr-leaf-ir', 'mdbr-leaf-ir', 'embedder', 93e6, 0.1e9, { ...english, foundEnglish: 94, foundOther: 41, ...remote() }),
    model('multilingual-e5-small', 'multilingual-e5-small', 'embedder', 471e6, 0.5e9, {
      languages: ['en', 'de'],
      languageCount: 100,
      licence: 'MIT',
      foundEnglish: 89,
      foundOther: 84,
      speed: 81,
    }),
    model('oriel-reranker-v1', 'Oriel reranker v1', 'reranker', 46e6, 0.1e9, { ...english, speed: 41, stays: true, inUse: true }),
    model('oriel-checker-v3', 'Oriel checker', 'checker', 46e6, 0.1e9, { ...english, stays: true, inUse: true }),
    model('ettin-reranker-32m', 'Ettin reranker 32M', 'reranker', 66e6, 0.2e9, { ...english, ...remote() }),
  ],
  memoryTotal: 16e9,
  memoryFree: 7.5e9,
  memoryModels: 1.1e9,
  foreignShare: null,
  previous: null,
  diskFree: 74e9,
  card: null,
  cores: 8,
  features: ['cuda'],
  deviceNote: null,
}

/** The models on a computer where nothing writes yet; the small one suits it. */
export const noGenerator: ModelsState = {
  ...models,
  memoryFree: 8e9,
  models: models.models.map((one) => {
    if (one.tier === null) return one
    return { ...one, recommended: one.tier === 'small', inUse: false, ...remote() }
  }),
}

let now = models
let downloads: Download[] = []
const STEPS = 120
const PACE = 250

function tell(send: FakeHost['send'], next: Download[]) {
  downloads = next
  send('downloads', downloads)
}

/** Downloads until it is done or paused; long enough to look at. */
async function run({ id, name, size: total }: ModelRow, host: string, send: FakeHost['send']) {
  const others = () => downloads.filter((one) => one.id !== id)
  tell(send, [...others(), { id, name, host, stage: 'downloading', work: null, error: null }])
  for (let step = 1; step <= STEPS; step++) {
    await new Promise((then) => setTimeout(then, PACE))
    if (!downloads.some((one) => one.id === id)) return
    const left = ((STEPS - step) * PACE) / 1000
    const work = { done: (total * step) / STEPS, total, rate: ((total / STEPS) * 1000) / PACE, left }
    tell(send, [...others(), { id, name, host, stage: step === STEPS ? 'installing' : 'downloading', work, error: null }])
  }
  now = { ...now, models: now.models.map((one) => (one.id === id ? { ...one, place: { is: 'here' } } : one)) }
  tell(send, others())
}

const asked = (program: string, tool: string, text: string, places: number, documents: number, extra: Partial<ProgramRequest> = {}): ProgramRequest => ({
  at: Date.UTC(2026, 10, 26, 14, 2),
  program,
  tool,
  text,
  places,
  documents,
  verdict: null,
  error: null,
  ...extra,
})

export const programs: Programs = {
  programs: [
    { program: 'claude-desktop', name: 'Claude Desktop', file: '/home/ada/.config/Claude/claude_desktop_config.json', isSetUp: true },
    { program: 'cursor', name: 'Cursor', file: '/home/ada/.cursor/mcp.json', isSetUp: false },
    { program: 'lm-studio', name: 'LM Studio', file: '/home/ada/.lmstudio/mcp.json', isSetUp: false },
  ],
  lines: '{\n  "mcpServers": {\n    "oriel": { "command": "/usr/bin/oriel", "args": ["mcp"] }\n  }\n}\n',
  folders: [
    { id: 0, name: 'Documents', path: '/home/ada/Documents', documents: 1204, isHidden: false, canChange: true },
    { id: 1, name: 'Contracts', path: '/home/ada/Contracts', documents: 503, isHidden: true, canChange: true },
  ],
  local: { isOn: false, port: 7766, address: null, error: null, file: '/home/ada/.local/share/oriel/library/serve-token' },
  hidden: [{ name: 'Tax', path: '/home/ada/Documents/Tax', documents: 38 }],
  asked: [
    asked('Claude', 'ask', 'Why was the ROI of Phoenix revised?', 3, 2),
    asked('Claude', 'verify', 'ROI fell to 12%, down from 15%', 1, 1, { verdict: 'contradicted' }),
    asked('LM Studio', 'fetch', 'odyssey-notes.md', 1, 1),
    asked('LM Studio', 'search', 'Which contracts mention a notice period?', 0, 0, { error: '/home/ada/Contracts: it is not followed' }),
    asked('Cursor', 'search', 'Until when does the guarantee run?', 1, 1),
    asked('Cursor', 'mentions', 'guarantee', 4, 4),
    asked('OpenAI API: OpenAI/Python 3.57.0', 'models', '', 0, 0),
    asked('OpenAI API: OpenAI/Python 3.57.0', 'embed', 'A text of the other program.', 0, 0),
  ],
}

/** In parts: nothing in the sources of the window looks like an address that it could ask. */
const localAddress = (port: number) => ['http:', '', `127.0.0.1:${port}`, 'v1'].join('/')

export const settingsCalls = {
  programs: () => programs,
  hide_folder: ({ folder, hide }: HideFolder) => ({
    ...programs,
    folders: programs.folders.map((one) => (one.id === folder ? { ...one, isHidden: hide } : one)),
  }),
  hide_other_folders: () => programs,
  unhide: () => ({ ...programs, hidden: [] }),
  // Another program has port 80.
  set_local_address: ({ on, port }: SetLocalAddress): Programs => ({
    ...programs,
    local: {
      ...programs.local,
      isOn: on,
      port,
      address: on && port !== 80 ? localAddress(port) : null,
      error: on && port === 80 ? { code: 'port-taken', port } : null,
    },
  }),
  local_key: () => ({ key: 'or-0123' }),
  renew_local_key: (): Programs => ({ ...programs, local: { ...programs.local, isOn: true, address: localAddress(7766) } }),
  clear_asked: () => ({ ...programs, asked: [] }),
  set_settings: () => engine,
  glossary: () => ({ text: 'quick ratio: current assets less inventories' }),
  set_glossary: (): number[] => [],
  measure_models: () => null,
  models: () => now,
  remove_model: () => null,
  download_model: ({ id }: ModelRef, send: FakeHost['send']) => {
    const row = now.models.find((one) => one.id === id)
    if (row?.place.is === 'remote') void run(row, row.place.host, send)
    return null
  },
  pause_download: ({ id }: ModelRef, send: FakeHost['send']) => {
    const done = downloads.find((one) => one.id === id)?.work?.done ?? 0
    now = { ...now, models: now.models.map((one) => (one.id === id ? { ...one, ...remote(done) } : one)) }
    tell(send, downloads.filter((one) => one.id !== id))
    return null
  },
  dismiss_download: ({ id }: ModelRef, send: FakeHost['send']) => {
    tell(send, downloads.filter((one) => one.id !== id))
    return null
  },
  server_host: () => ({ host: 'gpu.northwind.example', isLocal: false, isEncrypted: true }),
  index_host: () => ({ host: 'milvus.northwind.example:19530', isLocal: false, isEncrypted: true }),
  connect_index: () => null,
  leave_index: () => null,
  connect_server: () => 'gpu.northwind.example/qwen3-32b',
}

const tried = (question: string, current: number | null, other: number | null) => ({ question, current, other })

/** What the trial of an embedder comes to. */
export const trial: Trial = {
  questions: [
    tried('Until when does the guarantee of the heat pump run?', 4, 1),
    tried('Wer trägt Reparaturen bis 120 Pfund?', null, 2),
    tried('Quel est le préavis du bail de Harbour Row ?', null, 1),
    tried('Why was the Phoenix ROI revised downwards?', 1, 1),
    tried('Which lot was the catalyst of batch 14?', 1, 1),
    tried('What must come before the second phase?', 1, 2),
    tried('Wie hoch ist der Rechnungsbetrag mit Steuer?', 2, 1),
    tried('Who signed the lease?', 3, 3),
  ],
  documents: 61,
  seconds: 54,
}

export const settingsStreams = {
  import_model: () => Promise.resolve(null),
  try_embedder: async (_: ModelRef, onEvent: (work: Work) => void): Promise<Trial> => {
    onEvent({ done: 2_048, total: 9_310, rate: 190, left: 38 })
    await Promise.resolve()
    return trial
  },
}
