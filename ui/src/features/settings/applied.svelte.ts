// Settings apply at once; errors are shown beside the setting.
import { tick } from 'svelte'
import { stops } from '../../components/focus'
import type { Settings } from '../../ipc/types'
import { messageOf, session } from '../../state/session.svelte'
import { navigation, type SettingsPage } from '../../state/navigation.svelte'
import type { Item } from './index'

class Applied {
  /** Errors, by the setting beside which they are shown. */
  errors = $state<Partial<Record<Item, string>>>({})
  /** The setting that is to be shown and focused next. */
  target = $state<Item | null>(null)

  /** Changes settings; `item` is where an error is shown. The change is taken back if it could not be applied. */
  async change(item: Item, patch: Partial<Settings>) {
    await this.attempt(item, () => session.change(patch))
  }

  /** Does something that belongs to a setting and shows there why it could not be done. */
  async attempt<T>(item: Item, act: () => Promise<T>): Promise<T | undefined> {
    delete this.errors[item]
    try {
      return await act()
    } catch (error) {
      this.errors[item] = messageOf(error)
      return undefined
    }
  }

  /** Opens the page of a setting and points at it. */
  show(page: SettingsPage, item: Item | null) {
    navigation.openSettings(page)
    this.target = item
  }

  /** Moves the focus to the setting that is to be shown, as soon as it is drawn. */
  async point() {
    await tick()
    const drawn = this.target && document.getElementById(`setting-${this.target}`)
    if (!drawn) return
    this.target = null
    drawn.scrollIntoView?.({ block: 'center' })
    stops(drawn)[0]?.focus()
  }
}

export const applied = new Applied()
