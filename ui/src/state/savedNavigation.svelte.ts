// Saves where the user is, so that a page that is loaded again after its process ended can go back there. The process ends
// first where memory is short. Saved only while the app window is open.
import type { OpenView, Scope, TurnRef, WindowSize } from '../ipc/types'
import { draft } from './draft.svelte'
import { mentions } from './mentions.svelte'
import { navigation, type Page, type SettingsPage } from './navigation.svelte'
import { session } from './session.svelte'
import { talk } from './talk.svelte'
import { viewer } from './viewer.svelte'
import { why } from './why.svelte'

/** The key in the session's storage. */
const KEY = 'whereabouts'
/** Set while a page is being restored, until it has lasted. */
const RESTORING_KEY = 'comes back'
/** Changes are saved after this pause, ms. */
const SAVE_DELAY = 250
/** A restored page that lives this long counts as sound, ms. */
const SOUND_AFTER = 10_000

interface SavedNavigation {
  conversation: string | null
  draft: string
  /** The question that is being edited. */
  edited: { turn: number; text: string } | null
  scope: Scope
  window: WindowSize
  page: Page
  settingsPage: SettingsPage
  viewer: OpenView | null
  why: TurnRef | null
  mentions: { words: string; scope: Scope } | null
  /** The text that is checked. */
  checked: { text: string; name: string | null }
}

function current(): SavedNavigation {
  return {
    conversation: talk.id,
    draft: talk.draft,
    edited: talk.editing === null ? null : { turn: talk.editing, text: talk.edited },
    scope: talk.scope,
    window: talk.window,
    // A table is shown again from its list.
    page: navigation.page === 'table' ? 'talk' : navigation.page,
    settingsPage: navigation.settingsPage,
    viewer: navigation.pane === 'viewer' ? viewer.request : null,
    why: navigation.pane === 'why' && why.about === 'answer' ? why.turn : null,
    mentions: navigation.page === 'mentions' ? { words: mentions.words || mentions.draft, scope: mentions.scope } : null,
    checked: { text: draft.whole(), name: draft.name },
  }
}

/** Saves where the user is on every change; the result stops it. */
export function saveNavigation(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = $effect.root(() => {
    $effect(() => {
      const saved = JSON.stringify(current())
      clearTimeout(timer)
      timer = setTimeout(() => sessionStorage.setItem(KEY, saved), SAVE_DELAY)
    })
  })
  return () => {
    clearTimeout(timer)
    end()
  }
}

/**
 * Goes back to where the user was, if this app window had a page before; returns whether it had. If the page ended while it
 * was being restored, what it showed may be the cause: then only what was typed is restored.
 */
export async function restoreNavigation(): Promise<boolean> {
  const saved = sessionStorage.getItem(KEY)
  if (saved === null) return false
  const was = JSON.parse(saved) as SavedNavigation
  talk.draft = was.draft
  draft.restore(was.checked)
  const endedBefore = sessionStorage.getItem(RESTORING_KEY) !== null
  sessionStorage.setItem(RESTORING_KEY, '')
  setTimeout(() => sessionStorage.removeItem(RESTORING_KEY), SOUND_AFTER)
  if (endedBefore || session.trouble) return true
  if (was.conversation !== null) await talk.open(was.conversation)
  // The user went on to another conversation meanwhile, or it no longer exists.
  if (talk.id !== was.conversation || talk.unseen) return true
  talk.scope = was.scope
  if (JSON.stringify(was.window) !== JSON.stringify(talk.window)) talk.window = was.window
  talk.edited = was.edited?.text ?? ''
  talk.editing = was.edited?.turn ?? null
  if (was.mentions) mentions.show(was.mentions.words, was.mentions.scope)
  if (was.viewer) void viewer.open(was.viewer)
  else if (was.why) void why.open(was.why.conversation, was.why.turn)
  navigation.settingsPage = was.settingsPage
  navigation.page = was.page
  return true
}
