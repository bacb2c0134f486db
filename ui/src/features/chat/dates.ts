// Days in the form of the scope: `2024-01-31`.
import { t } from '../../i18n/index.svelte'

/** The day this many days before today. */
export function daysAgo(days: number, now = new Date()): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, 12)
  return day.toISOString().slice(0, 10)
}

/** The first day of this year. */
export function newYear(now = new Date()): string {
  return `${now.getFullYear()}-01-01`
}

/** Whether it is a day of the calendar. */
export function isDay(text: string): boolean {
  const time = Date.parse(`${text}T12:00Z`)
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** The chip's text; empty if there is no limit. A whole year is shown as its number. */
export function dateWords(since: string | null, until: string | null, say: (day: string) => string): string {
  const first = since?.endsWith('-01-01') ? since.slice(0, 4) : null
  const last = until?.endsWith('-12-31') ? until.slice(0, 4) : null
  if (since && until) {
    if (first && first === last) return first
    return t.chat.between(first && last ? first : say(since), first && last ? last : say(until))
  }
  if (since) return t.chat.since(first ?? say(since))
  return until ? t.chat.until(last ?? say(until)) : ''
}
