// Recorded: models and settings.
import type { IpcError, ModelProgress, ModelRef, ModelRow, ModelsState } from '../types'
import { engine } from './library'

const model = (id: string, role: ModelRow['role'], size: number, memory: number, extra: Partial<ModelRow> = {}): ModelRow => ({
  id,
  about: `${role}, recorded`,
  role,
  size,
  memory,
  licence: 'Apache-2.0',
  place: { is: 'here' },
  stays: false,
  inUse: false,
  lacking: 0,
  ...extra,
})
const remote = { place: { is: 'remote' as const, host: 'pypi.org' }, licence: 'MIT' }

export const models: ModelsState = {
  models: [
    model('all-minilm-l6-v2', 'embedder', 91e6, 0.1e9, { inUse: true }),
    model('oriel-reranker-v1', 'reranker', 46e6, 0.1e9, { inUse: true }),
    model('smollm2-135m-instruct-q4_1', 'generator', 98e6, 0.3e9, { inUse: true }),
    model('qwen2.5-7b-instruct-q4_k_m', 'generator', 4.7e9, 6.1e9, { place: { is: 'imported' } }),
    model('mistral-small-24b-q4_k_m', 'generator', 14.3e9, 16.9e9, { place: { is: 'imported' }, lacking: 8.9e9 }),
    model('multilingual-e5-small', 'embedder', 471e6, 0.5e9, remote),
    model('phi-4-mini-3.8b-q4_k_m', 'generator', 2.5e9, 3.6e9, remote),
  ],
  memoryTotal: 16e9,
  memoryFree: 8e9,
  memoryModels: 0.6e9,
  card: null,
  cores: 8,
  features: [],
  deviceNote: null,
}

export const settingsCalls = {
  set_settings: () => engine,
  models: () => models,
  remove_model: () => null,
  cancel_download: ({ id }: ModelRef) => {
    under.delete(id)
    return null
  },
  cancel_import: () => null,
}

const under = new Set<string>()
const steps = 60

export const settingsStreams = {
  import_model: () => Promise.resolve(null),
  // Takes some seconds, so that one can look at it and cancel it.
  download_model: async ({ id }: ModelRef, onEvent: (event: ModelProgress) => void) => {
    // In kilobytes, as the shell tells it.
    const total = (models.models.find((model) => model.id === id)?.size ?? 1000) / 1000
    under.add(id)
    for (let step = 1; step <= steps; step++) {
      await new Promise((then) => setTimeout(then, 200))
      const cancelled: IpcError = { code: 'cancelled', message: 'The download was cancelled.' }
      if (!under.has(id)) throw cancelled
      const rate = total / steps / 0.2
      const work = { done: (total * step) / steps, total, rate, left: (steps - step) * 0.2 }
      onEvent({ stage: step === steps ? 'installing' : 'downloading', work })
    }
    under.delete(id)
    return null
  },
}
