// Measuring the library: the questions to review, the run in progress, the runs that are kept.
import { i18n, t } from '../i18n/index.svelte'
import type { Arm, Decision, EvaluationEvent, EvaluationRun, IpcError, OpenView, QuestionRow, Work } from '../ipc/types'
import { library } from './library.svelte'
import { navigation } from './navigation.svelte'
import { messageOf, session } from './session.svelte'
import { viewer } from './viewer.svelte'

export type Part = 'results' | 'questions' | 'runs'
/** What a run is doing; `null` while the models are loaded. */
export type Step = Exclude<EvaluationEvent, { is: 'figures' }> | null

/** How many questions are made at once. */
export const MADE_AT_ONCE = 50

const settingArms: Arm[] = ['no-rerank', 'dense', 'sparse', 'unmerged']
const naiveArms: Arm[] = ['chunks-512', 'recursive', 'chunks-100']

class Evaluation {
  /** Whether questions and runs were asked for. */
  loaded = $state(false)
  questions = $state.raw<QuestionRow[]>([])
  runs = $state.raw<EvaluationRun[]>([])
  /** How many questions have to be kept for a run. */
  needed = $state(0)
  part = $state<Part>('results')
  /** The chosen question, by id. */
  chosen = $state<string | null>(null)
  /** The question that is being edited, by id. */
  editing = $state<string | null>(null)
  doing = $state<'make' | 'run' | null>(null)
  /** How many questions are made. */
  making = $state.raw<Work | null>(null)
  step = $state.raw<Step>(null)
  /** The figures of the run in progress. */
  figures = $state.raw<EvaluationRun | null>(null)
  /** The settings that the run in progress measures. */
  arms = $state.raw<Arm[]>([])
  error = $state<string | null>(null)
  /** Whether a run answers the questions too. */
  answers = $state(true)
  /** Whether a run compares other settings. */
  compareSettings = $state(true)
  /** Whether a run compares naive pieces of documents. */
  comparePieces = $state(false)
  /** The earlier run that is shown, by when it began; the last one where `null`. */
  #at = $state<number | null>(null)
  #opened: OpenView | null = null

  readonly kept: number = $derived(this.questions.filter(({ decision }) => decision === 'kept').length)
  readonly leftOut: number = $derived(this.questions.filter(({ decision }) => decision === 'left-out').length)
  /** Whether enough questions are kept for a run. */
  readonly ready: boolean = $derived(this.loaded && this.kept >= this.needed)
  /** Whether there is nothing to show yet. */
  readonly empty: boolean = $derived(this.loaded && this.questions.length === 0 && this.runs.length === 0 && this.doing === null)
  /** The run whose figures are shown. */
  readonly shown: EvaluationRun | null = $derived(
    this.doing === 'run' ? this.figures : (this.runs.find(({ at }) => at === this.#at) ?? this.runs[0] ?? null),
  )
  /** Seconds that a run takes, from the last one; `null` before the first. */
  readonly estimate: number | null = $derived.by(() => {
    const last = this.runs.find(({ stopped }) => !stopped)
    return last ? (last.report.seconds * this.kept) / Math.max(1, last.report.questions) : null
  })

  /** Shows the page. */
  show() {
    if (navigation.page !== 'evaluation') navigation.pane = null
    navigation.page = 'evaluation'
  }

  /** Asks for questions and runs. */
  async load() {
    try {
      const state = await session.host.call('evaluation', null)
      const first = !this.loaded
      this.questions = state.questions
      this.runs = state.runs
      this.needed = state.needed
      this.loaded = true
      if (first && this.runs.length === 0) this.part = 'questions'
    } catch (error) {
      this.error = messageOf(error)
    }
  }

  /** Shows a part of the page. Places belong to the questions. */
  choosePart(part: Part) {
    this.part = part
    this.editing = null
    if (part !== 'questions' && this.#isOpen) viewer.close()
  }

  /** Shows the figures of an earlier run. */
  showRun(at: number) {
    this.#at = at
    this.choosePart('results')
  }

  /** Makes questions; each is there as soon as it is made. */
  make(count = MADE_AT_ONCE) {
    this.choosePart('questions')
    this.making = null
    return this.#do('make', () =>
      session.host.stream('make_questions', { count }, (event) => {
        if (event.is === 'progress') this.making = event.work
        else this.questions = [...this.questions, event.question]
      }),
    )
  }

  /** Asks the kept questions. */
  run() {
    const compare = [...(this.compareSettings ? settingArms : []), ...(this.comparePieces ? naiveArms : [])]
    this.choosePart('results')
    this.#at = null
    this.step = null
    this.figures = null
    this.arms = ['oriel', ...compare]
    return this.#do('run', () =>
      session.host.stream('run_evaluation', { answers: this.answers, compare }, (event) => {
        if (event.is === 'figures') this.figures = event.run
        else this.step = event
      }),
    )
  }

  /** Stops making or asking; what is there stays. */
  stop = () => library.attempt(() => session.host.call('stop_work', 'evaluation'))

  /** Adds the questions of a file that the user chooses. */
  async addFile() {
    this.error = null
    try {
      const file = await session.host.call('add_questions', null)
      if (!file) return
      await this.load()
      this.choosePart('questions')
      library.say(t.evaluation.added(file.name, file.added))
    } catch (error) {
      this.error = messageOf(error)
    }
  }

  async forget() {
    this.error = null
    try {
      await session.host.call('forget_questions', null)
      if (this.#isOpen) viewer.close()
      this.chosen = this.editing = null
    } catch (error) {
      this.error = messageOf(error)
    }
    await this.load()
  }

  /** Keeps a question, leaves it out, or gives it other words. What cannot be kept is taken back. */
  async decide(row: QuestionRow, decision: Decision | null, question = row.question) {
    const put = (changed: QuestionRow) => (this.questions = this.questions.map((one) => (one.id === row.id ? changed : one)))
    this.error = null
    put({ ...row, question, decision })
    try {
      await session.host.call('decide_question', { id: row.id, question, decision })
    } catch (error) {
      put(row)
      this.error = messageOf(error)
    }
  }

  /** The next question (1) or the one before (-1). */
  next(by: 1 | -1): QuestionRow | undefined {
    const at = this.questions.findIndex(({ id }) => id === this.chosen)
    return at < 0 ? this.questions[0] : this.questions[at + by]
  }

  /** Chooses a question, and shows its place if the viewer is open. */
  choose(row: QuestionRow) {
    const another = this.chosen !== row.id
    this.chosen = row.id
    if (another && this.#isOpen) this.open(row)
  }

  /** Opens the place of a question's answer in the viewer. */
  open({ id, place }: QuestionRow) {
    this.chosen = id
    if (!place || place.document === null) return
    this.#opened = { is: 'place', document: place.document, at: place.at }
    void viewer.open(this.#opened)
  }

  /** Saves the report of the shown run to a file that the user chooses. */
  save() {
    const run = this.shown
    if (!run) return
    void library.attempt(async () => {
      const file = await session.host.call('save_evaluation_report', { at: run.at })
      if (file !== null) library.say(t.evaluation.saved(file))
    })
  }

  /** Whether the viewer shows a place of a question. */
  get #isOpen(): boolean {
    return navigation.pane === 'viewer' && this.#opened !== null && viewer.request === this.#opened
  }

  async #do(what: 'make' | 'run', act: () => Promise<unknown>) {
    if (this.doing) return
    this.doing = what
    this.error = null
    try {
      await act()
    } catch (error) {
      if ((error as Partial<IpcError>).kind !== 'cancelled') this.error = messageOf(error)
    }
    await this.load()
    this.doing = null
  }
}

export const evaluation = new Evaluation()

/** 4 of 50, about 12 s left: a step with its figures. */
export function workWords(say: (done: string, total: string, left: string) => string, { done, total, left }: Work): string {
  return say(i18n.number(done), i18n.number(total), left === null ? '' : i18n.left(left))
}
