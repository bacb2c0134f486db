// Looking for words in one document: what was typed, its matches, which one is shown. A part is a page or a block.
import { findAll, fold, type Folded, type Stretch } from './fold'

export interface FindPlace extends Stretch {
  /** The page or block, from 0. */
  part: number
}

/** What is looked through. */
export interface Parts {
  count: number
  /** The text of one part. */
  text: (part: number) => string | Promise<string>
}

/** More places than this are not counted. */
export const most = 2000

export class Find {
  open = $state(false)
  query = $state('')
  places = $state.raw<FindPlace[]>([])
  /** Which place is shown. */
  active = $state<number | null>(null)
  /** How many parts were searched so far. */
  looked = $state<number | null>(null)
  /** Counts the jumps: the document scrolls to the shown place whenever it changes. */
  jump = $state(0)
  #folded: { source: string; folded: Folded }[] = []
  #run = 0

  /** Looks through a document from this part on; the first place is shown as soon as it is found. */
  async run(parts: Parts, from: number) {
    const run = ++this.#run
    const query = this.query
    this.places = []
    this.active = null
    this.looked = null
    if (fold(query, 'words').text.trim() === '') return
    this.looked = 0
    let found: FindPlace[] = []
    let paused = performance.now()
    for (let i = 0; i < parts.count && found.length < most; i++) {
      const part = (from + i) % parts.count
      if (!this.#folded[part]) {
        const source = await parts.text(part)
        this.#folded[part] = { source, folded: fold(source, 'words') }
      }
      const { source, folded } = this.#folded[part]
      const here = findAll(source, folded, query, most - found.length)
      found = found.concat(here.map((place) => ({ ...place, part })))
      if (performance.now() - paused > 12) {
        // Yields, so that the window stays usable and shows the progress.
        await new Promise((resolve) => setTimeout(resolve))
        if (run !== this.#run) return
        this.#show(found)
        this.looked = i + 1
        paused = performance.now()
      }
    }
    if (run !== this.#run) return
    this.#show(found)
    this.looked = null
  }

  /** The next place (1) or the one before (-1). */
  step(by: 1 | -1) {
    const count = this.places.length
    if (count === 0) return
    this.active = ((this.active ?? 0) + by + count) % count
    this.jump += 1
  }

  close() {
    this.#run += 1
    this.open = false
    this.query = ''
    this.places = []
    this.active = null
    this.looked = null
  }

  /** Forgets the texts: another document is shown. */
  forget() {
    this.close()
    this.#folded = []
  }

  /** The place that is shown stays shown while more are found; at first it is the first that was found. */
  #show(found: FindPlace[]) {
    const shown = this.active === null ? found[0] : this.places[this.active]
    this.places = [...found].sort((a, b) => a.part - b.part || a.start - b.start)
    if (!shown) return
    if (this.active === null) this.jump += 1
    this.active = this.places.indexOf(shown)
  }
}
