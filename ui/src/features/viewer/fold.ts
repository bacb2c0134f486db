// Text made comparable: what the store holds and what a page shows differ in spaces, hyphens at line ends, ligatures,
// quotes and accents. Knows nothing of pages or the DOM.

/** A comparable text with the way back: `at[i]` is the source offset of its i-th unit. */
export interface Folded {
  text: string
  at: number[]
}

/** A stretch of a source, in UTF-16 units. */
export interface Stretch {
  start: number
  end: number
}

const space = /\s/u
const hyphen = /[-\u00ad\u2010-\u2015]/u
const accent = /\p{M}/gu
const lower = /\p{Ll}/u

/**
 * Folds a text. `letters` drops spaces and hyphens, for sentences that are known to be there; `words` keeps one space
 * between words and joins only what a line's end has parted, for what a user types.
 */
export function fold(source: string, keep: 'letters' | 'words'): Folded {
  const at: number[] = []
  let text = ''
  for (let i = 0; i < source.length; ) {
    const here = i
    const code = source.charCodeAt(i)
    // Most of most texts: letters, digits and marks of ASCII but the hyphen.
    if (code > 32 && code < 127 && code !== 45) {
      text += code >= 65 && code <= 90 ? String.fromCharCode(code + 32) : source[i]
      at.push(i++)
      continue
    }
    const sign = String.fromCodePoint(source.codePointAt(i) ?? 0)
    i += sign.length
    if (space.test(sign)) {
      if (keep === 'letters' || text === '' || text.endsWith(' ')) continue
      text += ' '
      at.push(here)
      continue
    }
    if (hyphen.test(sign)) {
      if (keep === 'letters' || sign === '\u00ad') continue
      const parted = /^[ \t]*\n\s*/u.exec(source.slice(i, i + 8))
      if (parted && lower.test(source.charAt(i + parted[0].length))) {
        i += parted[0].length
        continue
      }
    }
    const folded = plain(sign)
    text += folded
    // An index in the folded text counts units, not signs.
    for (let unit = 0; unit < folded.length; unit++) at.push(here)
  }
  return { text, at }
}

/** Folds one character: no accents, ligatures, capitals or typographic quotes. */
function plain(sign: string): string {
  if (/[\u2018\u2019\u201a\u201b\u2032]/u.test(sign)) return "'"
  if (/[\u201c-\u201f\u2033\u00ab\u00bb]/u.test(sign)) return '"'
  if (hyphen.test(sign)) return '-'
  return sign.normalize('NFKD').replace(accent, '').toLowerCase()
}

function stretch(folded: Folded, source: string, from: number, to: number): Stretch {
  const start = folded.at[from] ?? 0
  const last = folded.at[to - 1] ?? start
  return { start, end: last + String.fromCodePoint(source.codePointAt(last) ?? 0).length }
}

/** Every place of a typed query in a text, in order. */
export function findAll(source: string, folded: Folded, query: string, limit: number): Stretch[] {
  const wanted = fold(query, 'words').text.trim()
  const found: Stretch[] = []
  if (wanted === '') return found
  for (let i = folded.text.indexOf(wanted); i >= 0 && found.length < limit; i = folded.text.indexOf(wanted, i + wanted.length)) {
    found.push(stretch(folded, source, i, i + wanted.length))
  }
  return found
}

/** The least number of letters by which part of a sentence is recognised. */
const enough = 16

/**
 * Where a sentence stands on a page. A sentence that goes on overleaf is found by its beginning (`head`), one that
 * began on the page before by its end (`tail`).
 */
export function locate(source: string, folded: Folded, sentence: string, part: 'head' | 'tail'): Stretch | null {
  const wanted = fold(sentence, 'letters').text
  if (wanted === '') return null
  const whole = folded.text.indexOf(wanted)
  if (whole >= 0) return part === 'head' ? stretch(folded, source, whole, whole + wanted.length) : null
  // Binary search for the longest part that is found.
  let [known, tooMany] = [0, wanted.length]
  const piece = (n: number) => (part === 'head' ? wanted.slice(0, n) : wanted.slice(wanted.length - n))
  while (tooMany - known > 1) {
    const half = (known + tooMany) >> 1
    if (folded.text.includes(piece(half))) known = half
    else tooMany = half
  }
  if (known < Math.min(enough, wanted.length)) return null
  const from = folded.text.indexOf(piece(known))
  return stretch(folded, source, from, from + known)
}
