// How the palette ranks.
import { describe, expect, test } from 'vitest'
import { best, fit, pieces } from '../src/features/dialogs/rank'

const order = (query: string, ...texts: string[]) => best(query, texts, (one) => one, 10).map(({ one }) => one)
const marked = (query: string, text: string) =>
  pieces(text, fit(query, text)?.marks ?? []).filter((piece) => piece.marked).map((piece) => piece.text)

describe('the palette’s ranking', () => {
  test('the beginning first, then beginnings of words, then the middle of words, then scattered letters', () => {
    expect(order('ex', 'Text size', 'Travel expenses', 'Export', 'Even xylophones')).toEqual([
      'Export',
      'Travel expenses',
      'Text size',
      'Even xylophones',
    ])
  })

  test('of equals the shorter; of the same the order they came in', () => {
    expect(order('note', 'Notes of the committee', 'Notes')).toEqual(['Notes', 'Notes of the committee'])
    expect(order('', 'b', 'a')).toEqual(['b', 'a'])
  })

  test('all words have to fit, in any order', () => {
    expect(order('report q3', 'Q3-report.pdf', 'Q2-report.pdf')).toEqual(['Q3-report.pdf'])
    expect(marked('report q3', 'Q3-report.pdf')).toEqual(['Q3', 'report'])
  })

  test('accents and case do not matter, marks stay on the letters as written', () => {
    expect(marked('uber', 'Bericht ÜBER Äpfel')).toEqual(['ÜBER'])
    expect(marked('apfel', 'Bericht über Äpfel')).toEqual(['Äpfel'])
    expect(marked('strasse', 'Hauptstraße 5')).toEqual(['straße'])
    // Decomposed: the accent is a letter of its own in the text.
    expect(marked('uber', 'u\u0308ber')).toEqual(['u\u0308ber'])
  })

  test('initials find a name', () => {
    expect(marked('scm', 'Steering committee meeting')).toEqual(['S', 'c', 'm'])
    expect(fit('sc', 'no such thing as this, said Cass')).not.toBeNull()
  })

  test('letters that stand far apart are no find', () => {
    expect(fit('xqz', 'Export this conversation')).toBeNull()
    expect(marked('hzg', 'Heizungsrechnung')).toEqual(['H', 'z', 'g'])
    expect(fit('hzw', 'Gesprächsprotokoll')).toBeNull()
    expect(fit('tn', 'this conversation')).toBeNull()
  })

  test('pieces put together are the text', () => {
    for (const query of ['', 'ex', 'e t', 'zz', 'size'])
      expect(pieces('Text size', fit(query, 'Text size')?.marks ?? []).map(({ text }) => text).join('')).toBe('Text size')
  })
})
