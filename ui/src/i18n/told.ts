// What the engine and the shell say, in another language. They say it in English; a catalog holds their sentences as they
// stand in the sources, with `{}` where something is put in, and what is put in may be such a sentence itself.

interface Sentence {
  whole: RegExp
  /** The same behind a name: `/home/ada/notes cannot be read`. */
  behind: RegExp
  words: string
}

const hole = /\{[^{}]*\}/
/** A sentence is found behind a name only where it says so much. */
const enough = 10
/** How deep sentences stand in each other. */
const deepest = 3

/** Translates by a catalog; what it does not hold stays as it is. `{0}` in its words is the first that is put in. */
export function translator(catalog: Record<string, string>): (message: string) => string {
  const weight = (said: string) => said.split(hole).join('').length
  const sentences: Sentence[] = Object.entries(catalog)
    .sort(([a], [b]) => weight(b) - weight(a))
    .map(([said, words]) => {
      const parts = said.split(hole).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      const all = parts.join('([\\s\\S]*?)')
      const behind = weight(said) < enough ? '(?!)' : `^([\\s\\S]+?)(:? )${all}$`
      return { whole: new RegExp(`^${all}$`), behind: new RegExp(behind), words }
    })
  const translate = (message: string, depth: number): string => {
    if (depth === deepest) return message
    const filled = (words: string, held: string[]) =>
      words.replace(/\{(\d)\}/g, (_, n: string) => translate(held[Number(n)] ?? '', depth + 1))
    for (const { whole, words } of sentences) {
      const found = whole.exec(message)
      if (found) return filled(words, found.slice(1))
    }
    for (const { behind, words } of sentences) {
      const found = behind.exec(message)
      if (found) return `${found[1]}${found[2]}${filled(words, found.slice(3))}`
    }
    return message
  }
  return (message) => translate(message, 0)
}
