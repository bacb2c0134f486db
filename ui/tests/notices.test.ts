// What the engine and the shell tell as codes with fields, in both languages.
import { expect, test } from 'vitest'
import { notices as german } from '../src/i18n/de/notices'
import { notices as english } from '../src/i18n/en/notices'
import { sayer } from '../src/i18n/notices'
import type { Notice } from '../src/ipc/types'
import samples from './fixtures/notices.json'

const [en, de] = [sayer(english), sayer(german)]
const denied: Notice = { code: 'io', kind: 'permission-denied', number: 13, text: 'Permission denied (os error 13)' }

test('a notice holds others, in the same language', () => {
  const notice: Notice = { code: 'path', path: '/home/ada/notes', why: { code: 'cannot-be-read', cause: denied } }
  expect(en(notice)).toBe('/home/ada/notes cannot be read: Permission denied (os error 13); check its permissions')
  expect(de(notice)).toBe('/home/ada/notes lässt sich nicht lesen: keine Berechtigung (Fehler 13 des Systems); prüfen Sie die Rechte')
})

test('what has no code stays as it is', () => {
  expect([en, de].map((say) => say({ code: 'text', text: 'a gremlin ate it' }))).toEqual(['a gremlin ate it', 'a gremlin ate it'])
  const odd: Notice = { code: 'io', kind: 'other', number: 111, text: 'Connection refused (os error 111)' }
  expect(de({ code: 'database-failed', cause: odd })).toBe('Die Datenbank der Bibliothek ist gescheitert: Connection refused (os error 111)')
})

test('one thing and many are told apart', () => {
  const missing = (count: number): Notice => ({ code: 'vectors-missing', count, other: false })
  expect([en, de].map((say) => say(missing(1)))).toEqual([
    '1 sentence has no vector and is not queued for one',
    '1 Satz hat keinen Vektor und wartet auf keinen',
  ])
  expect(de(missing(1204))).toBe('1.204 Sätze haben keinen Vektor und warten auf keinen')
})

// `make types` writes the samples: every code, with the sentence that the command line says.
test('the English texts are those of the engine, and German has every field', () => {
  const all = samples as { notice: Notice; english: string }[]
  expect(new Set(all.map(({ notice }) => notice.code)).size).toBe(Object.keys(english).length)
  for (const { notice, english } of all) {
    // The system's own sentence is said in our words.
    if (notice.code === 'io') continue
    expect(en(notice)).toBe(english)
    expect(de(notice)).not.toMatch(/undefined|null|\[object/)
    for (const [field, value] of Object.entries(notice)) {
      if (String(value).startsWith('the ')) expect(de(notice), `${notice.code}: ${field}`).toContain(value)
    }
  }
})
