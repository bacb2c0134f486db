// What is said of work on bytes beside its bar.
import { i18n, t } from '../../i18n/index.svelte'
import type { Work } from '../../ipc/types'

/** `120 MB of 471 MB · 12 MB/s · about 29 s left`; the figures are in bytes. */
export function figures({ done, total, rate, left }: Work): string {
  const parts = [
    t.frame.of(i18n.bytes(done), i18n.bytes(total)),
    rate !== null && t.library.bytes.rate(i18n.bytes(rate)),
    left !== null && t.library.bytes.left(i18n.left(left)),
  ]
  return parts.filter(Boolean).join(' · ')
}
