// What the palette lists: commands, questions, documents, the best five of each; of one kind alone the best forty.
import { i18n, t } from '../../i18n/index.svelte'
import type { IconName } from '../../components/icons'
import type { ConversationRow, DocumentRow } from '../../ipc/types'
import { actions, keyLabel, type Group } from '../../state/actions.svelte'
import { navigation } from '../../state/navigation.svelte'
import { talk } from '../../state/talk.svelte'
import { viewer } from '../../state/viewer.svelte'
import { applied } from '../settings/applied.svelte'
import { pageOf, type Item } from '../settings/index'
import { best, type Fit } from './rank'

export interface Result {
  id: string
  icon: IconName
  text: string
  marks: Fit['marks']
  /** The text beside it. */
  aside: string
  keys: string
  run: () => void
}

export interface Section {
  name: string
  results: Result[]
}

export interface Found {
  conversations: ConversationRow[]
  documents: DocumentRow[]
}

/** The most results of a kind. */
export const limit = 5
/** The most results if only that kind is wanted. */
export const limitAlone = 40
const signs: Record<Group, IconName> = { ask: 'pencil', draft: 'draft', evaluation: 'bars', answer: 'info', viewer: 'document', library: 'folder', app: 'forward' }
/** These open the palette itself. */
const own = new Set(['search', 'palette'])
/** Settings that an action does directly. */
const done: Partial<Record<Item, string>> = { failures: 'failures', rescan: 'look-again', paused: 'pause-or-resume', folders: 'choose-folder' }

/** Which kind alone is wanted, or all. */
export type Only = 'commands' | 'questions' | 'documents' | null

const kinds: Record<string, Only> = { '>': 'commands', '#': 'questions', '@': 'documents' }

/** What is typed without its sign, and what the sign leaves. */
export function parse(typed: string): { query: string; only: Only } {
  const text = typed.trimStart()
  const only = kinds[text.charAt(0)] ?? null
  return { query: (only ? text.slice(1) : text).trim(), only }
}

/** The sections for what was typed; those without results are left out. */
export function sections(typed: string, found: Found): Section[] {
  const { query, only } = parse(typed)
  const words = t.dialogs.palette
  const all: Section[] = []
  const most = only ? limitAlone : limit
  const wanted = (kind: Only) => only === null || only === kind
  if (wanted('commands')) all.push({ name: words.commands, results: commands(query, most) })
  if (wanted('questions')) all.push({ name: words.questions, results: questions(query, found.conversations, most) })
  if (wanted('documents')) all.push({ name: words.documents, results: documents(query, found.documents, most) })
  return all.filter(({ results }) => results.length > 0)
}

function commands(query: string, limit: number): Result[] {
  const registered = actions.list
    .filter((action) => !action.keyOnly && !own.has(action.id) && action.enabled?.() !== false)
    .map((action) => ({
      id: action.id,
      icon: signs[action.group],
      text: action.label(),
      aside: '',
      keys: action.keys[0] ? keyLabel(action.keys[0]) : '',
      run: action.run,
    }))
  const there = new Set(registered.map(({ id }) => id))
  const notDone = (Object.keys(pageOf) as Item[]).filter((item) => !there.has(done[item] ?? ''))
  const settings = notDone.map((item) => ({
    id: `setting-${item}`,
    icon: 'sliders' as const,
    text: t.settings.items[item].label,
    aside: t.dialogs.palette.settings(t.settings.pages[pageOf[item]]),
    keys: '',
    run: () => applied.show(pageOf[item], item),
  }))
  // Before anything is typed commands alone; settings only where they are looked for.
  const all = query ? [...registered, ...settings] : registered
  return best(query, all, ({ text }) => text, limit).map(({ one, fit }) => ({ ...one, id: `command-${one.id}`, marks: fit.marks }))
}

/** Those whose titles fit first, then those the shell found by what they hold. */
function questions(query: string, rows: ConversationRow[], limit: number): Result[] {
  return titlesFirst(query, rows, ({ title }) => title, limit).map(({ one, marks }) => ({
    id: `question-${one.id}`,
    icon: 'talk',
    text: one.title,
    marks,
    aside: i18n.date(one.changed),
    keys: '',
    run: () => {
      navigation.page = 'talk'
      void talk.open(one.id)
    },
  }))
}

function documents(query: string, rows: DocumentRow[], limit: number): Result[] {
  return titlesFirst(query, rows, ({ name }) => name, limit).map(({ one, marks }) => ({
    id: `document-${one.id}`,
    icon: 'document',
    text: one.name,
    marks,
    aside: one.place.split(/[\\/]/).join(' / '),
    keys: '',
    run: () => void viewer.open({ is: 'document', document: one.id }),
  }))
}

function titlesFirst<T>(query: string, rows: T[], text: (row: T) => string, limit: number): { one: T; marks: Fit['marks'] }[] {
  const named = best(query, rows, text, rows.length)
  const by = new Set(named.map(({ one }) => one))
  const rest = rows.filter((row) => !by.has(row)).map((one) => ({ one, marks: [] }))
  return [...named.map(({ one, fit }) => ({ one, marks: fit.marks })), ...rest].slice(0, limit)
}
