// What the engine and the shell tell as a code with fields, in words.
import type { Notice } from '../ipc/types'

export type Say = (notice: Notice) => string

/** A text for each code; `say` puts a notice inside another one into words. A missing code is a compile error. */
export type Notices = { [C in Notice['code']]: (n: Extract<Notice, { code: C }>, say: Say) => string }

/** Puts notices into the words of a catalogue. */
export function sayer(notices: Notices): Say {
  const say: Say = (notice) => (notices[notice.code] as (n: Notice, say: Say) => string)(notice, say)
  return say
}
