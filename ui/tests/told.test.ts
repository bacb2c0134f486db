// What the engine and the shell say in English is said in German too, and nothing in the catalog is out of date.
import { describe, expect, test } from 'vitest'
import { messages } from '../src/i18n/de/messages'
import { translator } from '../src/i18n/told'

const told = translator(messages)
const files: Record<string, string> = import.meta.glob(['../../crates/*/src/**/*.rs', '../../src-tauri/src/**/*.rs'], {
  query: '?raw',
  import: 'default',
  eager: true,
})
/** The sources of a folder, without their tests. */
const sources = (folder: string): string[] =>
  Object.entries(files)
    .filter(([path]) => path.startsWith(`../../${folder}/`))
    .map(([, text]) => text.split('#[cfg(test)]\nmod tests')[0] ?? '')

const literal = '"((?:[^"\\\\]|\\\\.)*)"'
const plain = (text: string) => text.replaceAll('\\"', '"')
/** All literals that stand behind `before` in the sources of a folder. */
const said = (folder: string, before: string): string[] =>
  sources(folder).flatMap((source) => [...source.matchAll(new RegExp(before + literal, 'g'))].map((found) => plain(found[1] ?? '')))
/** The names of what is put in do not count. */
const bare = (text: string) => text.replace(/\{[^{}]*\}/g, '{}')
const known = new Set(Object.keys(messages).map(bare))
/** Nothing to say beside what is put in. */
const isBare = (text: string) => bare(text).replaceAll('{}', '').trim().length < 4

describe('what the engine says', () => {
  test('holds what stands in it', () => {
    expect(told('the disk with the library /home/ada/library is full; free some space and try again, nothing is lost')).toBe(
      'Der Datenträger mit der Bibliothek /home/ada/library ist voll; schaffen Sie Platz und versuchen Sie es noch einmal, verloren ist nichts',
    )
    expect(told("the library's database failed: Input/output error (os error 5)")).toBe(
      'Die Datenbank der Bibliothek ist gescheitert: Ein- oder Ausgabefehler (Fehler 5 des Systems)',
    )
  })

  test('is found behind a name, and in what is behind one', () => {
    expect(told('/home/ada/notes does not exist; check the spelling')).toBe('/home/ada/notes gibt es nicht; prüfen Sie die Schreibung')
    expect(told('Archive: the drive that was here is not connected; connect it again, or stop following the folder, and 2 more')).toBe(
      'Archive: das Laufwerk, das hier war, ist nicht verbunden; verbinden Sie es, oder entfernen Sie den Ordner aus Oriel, und 2 weitere',
    )
  })

  test('of a file with a wrong name names what it is', () => {
    expect(told('The file is named .docx, but seems to be plain text; give it the matching ending.')).toBe(
      'Die Datei heißt .docx, ist aber wohl reiner Text; geben Sie ihr die passende Endung.',
    )
  })

  test('stays as it is where the catalog does not know it', () => {
    expect(told('a gremlin ate it')).toBe('a gremlin ate it')
    expect(told('')).toBe('')
  })

  test.each([
    ['crates/store/src', '#\\[error\\('],
    ['crates/app/src', '#\\[error\\('],
    ['crates/engine/src', '#\\[error\\('],
    ['crates/core/src', '#\\[error\\('],
    ['crates/download/src', '#\\[error\\('],
    ['crates/engine/src', '\\bwhy(?: =|:) (?:format!\\()?'],
    ['crates/text/src', 'Failure::new\\(\\s*FailureCode::\\w+,\\s*(?:format!\\(\\s*)?'],
    ['crates/text/src', '(?="seems to be )'],
    ['crates/engine/src', 'Failure::new\\(\\s*FailureCode::\\w+,\\s*(?:format!\\(\\s*)?'],
    ['src-tauri/src', 'IpcError::(?:failed|gone)\\(\\s*(?:format!\\(\\s*)?'],
  ])('is in the catalog: %s %s', (folder, before) => {
    const all = said(folder, before).filter((text) => !isBare(text))
    expect(all.length).toBeGreaterThan(0)
    expect(all.filter((text) => !known.has(bare(text)))).toEqual([])
  })

  test('is all that is in the catalog, and every hole is filled', () => {
    const all = ['crates', 'src-tauri'].flatMap(sources).join('\n').replaceAll('\\"', '"')
    const ours = Object.keys(messages).filter((text) => !text.endsWith(')') || !text.includes('os error'))
    // These are put together where they are said.
    const made = /^\{reason\}|^The file cannot be opened/
    expect(ours.filter((text) => !made.test(text) && !all.includes(`"${text}"`))).toEqual([])
    for (const [text, words] of Object.entries(messages)) {
      const holes = text.match(/\{[^{}]*\}/g)?.length ?? 0
      const numbers = [...words.matchAll(/\{(\d)\}/g)].map((found) => Number(found[1]))
      expect([...new Set(numbers)].sort(), text).toEqual(Array.from({ length: holes }, (_, n) => n))
    }
  })
})
