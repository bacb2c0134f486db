// Words with a number: one thing is one, in both languages.
import { describe, expect, it } from 'vitest'
import { de } from '../src/i18n/de'
import { en, type Words } from '../src/i18n/en'

const numbers = [0, 1, 2, 1204]

/** What must not stand behind a 1, and behind another number. */
const wrong: Record<string, { one: RegExp; many: RegExp }> = {
  en: {
    one: /\b1 (?:more |earlier )?(files|documents|sentences|passages|questions|tokens|folders|threads|models|settings|results|names|words|windows|things|wait)\b/,
    many: /\b(?:0|2|1,?204) (?:more |earlier )?(file|document|sentence|passage|question|token|folder|thread|model|setting|result|name|word|window|thing|waits)\b/,
  },
  de: {
    one: /\b1 (?:weitere |frühere )?(Dateien|Dokumente|Sätzen?|Passagen|Fragen|Modelle|Einstellungen|Ergebnisse|Namen|Wörter|Fenstern|Sachen|anderen|warten)(?![\wäöü])/,
    many: /\b(?:0|2|1\.?204) (?:weitere |frühere )?(Datei|Dokument|Satz|Passage|Frage|Modell|Einstellung|Ergebnis|Name|Wort|Sache|wartet)(?![\wäöü])/,
  },
}

function* words(of: object, path: string): Generator<[string, (...args: unknown[]) => unknown]> {
  for (const [name, value] of Object.entries(of)) {
    if (typeof value === 'function') yield [`${path}.${name}`, value as (...args: unknown[]) => unknown]
    else if (typeof value === 'object' && value !== null) yield* words(value as object, `${path}.${name}`)
  }
}

describe.each([
  ['en', en],
  ['de', de],
] as [keyof typeof wrong, Words][])('every word with a number, %s', (language, catalog) => {
  // No counts: a list, an ending. A number as it is written, looked at below. A rate under ten has a decimal. Where one
  // of a file's sentences is missing it has others; of one word some are not looked for.
  const apart = /\.(names|kindUnread|noneRead|filesRate|sentencesRate|someMeaning|some)$/
  const all = [...words(catalog, language)].filter(([name]) => !apart.test(name))

  it('is about as many as it says', () => {
    const { one, many } = wrong[language]!
    const said = all.flatMap(([name, say]) => numbers.map((n) => [name, n, String(say(n, n, n, n))] as const))
    expect(said.length).toBeGreaterThan(300)
    expect(said.filter(([, n, text]) => (n === 1 ? one : many).test(text))).toEqual([])
  })
})

it('a number stands as its language writes it', () => {
  const table = (say: (words: Words, n: number) => string) => [en, de].map((words) => numbers.map((n) => say(words, n)))
  expect(table(({ chat }, n) => chat.searching(n))).toEqual([
    ['Searching 0 sentences', 'Searching 1 sentence', 'Searching 2 sentences', 'Searching 1,204 sentences'],
    ['0 Sätze werden durchsucht', '1 Satz wird durchsucht', '2 Sätze werden durchsucht', '1.204 Sätze werden durchsucht'],
  ])
  expect(table(({ chat }, n) => chat.noneRead(String(n), ''))).toEqual([
    ['None of the 0 passages I read says it.', 'The one passage I read does not say it.', 'None of the 2 passages I read says it.', 'None of the 1204 passages I read says it.'],
    ['Keine der 0 gelesenen Passagen sagt es.', 'Die eine gelesene Passage sagt es nicht.', 'Keine der 2 gelesenen Passagen sagt es.', 'Keine der 1204 gelesenen Passagen sagt es.'],
  ])
  expect(table(({ library }, n) => library.failures.lead(n).replace(/\. .*/, ''))).toEqual([
    ['No other is indexed yet', 'The other one is indexed', 'The other 2 are indexed', 'The other 1,204 are indexed'],
    ['Noch ist keine andere im Index', 'Die eine andere ist im Index', 'Die anderen 2 sind im Index', 'Die anderen 1.204 sind im Index'],
  ])
  expect(table(({ library }, n) => library.status.meaning('0', n))).toEqual([
    ['By meaning 0 of 0 sentences', 'By meaning 0 of 1 sentence', 'By meaning 0 of 2 sentences', 'By meaning 0 of 1,204 sentences'],
    ['Nach Bedeutung 0 von 0 Sätzen', 'Nach Bedeutung 0 von 1 Satz', 'Nach Bedeutung 0 von 2 Sätzen', 'Nach Bedeutung 0 von 1.204 Sätzen'],
  ])
  expect(table(({ settings }, n) => settings.storage.counts(n, n))).toEqual([
    ['0 files, 0 sentences', '1 file, 1 sentence', '2 files, 2 sentences', '1,204 files, 1,204 sentences'],
    ['0 Dateien, 0 Sätze', '1 Datei, 1 Satz', '2 Dateien, 2 Sätze', '1.204 Dateien, 1.204 Sätze'],
  ])
})
