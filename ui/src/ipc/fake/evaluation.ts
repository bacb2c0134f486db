// Recorded: questions to review, and a run with some of them.
import type { Arm, ArmReport, Decision, EvaluationEvent, EvaluationRun, EvaluationState, MakingEvent, Measured, QuestionRow } from '../types'

const asked = [
  'Until when does the guarantee of the heat pump run?',
  'Who bears repairs up to £120 under the lease?',
  'What is the projected ROI of the Phoenix Initiative over five years?',
  'Which lot was the catalyst of batch 14?',
]

export const question = (at: number, decision: Decision | null = null): QuestionRow => ({
  id: `made-${at}`,
  question: asked[at - 1] ?? `What does paragraph ${at} say?`,
  decision,
  file: 'Q3-report.pdf',
  place: {
    document: 11,
    name: 'Q3-report.pdf',
    place: 'Documents/2024',
    kind: 'pdf',
    page: at,
    text: 'It is so.',
    at: { start: 100 * at, end: 100 * at + 9, hits: [{ start: 100 * at, end: 100 * at + 9 }], hash: 'of Q3-report.pdf' },
  },
})

const measured = (value: number, low: number, high: number, whole = 40, difference?: [number, number, number]): Measured => ({
  value,
  low,
  high,
  questions: Math.min(40, whole),
  whole,
  ...(difference && { difference: { value: difference[0], low: difference[1], high: difference[2] } }),
})

function arm(name: Arm, first: number, difference?: [number, number, number]): ArmReport {
  const share = (value: number) => measured(value, Math.max(0, value - 0.1), Math.min(1, value + 0.05), 40, difference)
  const own = name === 'oriel'
  return {
    arm: name,
    title: name,
    questions: 40,
    metrics: {
      'hit@1': share(first),
      'hit@3': share(Math.min(1, first + 0.05)),
      'hit@5': share(Math.min(1, first + 0.075)),
      'hit@10': share(Math.min(1, first + 0.1)),
      context_precision: share(0.31),
      refused_answerable: measured(0.05, 0, 0.125),
      ...(own && { grounded: measured(0.94, 0.9, 0.98, 100) }),
    },
    auroc: null,
    calibration: own
      ? [
          { confidence: 0.3, found: 0.25, low: 0.05, high: 0.7, questions: 4 },
          { confidence: 0.81, found: 0.83, low: 0.6, high: 0.95, questions: 12 },
          { confidence: 0.97, found: 1, low: 0.86, high: 1, questions: 24 },
        ]
      : [],
    latency: { total_ms: { median: 1500, p95: 3100 } },
    stages: [
      { stage: 'search', ms: 40 },
      { stage: 'rerank', ms: 260 },
      { stage: 'read', ms: 500 },
      { stage: 'write', ms: 620 },
      { stage: 'check', ms: 80 },
    ],
  }
}

export const run: EvaluationRun = {
  at: Date.UTC(2026, 10, 25, 9, 14),
  wanted: 40,
  stopped: false,
  modelName: 'Qwen2.5 Coder 0.5B',
  report: {
    form: 'lines',
    questions: 40,
    answerable: 40,
    missing: [],
    documents: 1700,
    sentences: 205_304,
    limit: 0.35,
    model: 'qwen2.5-coder-0.5b',
    seconds: 180,
    arms: [arm('oriel', 0.9), arm('no-rerank', 0.775, [-0.125, -0.2, -0.05]), arm('dense', 0.875, [-0.025, -0.1, 0.05])],
    asked: [],
  },
}

export const evaluationState: EvaluationState = {
  questions: [...Array(40).keys()].map((at) => question(at + 1, at < 31 ? 'kept' : at === 31 ? 'left-out' : null)),
  needed: 30,
  runs: [run],
}

export const evaluationCalls = {
  evaluation: () => evaluationState,
  decide_question: () => null,
  add_questions: () => ({ name: 'exam.jsonl', added: 12 }),
  forget_questions: () => null,
  save_evaluation_report: () => 'Evaluation.html',
}

export const evaluationStreams = {
  make_questions: async (_: { count: number }, onEvent: (event: MakingEvent) => void) => {
    onEvent({ is: 'made', question: question(41) })
    return null
  },
  run_evaluation: async (_: unknown, onEvent: (event: EvaluationEvent) => void) => {
    onEvent({ is: 'figures', run })
    return null
  },
}
