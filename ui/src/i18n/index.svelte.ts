// The words of the interface, in the language that is set. A missing word is a compile error in every language.
import type { Language, Notice } from '../ipc/types'
import { de } from './de'
import { notices as deNotices } from './de/notices'
import { en, type Words } from './en'
import { notices as enNotices } from './en/notices'
import { sayer, type Say } from './notices'

const catalogs: Record<Language, Words> = { en, de }
const sayers: Record<Language, Say> = { en: sayer(enNotices), de: sayer(deNotices) }

/** Made once for each locale and number of places: making one costs far more than using it. */
// eslint-disable-next-line svelte/prefer-svelte-reactivity -- only a cache: nothing is drawn anew for what it holds
const decimals = new Map<string, Intl.NumberFormat>()

class Interface {
  language = $state<Language>('en')
  readonly words = $derived(catalogs[this.language])
  readonly #locale = $derived(this.language === 'de' ? 'de-DE' : 'en-GB')
  readonly #number = $derived(new Intl.NumberFormat(this.#locale))
  readonly #one = $derived(new Intl.NumberFormat(this.#locale, { maximumFractionDigits: 1, minimumFractionDigits: 1 }))
  readonly #date = $derived(new Intl.DateTimeFormat(this.#locale, { day: 'numeric', month: 'short', year: 'numeric' }))

  readonly #dateTime = $derived(new Intl.DateTimeFormat(this.#locale, { dateStyle: 'medium', timeStyle: 'short' }))

  /** Sets the language, or the system's where none is named. */
  use(language: Language | null) {
    this.language = language ?? (navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en')
    document.documentElement.lang = this.language
  }

  /** What the engine or the shell tells, in the language that is set. */
  say(notice: Notice): string {
    return sayers[this.language](notice)
  }

  /** 1,204 */
  number(value: number): string {
    return this.#number.format(Math.round(value))
  }

  /** A number with this many places after the point. */
  decimal(value: number, places: number): string {
    const kind = `${this.#locale} ${places}`
    const format =
      decimals.get(kind) ?? new Intl.NumberFormat(this.#locale, { maximumFractionDigits: places, minimumFractionDigits: places })
    decimals.set(kind, format)
    return format.format(value)
  }

  /** rent, deposit and notice */
  list(parts: string[], kind: Intl.ListFormatType = 'conjunction'): string {
    return new Intl.ListFormat(this.#locale, { type: kind }).format(parts)
  }

  /** German, English: languages by their codes; what is no code, such as a script, stays as it is. */
  languages(codes: string[]): string {
    const names = new Intl.DisplayNames(this.#locale, { type: 'language' })
    return this.list(codes.map((code) => (/^[a-z]{2,3}(_|$)/.test(code) ? (names.of(code.split('_')[0]!) ?? code) : code.replace(/^script\//, ''))))
  }

  /** 2.1 GB */
  bytes(bytes: number): string {
    if (bytes < 1e3) return `${this.number(bytes)} B`
    if (bytes < 1e6) return `${this.number(bytes / 1e3)} kB`
    if (bytes < 1e9) return `${this.number(bytes / 1e6)} MB`
    return `${this.#one.format(bytes / 1e9)} GB`
  }

  /** 491 MB, 2.50 GB: the size of a download, which is compared with what is here of it. */
  size(bytes: number): string {
    return bytes < 1e9 ? this.bytes(bytes) : `${this.decimal(bytes / 1e9, 2)} GB`
  }

  /** 212 of 491 MB, 1.21 of 2.50 GB */
  sizeOf(done: number, total: number): string {
    const figure = total < 1e9 ? this.number(done / 1e6) : this.decimal(done / 1e9, 2)
    return this.words.frame.of(figure, this.size(total))
  }

  /** 0.9 GB: memory is always in gigabytes, as parts of one bar are compared. */
  memory(bytes: number): string {
    return `${this.#one.format(bytes / 1e9)} GB`
  }

  /** 0.9 of 8.6 GB */
  memoryOf(bytes: number, total: number): string {
    return this.words.frame.of(this.#one.format(bytes / 1e9), this.memory(total))
  }

  /** English, German: a language by its code. */
  nameOfLanguage(code: string): string {
    return new Intl.DisplayNames(this.#locale, { type: 'language' }).of(code) ?? code
  }

  /** 41 ms, 0.9 s */
  duration(ms: number): string {
    if (ms < 100) return `${this.number(ms)} ms`
    if (ms < 1000) return `${this.decimal(ms / 1000, 2)} s`
    return `${this.#one.format(ms / 1000)} s`
  }

  /** 9 s, 13 min, 2 h; say "about" before it. */
  left(seconds: number): string {
    if (seconds < 55) return `${this.number(Math.max(1, seconds))} s`
    if (seconds < 55 * 60) return `${this.number(Math.max(1, seconds / 60))} min`
    return `${this.#one.format(seconds / 3600)} h`
  }

  /** 31 Jan 2024 */
  date(ms: number): string {
    return this.#date.format(ms)
  }

  /** 31 Jan 2024, 09:14 */
  dateTime(ms: number): string {
    return this.#dateTime.format(ms)
  }
}

export const i18n = new Interface()

/** The words in the language that is set; reactive. */
export const t = new Proxy({} as Words, {
  get: (_, part) => i18n.words[part as keyof Words],
})
