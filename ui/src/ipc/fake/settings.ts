// Recorded: models and settings.
import type { DownloadProgress, ModelRef, ModelRow, ModelsState } from '../types'
import { engine } from './library'

const model = (id: string, role: ModelRow['role'], size: number, extra: Partial<ModelRow> = {}): ModelRow => ({
  id,
  about: id,
  role,
  size,
  memory: size * 1.2,
  licence: 'Apache-2.0',
  place: { is: 'here' },
  inUse: false,
  lacking: 0,
  ...extra,
})

export const models: ModelsState = {
  models: [
    model('all-minilm-l6-v2', 'embedder', 91e6, { inUse: true }),
    model('oriel-reranker-v1', 'reranker', 46e6, { inUse: true }),
    model('smollm2-135m-instruct-q4_1', 'generator', 98e6, { inUse: true }),
    model('qwen2.5-7b-instruct-q4_k_m', 'generator', 4.7e9, { place: { is: 'imported' } }),
    model('mistral-small-24b-q4_k_m', 'generator', 14.3e9, { place: { is: 'imported' }, lacking: 8.9e9 }),
    model('multilingual-e5-small', 'embedder', 471e6, { place: { is: 'remote', host: 'pypi.org' }, licence: 'MIT' }),
  ],
  memoryTotal: 16e9,
  memoryFree: 8e9,
  memoryModels: 0.6e9,
  device: 'CPU',
  cores: 8,
  features: [],
  deviceNote: null,
}

export const settingsCalls = {
  set_settings: () => engine,
  models: () => models,
  import_model: () => null,
  remove_model: () => null,
  cancel_download: () => null,
}

export const settingsStreams = {
  download_model: async (_: ModelRef, onEvent: (event: DownloadProgress) => void) => {
    onEvent({ installing: false, work: { done: 1, total: 2, rate: 1, left: 1 } })
    return null
  },
}
