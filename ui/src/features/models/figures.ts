// What is said of models in figures.
import { i18n, t } from '../../i18n/index.svelte'
import type { Download, ModelRow } from '../../ipc/types'

/** `1.21 of 2.50 GB, about 3 min`, or what is being done where there is no figure. */
export function progressOf({ stage, work }: Download): string {
  if (stage === 'installing') return t.models.importing.installing
  if (!work) return t.models.connecting
  const parts = [i18n.sizeOf(work.done, work.total), work.left !== null && t.models.left(i18n.left(work.left))]
  return parts.filter(Boolean).join(', ')
}

/** `43%`; empty before the first figure. */
export function percentOf({ work }: Download): string {
  return work?.total ? t.library.percent(i18n.number(Math.floor((100 * work.done) / work.total))) : ''
}

/** `43%, about 1 min`; empty before the first figure. */
export function shortProgressOf(download: Download): string {
  const left = download.work?.left ?? null
  return [percentOf(download), left !== null && t.models.left(i18n.left(left))].filter(Boolean).join(', ')
}

/** `Paused at 0.64 of 1.12 GB` */
export function pausedAt(model: ModelRow, downloaded: number): string {
  return t.models.paused(i18n.sizeOf(downloaded, model.size))
}

/** `29 languages`, `English`; empty where unknown. */
export function languagesOf({ languages, languageCount }: ModelRow): string {
  const [first] = languages
  if (languageCount > 1) return t.models.languages(languageCount)
  return first === undefined ? '' : i18n.nameOfLanguage(first)
}

/** `38`, `1.2` */
export function rateOf(speed: number): string {
  return speed < 3 ? i18n.decimal(speed, 1) : i18n.number(speed)
}
