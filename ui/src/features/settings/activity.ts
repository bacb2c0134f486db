// What is being done with the library, in words and as so much of the whole.
import { i18n } from '../../i18n/index.svelte'
import type { LibraryState } from '../../ipc/types'
import type { Count } from '../../state/library.svelte'

/** A sentence with figures, and how much is done where it can be told. */
export function describe({ activity, yielding }: Pick<LibraryState, 'activity' | 'yielding'>): { text: string; count: Count | null } {
  const words = i18n.words.settings.indexing
  switch (activity.is) {
    case 'idle':
      return { text: words.idle, count: null }
    case 'paused':
      return { text: words.paused, count: null }
    case 'deferred':
      return { text: words.deferred, count: null }
    case 'scanning':
      return { text: words.scanning(activity.files), count: null }
    case 'stopped':
      return { text: words.stopped(i18n.say(activity.notice)), count: null }
    default: {
      const { done, total, rate, left } = activity
      const text = [
        words[activity.is](i18n.words.frame.of(i18n.number(done), i18n.number(total))),
        yielding && i18n.words.library.yielding,
        !yielding && rate !== null && words.rate(i18n.number(rate)),
        !yielding && left !== null && words.left(i18n.left(left)),
      ]
      return { text: text.filter(Boolean).join(' · '), count: total > 0 ? { done, total } : null }
    }
  }
}
