// Where the person was, for a page that is loaded again in the same window because its process ended, as it does first where
// memory is short. Kept only while the window is open.
import type { OpenView, Scope, TurnRef, WindowSize } from '../ipc/types'
import { mentions } from './mentions.svelte'
import { place, type Page, type SettingsPage } from './place.svelte'
import { session } from './session.svelte'
import { talk } from './talk.svelte'
import { viewer } from './viewer.svelte'
import { why } from './why.svelte'

/** Under which name they are kept. */
const KEY = 'whereabouts'
/** Under which name it is kept that a page is being brought back, until it has lasted. */
const COMING = 'comes back'
/** How long what is typed may not be kept yet, ms. */
const PACE = 250
/** How long a page has to last, ms. */
const LASTS = 10_000

interface Whereabouts {
  conversation: string | null
  draft: string
  /** The question that is being put in other words. */
  edited: { turn: number; text: string } | null
  scope: Scope
  window: WindowSize
  page: Page
  settingsPage: SettingsPage
  viewer: OpenView | null
  why: TurnRef | null
  mentions: { words: string; scope: Scope } | null
}

function now(): Whereabouts {
  return {
    conversation: talk.id,
    draft: talk.draft,
    edited: talk.editing === null ? null : { turn: talk.editing, text: talk.edited },
    scope: talk.scope,
    window: talk.window,
    page: place.page,
    settingsPage: place.settingsPage,
    viewer: place.pane === 'viewer' ? viewer.request : null,
    why: place.pane === 'why' && why.about === 'answer' ? why.turn : null,
    mentions: place.page === 'mentions' ? { words: mentions.words || mentions.draft, scope: mentions.scope } : null,
  }
}

/** Keeps from now on where the person is; the result ends it. */
export function keepWhereabouts(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = $effect.root(() => {
    $effect(() => {
      const kept = JSON.stringify(now())
      clearTimeout(timer)
      timer = setTimeout(() => sessionStorage.setItem(KEY, kept), PACE)
    })
  })
  return () => {
    clearTimeout(timer)
    end()
  }
}

/**
 * Brings the person back to where they were in this window, if a page was there before; returns whether one was. If the page
 * ended while it was being brought back, what it showed may be the cause: then only the draft comes back.
 */
export async function bringBack(): Promise<boolean> {
  const kept = sessionStorage.getItem(KEY)
  if (kept === null) return false
  const was = JSON.parse(kept) as Whereabouts
  talk.draft = was.draft
  const endsIt = sessionStorage.getItem(COMING) !== null
  sessionStorage.setItem(COMING, '')
  setTimeout(() => sessionStorage.removeItem(COMING), LASTS)
  if (endsIt || session.trouble) return true
  if (was.conversation !== null) await talk.open(was.conversation)
  // Gone on to another meanwhile, or it is not there any more.
  if (talk.id !== was.conversation || talk.unseen) return true
  talk.scope = was.scope
  if (JSON.stringify(was.window) !== JSON.stringify(talk.window)) talk.window = was.window
  talk.edited = was.edited?.text ?? ''
  talk.editing = was.edited?.turn ?? null
  if (was.mentions) mentions.show(was.mentions.words, was.mentions.scope)
  if (was.viewer) void viewer.open(was.viewer)
  else if (was.why) void why.open(was.why.conversation, was.why.turn)
  place.settingsPage = was.settingsPage
  place.page = was.page
  return true
}
