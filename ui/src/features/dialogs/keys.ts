// The sheet of shortcuts: what the components registered, and keys of lists and fields, which are no actions.
import type { Words } from '../../i18n/en'
import { t } from '../../i18n/index.svelte'
import { actions, keyLabel, type Action, type Group } from '../../state/actions.svelte'

export interface Key {
  label: string
  /** Keys that are pressed together. */
  caps: string[]
}

type Part = 'ask' | 'draft' | 'evaluation' | 'window' | 'viewer' | 'answer' | 'app'

/** The section and the order of a combination in the sheet. */
const sheet: Record<Part, { keys: string; word: keyof Words['dialogs']['shortcuts']['keys'] }[]> = {
  ask: [
    { keys: 'Enter', word: 'ask' },
    { keys: 'Shift+Enter', word: 'newLine' },
    { keys: 'Escape', word: 'stop' },
    { keys: 'Mod+N', word: 'newQuestion' },
    { keys: 'Mod+ArrowUp', word: 'editLast' },
    { keys: 'Mod+R', word: 'askAgain' },
    { keys: '@', word: 'mention' },
  ],
  draft: [
    { keys: 'Mod+D', word: 'checkDraft' },
    { keys: 'j', word: 'nextDraftSentence' },
    { keys: 'k', word: 'previousDraftSentence' },
    { keys: 'Shift+J', word: 'nextProblem' },
    { keys: 'Enter', word: 'openPlace' },
    { keys: 'e', word: 'editDraftSentence' },
    { keys: 'Mod+Z', word: 'undoChange' },
  ],
  evaluation: [
    { keys: 'j', word: 'nextReviewed' },
    { keys: 'k', word: 'previousReviewed' },
    { keys: 'y', word: 'keepReviewed' },
    { keys: 'x', word: 'leaveOutReviewed' },
    { keys: 'e', word: 'editReviewed' },
  ],
  window: [
    { keys: 'Alt++', word: 'wider' },
    { keys: 'Alt+-', word: 'narrower' },
  ],
  viewer: [
    { keys: 'Alt+1', word: 'citation' },
    { keys: 'n', word: 'nextSentence' },
    { keys: 'p', word: 'previousSentence' },
    { keys: 'Mod+F', word: 'findInDocument' },
    { keys: 'Mod++', word: 'larger' },
    { keys: 'Mod+-', word: 'smaller' },
    { keys: 'Mod+Enter', word: 'openOutside' },
  ],
  answer: [
    { keys: 'Mod+I', word: 'why' },
    { keys: 'Mod+Shift+C', word: 'copy' },
    { keys: 'Mod+Shift+E', word: 'exportTalk' },
  ],
  app: [
    { keys: 'Mod+K', word: 'search' },
    { keys: 'Mod+O', word: 'addFolder' },
    { keys: 'Mod+P', word: 'pauseOrResume' },
    { keys: 'Mod+B', word: 'rail' },
    { keys: 'F6', word: 'nextPane' },
    { keys: 'Mod+,', word: 'settings' },
    { keys: 'ArrowUp ArrowDown', word: 'inLists' },
    { keys: 'Escape', word: 'closeTop' },
    { keys: '?', word: 'sheet' },
  ],
}
const partOf: Record<Group, Part> = { ask: 'ask', draft: 'draft', evaluation: 'evaluation', answer: 'answer', viewer: 'viewer', library: 'app', app: 'app' }
/** Combinations that the sheet does not repeat: of the keys for citations only the first is listed. */
const known = new Set(Object.values(sheet).flatMap((rows) => rows.map(({ keys }) => keys)))

/** Caps of a combination: `Mod+Shift+C` is Ctrl, Shift, C. */
export function caps(keys: string): string[] {
  return keys.split(' ').flatMap((one) => one.split(/\+(?!$)/).map((part) => (part === '-' ? '−' : keyLabel(part))))
}

/** The sheet in three columns. Actions with keys that are not in it by design are listed at the end of their part. */
export function columns(): { name: string; keys: Key[] }[][] {
  const words = t.dialogs
  const parts = {} as Record<Part, Key[]>
  for (const part of Object.keys(sheet) as Part[]) {
    parts[part] = sheet[part].map(({ keys, word }) => ({ label: words.shortcuts.keys[word], caps: caps(keys) }))
  }
  for (const action of others(actions.list)) {
    parts[partOf[action.group]].push({ label: action.label(), caps: caps(action.keys[0]!) })
  }
  const named = (part: Part) => ({ name: words.groups[part], keys: parts[part] })
  return [[named('ask'), named('window'), named('evaluation')], [named('viewer'), named('draft')], [named('answer'), named('app')]]
}

function others(list: Action[]): Action[] {
  const seen = new Set<string>()
  return list.filter(({ keys }) => {
    const main = keys[0]
    if (!main || keys.some((one) => known.has(one)) || /^Alt\+[2-9]$/.test(main) || seen.has(main)) return false
    seen.add(main)
    return true
  })
}
