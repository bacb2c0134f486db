// What the figures of a run say, in words and numbers.
import { i18n, t } from '../../i18n/index.svelte'
import type { ArmReport, EvaluationRun, Measured, Metric } from '../../ipc/types'

/** 91.0: a share as a percentage without its sign. */
export const share = (value: number) => i18n.decimal(100 * value, 1)

/** −12.0: a difference in percentage points. */
export function signed(difference: number): string {
  const text = i18n.decimal(Math.abs(100 * difference), 1)
  if (text === i18n.decimal(0, 1)) return text
  return `${difference < 0 ? '−' : '+'}${text}`
}

/** 91.0%, between 86.5 and 94.5 */
export const between = ({ value, low, high }: { value: number; low: number; high: number }) =>
  t.evaluation.between(share(value), share(low), share(high))

/** How many of the whole the share amounts to. */
const counted = ({ value, whole }: Measured) => Math.round(value * whole)

const metric = (arm: ArmReport | undefined, name: Metric): Measured | undefined => arm?.metrics[name]

/** The arm in use; missing before the first question was answered. */
export const inUse = ({ report }: EvaluationRun): ArmReport | undefined => report.arms[0]

/** The name of what answered in a run. */
export function answeredBy({ report, modelName }: EvaluationRun): string {
  return modelName ?? (report.model === null ? t.evaluation.passagesOnly : t.evaluation.quotesOnly)
}

export interface Sentence {
  text: string
  figures: string
}

/** The figures in at most four sentences. */
export function sentences(run: EvaluationRun): Sentence[] {
  const words = t.evaluation
  const of = (name: Metric) => metric(inUse(run), name)
  const all: Sentence[] = []
  const hit = of('hit@1')
  if (hit) {
    const say = run.report.form === 'beir' ? words.firstDocument : words.first
    all.push({ text: say(counted(hit), hit.questions), figures: between(hit) })
  }
  const five = of('hit@5')
  if (five) all.push({ text: words.firstFive(counted(five)), figures: between(five) })
  const grounded = of('grounded')
  const relevant = of('context_precision')
  if (grounded) all.push({ text: words.grounded(counted(grounded), grounded.whole), figures: between(grounded) })
  else if (relevant) all.push({ text: words.relevant(i18n.number(100 * relevant.value)), figures: between(relevant) })
  const refused = of('refused_answerable')
  const right = of('refused_unanswerable')
  if (refused && right) {
    const answered = { value: 1 - right.value, low: 1 - right.high, high: 1 - right.low }
    const figures = [answered, refused].flatMap(({ value, low, high }) => [value, low, high].map(share)) as Parameters<typeof words.both>
    all.push({
      text: words.refused(right.questions - counted(right), right.questions, counted(refused), refused.questions),
      figures: words.both(...figures),
    })
  } else if (refused) all.push({ text: words.refusedOnly(counted(refused), refused.questions), figures: between(refused) })
  return all
}

/** Whether another setting finds more. Nothing with a single setting. */
export function comparison(arms: ArmReport[]): string {
  const words = t.evaluation
  const base = metric(arms[0], 'hit@1')
  const others = arms.slice(1).flatMap((arm) => metric(arm, 'hit@1') ?? [])
  if (!base || others.length === 0) return ''
  const clear = (sign: 1 | -1) => (one: Measured) => one.difference !== undefined && sign * one.difference.low > 0 && sign * one.difference.high > 0
  const better = arms.slice(1).filter((arm) => [metric(arm, 'hit@1')].some((one) => one && clear(1)(one)))
  const worse = others.filter(clear(-1)).length
  if (better.length > 0) return words.better(i18n.list(better.map(({ arm }) => words.arms[arm])))
  if (worse === others.length) return words.allWorse
  return worse === 0 ? words.noDifference : words.someWorse(worse, others.length)
}

/** The run that is shown and the last ones with other models, each model once. */
export function byModel(shown: EvaluationRun, runs: EvaluationRun[]): EvaluationRun[] {
  const known = new Set<string | null>()
  return [shown, ...runs].filter(({ report: { model } }) => !known.has(model) && known.add(model))
}

/** The points of a line: `M0 1L2 3`. */
export const path = (points: [number, number][]) => points.map(([x, y], k) => `${k === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')
