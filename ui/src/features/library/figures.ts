// What is said of work on bytes beside its bar.
import { i18n, t } from '../../i18n/index.svelte'
import type { Work } from '../../ipc/types'

/** `120 MB of 471 MB · 12 MB/s · about 29 s left`; the figures are in kilobytes, but for what is left. */
export function figures({ done, total, rate, left }: Work): string {
  const parts = [
    t.frame.of(i18n.bytes(done * 1000), i18n.bytes(total * 1000)),
    rate !== null && t.library.bytes.rate(i18n.bytes(rate * 1000)),
    left !== null && t.library.bytes.left(i18n.left(left)),
  ]
  return parts.filter(Boolean).join(' · ')
}
