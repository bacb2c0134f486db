// The library as the window draws it: figures at the pace of the eye, what was dropped, what is said about it.
import { i18n, t } from '../i18n/index.svelte'
import type { Drop, Folder, LibraryState } from '../ipc/types'
import { navigation } from './navigation.svelte'
import { messageOf, session } from './session.svelte'

export interface Notice {
  text: string
  /** An error, shown until it is closed. */
  warn: boolean
}

/** How many of how many. */
export interface Count {
  done: number
  total: number
}

const pace = 1000
const noticeTime = 6000

/** Everything of a state that is drawn at once; the rest are figures. */
function shape({ folders, activity, yielding, failed, waiting }: LibraryState): string {
  const each = folders.map((one) => [one.id, one.name, one.failed, one.unreachable, one.excludes, one.followLinks, one.waiting > 0])
  return JSON.stringify([each, activity.is, activity.is === 'stopped' && activity.notice, yielding, failed, waiting > 0])
}

/** Documents that were read, of all that can be: one that changed since waits as well and is not. */
export function readOf({ documents, failed, waiting, known }: Pick<Folder, 'documents' | 'failed' | 'waiting' | 'known'>): Count {
  const total = Math.max(documents, known - failed)
  return { done: Math.max(0, Math.min(documents, total - waiting)), total }
}

class Library {
  #drawn = $state.raw<LibraryState>()
  #drawnAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #noticeTimer: ReturnType<typeof setTimeout> | undefined

  /** Whether files are being copied into it. */
  copying = $state(false)
  /** What was dropped or chosen and waits for a decision. */
  drop = $state.raw<Drop | null>(null)
  /** The folder whose patterns are being edited. */
  excluding = $state<number | null>(null)
  /** Whether something is dragged over the window. */
  dragging = $state(false)
  /** Whether the page itself shows what a drop does. */
  ownZone = $state(false)
  /** What was just done, or went wrong. */
  notice = $state.raw<Notice | null>(null)

  constructor() {
    $effect.root(() => {
      // A new start is a new library: its first state is drawn at once.
      let start = session.start
      $effect(() => {
        this.#follow(session.library, session.start !== start)
        start = session.start
      })
    })
  }

  /** The library: its figures change once a second at most, everything else at once. */
  get now(): LibraryState | undefined {
    return this.#drawn ?? session.library
  }

  #follow(next: LibraryState | undefined, anew: boolean) {
    clearTimeout(this.#timer)
    const last = this.#drawn
    const wait = this.#drawnAt + pace - Date.now()
    if (anew || !next || !last || wait <= 0 || wait > pace || shape(next) !== shape(last)) this.#draw(next)
    else this.#timer = setTimeout(() => this.#draw(session.library), wait)
  }

  #draw(state: LibraryState | undefined) {
    this.#drawn = state
    this.#drawnAt = Date.now()
  }

  /** Documents that were read, of all that can be. */
  readonly words: Count = $derived.by(() => {
    const now = this.now
    if (!now) return { done: 0, total: 0 }
    const known = now.kinds.reduce((sum, { count }) => sum + count, 0)
    return readOf({ ...now, known })
  })

  /** Distinct sentences that can be found by meaning, of all; while another embedder's vectors are made, those that have one. */
  readonly meaning: Count = $derived.by(() => {
    const { distinct = 0, unembedded = 0, unembeddedNext } = this.now ?? {}
    return { done: distinct - (unembeddedNext ?? unembedded), total: distinct }
  })

  /** Whether work is running that can be paused. */
  readonly busy: boolean = $derived(['scanning', 'reading', 'embedding', 'recognising'].includes(this.now?.activity.is ?? 'idle'))
  /** Whether work waits for `resume`. */
  readonly halted: boolean = $derived(['paused', 'deferred', 'stopped'].includes(this.now?.activity.is ?? 'idle'))
  /** Nothing was added and nothing asked yet. */
  readonly empty: boolean = $derived(
    session.library?.folders.length === 0 && !session.library.readsFrom && session.conversations.length === 0,
  )
  /** The folder that is being indexed. */
  readonly indexing: Folder | undefined = $derived(
    this.busy || this.halted ? this.now?.folders.find(({ waiting }) => waiting > 0) : undefined,
  )

  /** What a folder is called. */
  nameOf(folder: Folder): string {
    return folder.own ? t.library[folder.own] : folder.name
  }

  /** What is removed with it, and what happens to its files. */
  forgottenWith(folder: Folder): string {
    const name = this.nameOf(folder)
    if (folder.own === 'copies') return t.library.removeCopies(name)
    const say = folder.own === 'sample' ? t.library.removeSample : t.library.removeWhat
    return say(name, folder.documents, i18n.number(folder.documents))
  }

  /** 13 min, or empty if unknown. */
  get left(): string | undefined {
    if (this.now?.yielding) return undefined
    const activity = this.now?.activity
    return activity && 'left' in activity && activity.left !== null ? i18n.left(activity.left) : undefined
  }

  /** The same until all is found by meaning, while words are still read. */
  get meaningLeft(): string | undefined {
    const left = this.now?.meaningLeft ?? null
    return left === null ? undefined : i18n.left(left)
  }

  say(text: string, warn = false) {
    clearTimeout(this.#noticeTimer)
    this.notice = { text, warn }
    if (!warn) this.#noticeTimer = setTimeout(() => (this.notice = null), noticeTime)
  }

  /** Runs a task and shows its error. Returns whether it succeeded. */
  async attempt(what: () => Promise<unknown>): Promise<boolean> {
    try {
      await what()
      return true
    } catch (error) {
      this.say(messageOf(error), true)
      return false
    }
  }

  /** Asks what to do with dropped files: one drop at a time, and not while files are being copied. */
  choose(drop: Drop | null) {
    if (this.copying) this.say(t.library.drops.wait, true)
    else this.drop = drop
  }

  added(names: string[]) {
    if (names.length) this.say(t.library.drops.added(t.library.names(names)))
  }

  chooseFolder = () => this.attempt(async () => this.added(await session.host.call('choose_folder', null)))
  chooseFiles = () => this.attempt(async () => this.choose(await session.host.call('choose_files', null)))
  addSample = () => this.attempt(() => session.host.call('add_sample', null))
  pause = () => this.attempt(() => session.host.call('pause', null))
  resume = () => this.attempt(() => session.host.call('resume', null))
  cancel = () => this.attempt(() => session.host.call('cancel_indexing', null))
  rescan = () => this.attempt(() => session.host.call('rescan', null))
  remove = (folder: number) => this.attempt(() => session.host.call('remove_folder', { folder }))
  followLinks = (folder: number, follow: boolean) => this.attempt(() => session.host.call('follow_links', { folder, follow }))

  pauseOrResume = () => (this.halted ? this.resume() : this.pause())

  /** Unfolds the rail over a narrow window, or folds it. */
  unfold(open: boolean) {
    if (open === navigation.railOpen) return
    if (open) navigation.keepFocus()
    navigation.railOpen = open
    if (!open) navigation.returnFocus()
  }
}

export const library = new Library()
