// A draft that is checked against the documents: its text, its sentences with what was found, which of them is chosen.
import { t } from '../i18n/index.svelte'
import type { Draft as SplitDraft, DraftSentence, Drop, Finding, FindingPlace, IpcError, OpenView, Scope, Verdict } from '../ipc/types'
import { navigation } from './navigation.svelte'
import { messageOf, session } from './session.svelte'
import { EVERYWHERE } from './talk.svelte'
import { viewer } from './viewer.svelte'

/** A sentence of the draft. */
export interface Part extends DraftSentence {
  id: number
  /** What the documents say; `null` until it is checked, and while it is checked again. */
  finding: Finding | null
  /** Whether it was checked before, so that its row is there. */
  shown: boolean
}

/** Which rows are shown. */
export type Shown = Verdict | 'all'

interface Text {
  text: string
  name: string | null
}

/** A change that can be undone: these parts took the place of one. */
interface Change {
  added: number[]
  removed: Part
}

/** A typed text is split after this pause, ms. */
const SPLIT_DELAY = 250

/** Whether a sentence says something that could be checked. */
export const counts = ({ finding }: Part): boolean => finding !== null && finding.reason !== 'no-claim'

class Draft {
  /** The text in the field, while `parts` is empty. */
  text = $state('')
  /** The file that it comes from. */
  name = $state<string | null>(null)
  /** The documents that are looked at. */
  scope = $state.raw<Scope>(EVERYWHERE)
  /** How many sentences the field has, and how many more are too many. */
  size = $state.raw<{ sentences: number; unchecked: number }>({ sentences: 0, unchecked: 0 })
  /** The sentences once the check has begun; none while the text is written. */
  parts = $state.raw<Part[]>([])
  /** How many sentences are too many to be checked. */
  unchecked = $state(0)
  checking = $state(false)
  error = $state<string | null>(null)
  /** How long the whole check took, ms. */
  took = $state<number | null>(null)
  /** How long a sentence takes, ms; known after the first check. */
  pace = $state<number | null>(null)
  filter = $state<Shown>('all')
  /** The chosen sentence, by id. */
  chosen = $state<number | null>(null)
  /** The sentence that is being edited, by id. */
  editing = $state<number | null>(null)
  /** The draft that was replaced. */
  earlier = $state.raw<Text | null>(null)
  #changes = $state.raw<Change[]>([])
  #opened = $state.raw<{ part: number; request: OpenView } | null>(null)
  #stopped: Promise<unknown> = Promise.resolve()
  #rest = ''
  #ids = 0
  #runs = 0
  #splits = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** The sentences that were checked. */
  readonly rows: Part[] = $derived(this.parts.filter(({ shown }) => shown))
  /** Those that the tab shows. */
  readonly visible: Part[] = $derived(
    this.filter === 'all' ? this.rows : this.rows.filter((part) => part.finding === null || (counts(part) && part.finding.verdict === this.filter)),
  )
  readonly undoable: boolean = $derived(this.#changes.length > 0)
  /** What was found of the sentence whose place is open in the viewer. */
  readonly openFinding: Finding | null = $derived(
    this.#isOpen ? (this.parts.find(({ id }) => id === this.#opened?.part)?.finding ?? null) : null,
  )

  /** How many sentences have this finding. */
  count(verdict: Verdict): number {
    return this.rows.filter((part) => counts(part) && part.finding?.verdict === verdict).length
  }

  /** The current draft. */
  whole(): string {
    if (this.parts.length === 0) return this.text
    return this.parts.map(({ before, text }) => before + text).join('') + this.#rest
  }

  /** Shows the page. */
  show() {
    if (navigation.page !== 'draft') navigation.pane = null
    navigation.page = 'draft'
  }

  /** Replaces the text; the old one can be restored. */
  take(text: string, name: string | null = null) {
    const before = { text: this.whole(), name: this.name }
    this.earlier = before.text.trim() ? before : this.earlier
    this.#write({ text, name })
    this.show()
  }

  /** Restores the draft of another page of this app window. */
  restore(text: Text) {
    this.#write(text)
  }

  /** Restores the replaced draft. */
  bringBack() {
    if (!this.earlier) return
    const text = this.earlier
    this.earlier = null
    this.#write(text)
  }

  /** Checks a text that was selected elsewhere. */
  checkText(text: string) {
    this.take(text)
    this.scope = EVERYWHERE
    void this.check()
  }

  /** Whether something that was dropped can be a draft: one file that Oriel reads. */
  accepts({ folders, files, unread }: Drop): boolean {
    return files.length === 1 && folders.length + unread.length === 0
  }

  /** Takes the text of a file: the one that was dropped, or one that the user chooses. */
  async read(drop: number | null) {
    this.error = null
    try {
      const file = await session.host.call('read_draft', { drop })
      if (file) this.take(file.text, file.name)
    } catch (error) {
      this.error = messageOf(error)
    }
  }

  /** Back to the text, with what was changed in it. */
  edit() {
    this.#write({ text: this.whole(), name: this.name })
  }

  /** Called when the text has changed: counts its sentences after a pause. */
  typed() {
    clearTimeout(this.#timer)
    if (this.text.trim()) this.#timer = setTimeout(() => void this.#measure(), SPLIT_DELAY)
    else this.size = { sentences: 0, unchecked: 0 }
  }

  /** Checks the text of the field from its beginning. */
  async check() {
    const text = this.text
    if (!text.trim() || this.checking) return
    this.checking = true
    this.error = null
    const run = ++this.#runs
    try {
      const split = await session.host.call('split_draft', { text })
      if (run !== this.#runs) return
      if (split.sentences.length === 0) {
        this.checking = false
        this.error = t.draft.result(0, 0)
        return
      }
      this.#rest = split.rest
      this.unchecked = split.unchecked
      this.parts = this.#partsOf(split)
      await this.#run()
    } catch (error) {
      if (run === this.#runs) this.#fail(error)
    }
  }

  /** Checks what is not checked yet. */
  goOn() {
    if (!this.checking) void this.#run()
  }

  /** Stops the check; what was found stays. */
  stop() {
    if (!this.checking) return
    this.#runs += 1
    this.checking = false
    this.#stopped = session.host.call('stop_work', 'draft').catch(() => null)
  }

  /** Chooses a sentence, and shows its place if the viewer is open. */
  choose(part: Part) {
    this.chosen = part.id
    const place = placeOf(part)
    if (this.#isOpen && place && this.#opened?.part !== part.id) this.open(part, place)
  }

  /** Opens a place of a sentence in the viewer. */
  open(part: Part, place: FindingPlace) {
    if (place.document === null) return
    const request: OpenView = { is: 'place', document: place.document, at: place.at }
    this.chosen = part.id
    this.#opened = { part: part.id, request }
    void viewer.open(request)
  }

  /** The next sentence that the tab shows (1) or the one before (-1); with `problem` the next one that is not supported. */
  next(by: 1 | -1, problem = false): Part | undefined {
    const at = this.visible.findIndex(({ id }) => id === this.chosen)
    const after = at < 0 ? this.visible : by > 0 ? this.visible.slice(at + 1) : this.visible.slice(0, at).reverse()
    return problem ? after.find((part) => counts(part) && part.finding?.verdict !== 'supported') : after[0]
  }

  /** Puts another text in the place of a sentence and checks it. */
  async change(part: Part, text: string) {
    if (!text.trim() || text.trim() === part.text) return
    this.error = null
    try {
      const { sentences, rest } = await session.host.call('split_draft', { text: text.trim() })
      const { before, beginsParagraph } = part
      // A text without a sentence, such as a dash, counts as one.
      const written = sentences.length > 0 ? sentences : [{ before: '', text: '', beginsParagraph }]
      const added = written.map((one, k) => ({
        before: k === 0 ? before + one.before : one.before,
        text: k === written.length - 1 ? one.text + rest : one.text,
        beginsParagraph: k === 0 ? beginsParagraph : one.beginsParagraph,
        // Its row stays, with the focus.
        id: k === 0 ? part.id : ++this.#ids,
        finding: null,
        shown: true,
      }))
      if (!this.#swap([part.id], added)) return
      this.#changes = [...this.#changes, { added: added.map(({ id }) => id), removed: part }]
      this.chosen = part.id
      await this.#run(added)
    } catch (error) {
      this.error = messageOf(error)
    }
  }

  /** Undoes the last change. */
  undo() {
    const last = this.#changes.at(-1)
    if (!last) return
    this.#changes = this.#changes.slice(0, -1)
    if (!this.#swap(last.added, [last.removed])) return
    this.chosen = last.removed.id
    if (last.removed.finding === null) void this.#run([last.removed])
  }

  #write({ text, name }: Text) {
    if (this.checking) this.stop()
    if (this.#isOpen) viewer.close()
    this.#opened = null
    this.text = text
    this.name = name
    this.parts = []
    this.#changes = []
    this.chosen = this.editing = this.took = null
    this.error = null
    this.filter = 'all'
    this.typed()
  }

  /** Whether the viewer shows a place of this draft. */
  get #isOpen(): boolean {
    return navigation.pane === 'viewer' && this.#opened !== null && viewer.request === this.#opened.request
  }

  async #measure() {
    const mine = ++this.#splits
    const split = await session.host.call('split_draft', { text: this.text }).catch(() => null)
    if (split && mine === this.#splits) this.size = { sentences: split.sentences.length, unchecked: split.unchecked }
  }

  #partsOf({ sentences }: SplitDraft): Part[] {
    return sentences.map((one) => ({ ...one, id: ++this.#ids, finding: null, shown: false }))
  }

  /** Puts parts in the place of neighbours; whether these were there. */
  #swap(ids: number[], parts: Part[]): boolean {
    const from = this.parts.findIndex(({ id }) => id === ids[0])
    if (from < 0) return false
    this.parts = [...this.parts.slice(0, from), ...parts, ...this.parts.slice(from + ids.length)]
    return true
  }

  /** Checks what is not checked yet, `first` before the rest. The check before it ends. */
  async #run(first: Part[] = []) {
    const run = ++this.#runs
    // Changing a sentence does not continue a stopped check.
    const all = first.length === 0 || this.checking
    const open = this.parts.filter(
      ({ finding, shown, id }) => finding === null && (all || shown) && !first.some((one) => one.id === id),
    )
    const asked = [...first, ...open]
    const whole = asked.length === this.parts.length
    const from = performance.now()
    this.checking = true
    this.error = null
    // A stop that comes late would end this check.
    await this.#stopped
    if (run !== this.#runs) return
    try {
      await session.host.stream('check_draft', { sentences: asked.map(({ text }) => text), scope: this.scope }, ({ at, finding }) => {
        const of = asked[at]
        // A part whose change was undone meanwhile has another text again.
        const isIt = (part: Part) => part.id === of?.id && part.text === of.text
        if (run === this.#runs) this.parts = this.parts.map((part) => (isIt(part) ? { ...part, finding, shown: true } : part))
      })
      if (run !== this.#runs) return
      const took = performance.now() - from
      if (asked.length > 0) this.pace = took / asked.length
      if (whole) this.took = took
      this.checking = false
    } catch (error) {
      if (run === this.#runs) this.#fail(error)
    }
  }

  #fail(error: unknown) {
    this.checking = false
    if ((error as IpcError).kind !== 'cancelled') this.error = messageOf(error)
  }
}

/** The best place of a sentence, or the closest one. */
export const placeOf = ({ finding }: Part): FindingPlace | null => finding?.places[0] ?? finding?.closest ?? null

export const draft = new Draft()
