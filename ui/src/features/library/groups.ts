// Groups of a list.
import type { ConversationRow, FailureKind, FailureRow } from '../../ipc/types'

/** From this many on, a week has its own heading. */
const many = 12
const daysOfWeek = 6

export interface Days {
  today: ConversationRow[]
  week: ConversationRow[]
  earlier: ConversationRow[]
}

/** Conversations of today, of the six days before where there are many, and the rest. */
export function byDay(rows: ConversationRow[], now = new Date()): Days {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
  const weekStart = new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysOfWeek).getTime()
  const week = rows.length > many ? weekStart : today
  const of = (from: number, to: number) => rows.filter(({ changed }) => changed >= from && changed < to)
  return { today: of(today, Infinity), week: of(week, today), earlier: of(-Infinity, week) }
}

function grouped<K>(rows: FailureRow[], keyOf: (row: FailureRow) => K): [K, FailureRow[]][] {
  const by = new Map<K, FailureRow[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = by.get(key)
    if (group) group.push(row)
    else by.set(key, [row])
  }
  return [...by].sort(([, a], [, b]) => b.length - a.length)
}

/** What helps a document that could not be read: text recognition, its password, or a hand. */
export type Help = 'ocr' | 'password' | 'hand'

const HELP: Partial<Record<FailureKind, Help>> = { 'needs-ocr': 'ocr', garbled: 'ocr', encrypted: 'password' }
const HELPS: Help[] = ['ocr', 'password', 'hand']

/** Failures that the same thing helps together; in a group those of one reason, the most first. */
export function byHelp(rows: FailureRow[]): [Help, FailureRow[]][] {
  const byReason = grouped(rows, ({ code }) => code).flatMap(([, group]) => group)
  return HELPS.map((help): [Help, FailureRow[]] => [help, byReason.filter(({ code }) => (HELP[code] ?? 'hand') === help)]).filter(([, group]) => group.length > 0)
}

/** The command that installs Tesseract on this system. */
export function installOcr(mac: boolean, language: string): string {
  if (mac) return 'brew install tesseract tesseract-lang'
  if (navigator.userAgent.includes('Windows')) return 'winget install UB-Mannheim.TesseractOCR'
  return `sudo apt install tesseract-ocr${language === 'de' ? ' tesseract-ocr-deu' : ''}`
}

/** The followed folder that a document lies in; of a file that is followed by itself the one it lies in. */
export const folderOf = ({ document }: FailureRow): string => {
  const parts = document.place.split('/')
  return (parts[0] || parts.filter(Boolean).at(-1)) ?? ''
}

/** How many failures each followed folder has, the most first. */
export const byFolder = (rows: FailureRow[]): [string, number][] =>
  grouped(rows, folderOf).map(([name, group]) => [name, group.length])
