// Measuring the library over the fake host: questions made and reviewed, a run with its figures, the report.
import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { tick } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import App from '../src/App.svelte'
// The window loads it when it is first needed; here it is loaded before.
import '../src/features/viewer/Viewer.svelte'
import { evaluationState, question, run } from '../src/ipc/fake/evaluation'
import type { Calls, Streams } from '../src/ipc/fake/host'
import type { EvaluationEvent, EvaluationRun, EvaluationState, IpcError } from '../src/ipc/types'
import { evaluation } from '../src/state/evaluation.svelte'
import { library } from '../src/state/library.svelte'
import { navigation } from '../src/state/navigation.svelte'
import { session } from '../src/state/session.svelte'
import { settings } from '../src/ipc/fake/library'
import { viewer } from '../src/state/viewer.svelte'
import { around, axeFinds, boot, button, called, failing, press } from './library'

// jsdom measures and draws nothing.
Range.prototype.getBoundingClientRect = () => document.body.getBoundingClientRect()

around()
beforeEach(() => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
})
afterEach(() => {
  viewer.close()
  Object.assign(evaluation, { loaded: false, questions: [], runs: [], part: 'results', chosen: null, editing: null, error: null, doing: null, figures: null, step: null })
})

const nothing: EvaluationState = { ...evaluationState, questions: [], runs: [] }
/** The cells of each row of a table, between bars. */
const cellsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim()).filter(Boolean).join(' | '))
const rows = () => screen.queryAllByTestId('evaluation-question')
const chosen = () => rows().find((one) => one.getAttribute('aria-current') === 'true')?.textContent ?? ''
const reviewed = () => screen.getByTestId('evaluation-reviewed').textContent.replace(/\s+/g, ' ').trim()

async function open(state: EvaluationState = evaluationState, calls: Partial<Calls & Streams> = {}, generator: string | null = 'qwen') {
  await boot(undefined, { evaluation: () => state, ...calls })
  session.engine = { ...session.engine, generator }
  render(App)
  await fireEvent.click(screen.getByTestId('rail-evaluation'))
  await waitFor(() => expect(evaluation.loaded).toBe(true))
  await tick()
}

describe('without questions', () => {
  it('the page says what it is for and makes some', async () => {
    let state = nothing
    await open(nothing, {
      evaluation: () => state,
      make_questions: async (_, events) => {
        events({ is: 'progress', work: { done: 0, total: 50, rate: null, left: null } })
        events({ is: 'made', question: question(1) })
        state = { ...nothing, questions: [question(1)] }
        return null
      },
    })
    expect(screen.getByTestId('rail-evaluation').getAttribute('aria-current')).toBe('page')
    expect(await axeFinds(document.body)).toEqual([])
    await fireEvent.click(button('Make 50 questions from my documents'))
    await waitFor(() => expect(rows()).toHaveLength(1))
    expect(called('make_questions')).toEqual([{ count: 50 }])
    await waitFor(() => expect(reviewed()).toContain('0 kept, 0 left out, 1 to review. Keep 30 more for a run.'))
    expect(screen.getByTestId('evaluation-run').hasAttribute('disabled')).toBe(true)
  })

  it('and without a model says what to do', async () => {
    await open(nothing, {}, null)
    expect(screen.getByTestId('evaluation-make').hasAttribute('disabled')).toBe(true)
    await fireEvent.click(within(screen.getByTestId('evaluation-no-model')).getByRole('button'))
    expect([navigation.page, navigation.settingsPage]).toEqual(['settings', 'models'])
  })
})

describe('the questions', () => {
  it('are walked, kept and left out by keys', async () => {
    await open()
    await fireEvent.click(screen.getByLabelText('Questions 40'))
    expect(rows()).toHaveLength(40)
    expect(reviewed()).toBe('31 kept, 1 left out, 8 to review.')
    expect(await axeFinds(document.body)).toEqual([])
    await press('j')
    expect(chosen()).toContain('heat pump')
    await press('x')
    await waitFor(() => expect(chosen()).toContain('repairs'))
    await press('x')
    expect(called('decide_question')).toEqual([
      { id: 'made-1', question: question(1).question, decision: 'left-out' },
      { id: 'made-2', question: question(2).question, decision: 'left-out' },
    ])
    expect(reviewed()).toBe('29 kept, 3 left out, 8 to review. Keep 1 more for a run.')
    await press('k')
    await press('y')
    expect(reviewed()).toContain('30 kept')
    expect(screen.getByTestId('evaluation-run').textContent).toBe('Run with 30')
  })

  it('can be changed, and open their place', async () => {
    await open()
    await fireEvent.click(screen.getByLabelText('Questions 40'))
    await press('j')
    await press('e')
    const field = await screen.findByTestId('evaluation-field')
    expect(document.activeElement).toBe(field)
    await fireEvent.input(field, { target: { value: 'How long is the guarantee?' } })
    await press('Enter')
    await waitFor(() => expect(called('decide_question')).toEqual([{ id: 'made-1', question: 'How long is the guarantee?', decision: 'kept' }]))
    await waitFor(() => expect(document.activeElement?.textContent).toBe('How long is the guarantee?'))
    await fireEvent.click(screen.getByText('How long is the guarantee?'))
    expect(called('open_view').at(-1)).toMatchObject({ is: 'place', document: 11, at: { start: 100 } })
    // The next one opens its own while the viewer is there.
    await press('j')
    await waitFor(() => expect(called('open_view').at(-1)).toMatchObject({ at: { start: 200 } }))
  })

  it('stay as they were if they cannot be written', async () => {
    await open(evaluationState, { decide_question: failing('questions.json cannot be written') })
    await fireEvent.click(screen.getByLabelText('Questions 40'))
    await press('j')
    await press('x')
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('questions.json cannot be written'))
    expect(reviewed()).toContain('31 kept')
  })

  it('come from a file too, and are forgotten on request', async () => {
    await open()
    await fireEvent.click(screen.getByLabelText('Questions 40'))
    await fireEvent.click(button('Open a file with questions…'))
    await waitFor(() => expect(library.notice?.text).toBe('12 questions added from exam.jsonl, as kept.'))
    await fireEvent.click(button('Forget all questions'))
    expect(called('forget_questions')).toHaveLength(0)
    await fireEvent.click(screen.getByTestId('forget'))
    await waitFor(() => expect(called('forget_questions')).toHaveLength(1))
  })
})

describe('the results', () => {
  const sentences = () => [...screen.getByTestId('evaluation-sentences').children].map((one) => one.textContent)
  const headings = () => screen.getAllByRole('heading').map((one) => `${one.tagName} ${one.textContent}`)

  it('are four sentences with their intervals, then plots with tables', async () => {
    await open()
    expect(sentences()).toEqual([
      'The right sentence comes first for 36 of 40 questions.90.0%, between 80.0 and 95.0',
      'It is among the first five passages for 39 of them.97.5%, between 87.5 and 100.0',
      '94 of 100 written sentences are supported by their passage.94.0%, between 90.0 and 98.0',
      'It refused 2 of 40 questions that have an answer.5.0%, between 0.0 and 12.5',
    ])
    expect(headings().filter((one) => !/Today|Earlier|Folders/.test(one))).toEqual([
      'H1 Evaluation',
      'H2 Does another setting find more?',
      'H2 Can you trust the percentage?',
      'H2 How many passages must you read?',
      'H2 Do the passages support what is written?',
      'H2 Where does the time go?',
    ])
    const settingsTable = screen.getByRole('table', { name: 'Does another setting find more?' })
    expect(cellsOf(settingsTable)).toEqual([
      'Setting | Found first, 60 to 100% | % | Against in use | 95% interval | First five, % | Relevant, %',
      'Oriel as it is set | 90.0 | In use | 97.5 | 31',
      'No reranker | 77.5 | −12.5 | −20.0 to −5.0 | 85.0 | 31',
      'By meaning only | 87.5 | −2.5 | −10.0 to +5.0 | 95.0 | 31',
    ])
    expect(screen.getByText(/^No\. 1 of 2 are clearly worse/)).not.toBeNull()
    expect(screen.getByText(/^When Oriel says 81%, the answer was there in about 83 of 100 cases/)).not.toBeNull()
    for (const plot of screen.getAllByTestId('evaluation-plot')) {
      expect(within(plot).getByRole('img').getAttribute('aria-label')).toBeTruthy()
      expect(within(plot).getAllByRole('row').length).toBeGreaterThan(1)
    }
    expect(await axeFinds(document.body)).toEqual([])
    await fireEvent.click(screen.getByTestId('evaluation-save'))
    await waitFor(() => expect(called('save_evaluation_report')).toEqual([{ at: run.at }]))
    await waitFor(() => expect(library.notice?.text).toBe('The report is saved as Evaluation.html.'))
  })

  it('are in German too', async () => {
    await boot(undefined, { evaluation: () => evaluationState }, { settings: { ...settings, language: 'de' } })
    render(App)
    evaluation.show()
    await waitFor(() => expect(screen.queryByTestId('evaluation-sentences')).not.toBeNull())
    expect(sentences()[0]).toBe('Bei 36 von 40 Fragen steht der richtige Satz an erster Stelle.90,0 %, zwischen 80,0 und 95,0')
    await session.change({ language: 'en' })
  })

  it('fill in during a run, and a stop keeps them', async () => {
    let events: (event: EvaluationEvent) => void = () => undefined
    let end: (error?: IpcError) => void = () => undefined
    let runs: EvaluationRun[] = []
    await open({ ...evaluationState, runs }, {
      evaluation: () => ({ ...evaluationState, runs }),
      run_evaluation: (_, onEvent) => {
        events = onEvent
        return new Promise((done) => (end = () => done(null)))
      },
    })
    await fireEvent.click(screen.getByTestId('evaluation-run'))
    const compare = ['no-rerank', 'dense', 'sparse', 'unmerged']
    expect(called('run_evaluation')).toEqual([{ answers: true, compare }])
    events({ is: 'asking', arm: 'oriel', work: { done: 7, total: 31, rate: 1, left: 24 } })
    await waitFor(() => expect(screen.getByTestId('evaluation-progress').textContent).toContain('Oriel as it is set: questions are asked, 7 of 31, about 24 s left'))
    const part = { ...run, report: { ...run.report, arms: run.report.arms.slice(0, 1) } }
    events({ is: 'figures', run: part })
    await waitFor(() => expect(sentences()[0]).toContain('36 of 40'))
    events({ is: 'asking', arm: 'no-rerank', work: { done: 3, total: 31, rate: 1, left: 28 } })
    await waitFor(() => expect(cellsOf(screen.getByTestId('evaluation-settings')).slice(2, 4)).toEqual(['No reranker | 3 of 31, about 28 s', 'By meaning only | waits']))
    await fireEvent.click(screen.getByTestId('evaluation-stop'))
    expect(called('stop_work')).toEqual(['evaluation'])
    runs = [{ ...part, wanted: 50, stopped: true }]
    end()
    await waitFor(() => expect(screen.getByTestId('evaluation-stopped').textContent).toBe('Stopped after 40 of 50 questions.'))
    expect(screen.queryByTestId('evaluation-stop')).toBeNull()
  })

  it('say what went wrong', async () => {
    await open(evaluationState, { run_evaluation: failing('the model cannot be loaded') })
    await fireEvent.click(screen.getByTestId('evaluation-run'))
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('the model cannot be loaded'))
    expect(sentences()).toHaveLength(4)
  })

  it('of earlier runs can be shown again', async () => {
    const earlier = { ...run, at: run.at - 1, report: { ...run.report, questions: 35 } }
    await open({ ...evaluationState, runs: [run, earlier] })
    await fireEvent.click(screen.getByLabelText('Earlier runs 1'))
    expect(within(screen.getByTestId('evaluation-runs')).getAllByRole('row')).toHaveLength(3)
    await fireEvent.click(screen.getAllByText('Show')[1]!)
    await waitFor(() => expect(screen.queryByTestId('evaluation-sentences')).not.toBeNull())
    await fireEvent.click(screen.getByTestId('evaluation-save'))
    await waitFor(() => expect(called('save_evaluation_report')).toEqual([{ at: earlier.at }]))
  })
})
