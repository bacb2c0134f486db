// What is being done with the library, in words and as a part of the whole.
import { i18n } from '../../i18n/index.svelte'
import type { Activity } from '../../ipc/types'

/** A sentence with figures, and the part that is done, 0 to 1, where it can be told. */
export function describe(activity: Activity): { text: string; part: number | null } {
  const words = i18n.words.settings.indexing
  switch (activity.is) {
    case 'idle':
      return { text: words.idle, part: null }
    case 'paused':
      return { text: words.paused, part: null }
    case 'scanning':
      return { text: words.scanning(activity.files), part: null }
    case 'stopped':
      return { text: words.stopped(activity.message), part: null }
    default: {
      const { done, total, rate, left } = activity
      const text = [
        words[activity.is](i18n.words.frame.of(i18n.number(done), i18n.number(total))),
        rate !== null && words.rate(i18n.number(rate)),
        left !== null && words.left(i18n.left(left)),
      ]
      return { text: text.filter(Boolean).join(' · '), part: total > 0 ? done / total : null }
    }
  }
}
