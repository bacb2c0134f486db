// A model's name as its makers write it, from its id.
import type { ModelRow } from '../../ipc/types'

const spelled: Record<string, string> = {
  smollm: 'SmolLM',
  smollm2: 'SmolLM2',
  smollm3: 'SmolLM3',
  minilm: 'MiniLM',
  tinyllama: 'TinyLlama',
  bge: 'BGE',
  mpnet: 'MPNet',
}
const quantized = /[-.](i?q\d(?:_\w+)*|bf16|f16|f32)$/i

/** The name, and what it was packed as. */
export function nameOf({ id, role }: Pick<ModelRow, 'id' | 'role'>): { name: string; detail: string } {
  const detail = quantized.exec(id)?.[1]?.toUpperCase() ?? ''
  const words = id.replace(quantized, '').split('-')
  const ours = words[0] === 'oriel'
  const name = words.map((word, at) => {
    if (spelled[word]) return spelled[word]
    if (/^(\d+(\.\d+)?[bmk]|l\d+)$/.test(word)) return word.toUpperCase()
    const capital = ours ? at === 0 : role === 'generator' && !/^v\d/.test(word)
    return capital ? word.charAt(0).toUpperCase() + word.slice(1) : word
  })
  // Embedders keep the hyphens of the names they are published under.
  return { name: name.join(ours || role === 'generator' ? ' ' : '-'), detail }
}
