// How the open document is looked at: size, page, tone. Kept apart from what is shown.
import { zoomStep } from './geometry'
import { Find } from './find.svelte'

export class Reading {
  /** The size that was chosen; the pane's width decides where `null`. */
  zoom = $state<number | null>(null)
  /** The size in use; 1 is the size of the paper. */
  scale = $state(1)
  /** The page, slide, mail, chapter or sheet that is read; `null` in formats without any. */
  page = $state<number | null>(null)
  pages = $state(0)
  /** The visible row, from 1; only in sheets. */
  row = $state(1)
  /** The part of the document that was chosen from its contents, from 1; a new object jumps there. */
  contents = $state.raw({ part: 0 })
  /** Whether a page is shown in the dark as it is on paper. */
  printed = $state(false)
  /** Whether the text that was recognised on pages is shown instead of them. */
  asText = $state(false)
  /** The marked sentence as the document itself has it. */
  marked = $state('')
  readonly find = new Find()

  /** A scan is a picture, whose tones are its own: it is shown as on paper until the user wants otherwise. */
  constructor(scanned = false) {
    this.printed = scanned
  }

  step(by: 1 | -1) {
    this.zoom = zoomStep(this.scale, by)
  }

  fit() {
    this.zoom = null
  }
}
