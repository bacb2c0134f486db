// Where the user is in the app window: page, side pane, dialog. Holds no data.
export type Page = 'talk' | 'mentions' | 'table' | 'draft' | 'evaluation' | 'failures' | 'settings'
export type SettingsPage =
  | 'general'
  | 'appearance'
  | 'keyboard'
  | 'folders'
  | 'indexing'
  | 'answers'
  | 'where'
  | 'storage'
  | 'models'
  | 'programs'
  | 'privacy'
  | 'about'
export type Pane = 'viewer' | 'why'
export type Dialog = 'palette' | 'shortcuts'

class Navigation {
  page = $state<Page>('talk')
  settingsPage = $state<SettingsPage>('general')
  /** The pane beside the conversation, the list of mentions, the draft or the questions of an evaluation. */
  pane = $state<Pane | null>(null)
  dialog = $state<Dialog | null>(null)
  /** What the palette's field starts with: nothing, `@` or `>`. */
  paletteStart = $state('')
  /** Whether the rail is unfolded over a narrow window. */
  railOpen = $state(false)
  /** Where the focus was before a dialog or pane took it. Weak, so that removed elements can be freed. */
  #cameFrom: WeakRef<HTMLElement>[] = []

  /** Whether the page has room for a document beside it. */
  get besides(): boolean {
    return ['talk', 'mentions', 'table', 'draft', 'evaluation'].includes(this.page)
  }

  /** Remembers which element has the focus, for `returnFocus`. */
  keepFocus() {
    if (document.activeElement instanceof HTMLElement) this.#cameFrom.push(new WeakRef(document.activeElement))
  }

  /** Moves the focus back to where it was. */
  returnFocus() {
    const back = this.#cameFrom.pop()?.deref()
    if (back?.isConnected) back.focus()
  }

  openDialog(dialog: Dialog, start = '') {
    if (this.dialog === null) this.keepFocus()
    this.paletteStart = start
    this.dialog = dialog
  }

  closeDialog() {
    this.dialog = null
    queueMicrotask(() => this.returnFocus())
  }

  openSettings(page: SettingsPage = this.settingsPage) {
    this.settingsPage = page
    this.page = 'settings'
  }
}

export const navigation = new Navigation()
