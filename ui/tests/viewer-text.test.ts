// What is marked and found in a document's text, in numbers: no component, no DOM layout.
import { describe, expect, it } from 'vitest'
import { findAll, fold, locate } from '../src/features/viewer/fold'
import { Find } from '../src/features/viewer/find.svelte'
import { readable, wantedOn, words } from '../src/features/viewer/pageText'

const placed = (source: string, sentence: string, part: 'head' | 'tail' = 'head') => {
  const stretch = locate(source, fold(source, 'letters'), sentence, part)
  return stretch && source.slice(stretch.start, stretch.end)
}
const found = (source: string, query: string) =>
  findAll(source, fold(source, 'words'), query, 100).map(({ start, end }) => source.slice(start, end))

describe('a sentence on a page', () => {
  it('is found across line breaks and hyphens', () => {
    const page = 'Before it.\nThe initial ca-\npital was\nhigher than antici-\npated. After it.'
    expect(placed(page, 'The initial capital was higher than anticipated.')).toBe(
      'The initial ca-\npital was\nhigher than antici-\npated.',
    )
  })

  it('is found with ligatures, other quotes, soft hyphens and parted accents', () => {
    expect(placed('x The ﬁrst ‘oﬃce’ pays. y', "The first 'office' pays.")).toBe('The ﬁrst ‘oﬃce’ pays.')
    expect(placed('x Wa\u0308rme\u00adpumpe läuft noch fünf Jahre. y', 'Wärmepumpe läuft noch fünf Jahre.')).toBe(
      'Wa\u0308rme\u00adpumpe läuft noch fünf Jahre.',
    )
  })

  it('is not found where another stands', () => {
    expect(placed('The project fell to 12% over five years.', 'The weather in Southeast Asia was fine.')).toBeNull()
  })

  it('goes on overleaf: its beginning here, its end there', () => {
    const sentence = 'The supervisory board will be told in its meeting in November what steel costs.'
    expect(placed('Filler. The supervisory board will be told in its meeting in\n14', sentence)).toBe(
      'The supervisory board will be told in its meeting in',
    )
    expect(placed('Third-quarter report\nNovember what steel costs. More.', sentence, 'tail')).toBe('November what steel costs.')
  })

  it('is not looked for by its end where all of it stands', () => {
    expect(placed('A whole sentence stands here.', 'A whole sentence stands here.', 'tail')).toBeNull()
  })

  it('is wanted on its own page and on the next', () => {
    const hits = [
      { text: 'One.', page: 2 },
      { text: 'Two.', page: 3 },
      { text: 'Three.', page: null },
    ]
    expect(wantedOn(3, hits)).toEqual([
      { hit: 0, text: 'One.', part: 'tail' },
      { hit: 1, text: 'Two.', part: 'head' },
    ])
  })
})

describe('text read back', () => {
  it('joins lines, and what a line end has parted before a small letter', () => {
    expect(readable('down from the initial 14% esti-\nmate over a five-\nyear  period')).toBe(
      'down from the initial 14% estimate over a fiveyear period',
    )
    expect(readable('a five-year plan\nof EU-\nLänder')).toBe('a five-year plan of EU- Länder')
  })

  it('is taken word by word, sign by sign where there are no spaces', () => {
    const text = 'a bc  ' + '漢'.repeat(40)
    const parts = words(text).map(([from, to]) => text.slice(from, to))
    expect(parts.slice(0, 4)).toEqual(['a', ' ', 'bc', '  '])
    expect(parts.length).toBeGreaterThan(10)
    expect(parts.join('')).toBe(text)
  })
})

describe('find', () => {
  it('ignores case, accents and line breaks, and keeps words apart', () => {
    expect(found('Third quarter, third\nquarter, THIRD  QUARTER', 'third quarter')).toEqual([
      'Third quarter',
      'third\nquarter',
      'THIRD  QUARTER',
    ])
    expect(found('Die Wärmepumpe und die WARME', 'wärme')).toEqual(['Wärme', 'WARME'])
    expect(found('in form and inform', 'inform')).toEqual(['inform'])
    expect(found('disrup-\ntions and five-year', 'disruptions')).toEqual(['disrup-\ntions'])
    expect(found('anything', '  ')).toEqual([])
  })

  it('stays in step after signs of two units', () => {
    expect(found('😀😀 oriel 😀 oriel', 'oriel')).toEqual(['oriel', 'oriel'])
  })

  it('begins at the part that is read, counts in reading order and goes round', async () => {
    const find = new Find()
    find.query = 'b'
    await find.run({ count: 3, text: (part) => ['a b', 'b b', 'b'][part]! }, 1)
    expect(find.places.map(({ part, start }) => [part, start])).toEqual([
      [0, 2],
      [1, 0],
      [1, 2],
      [2, 0],
    ])
    expect(find.active).toBe(1)
    find.step(-1)
    find.step(-1)
    expect(find.active).toBe(3)
    find.step(1)
    expect(find.active).toBe(0)
  })

  it('tells nothing of an older query', async () => {
    const find = new Find()
    let open: (text: string) => void = () => {}
    find.query = 'old'
    const first = find.run({ count: 1, text: () => new Promise<string>((resolve) => (open = resolve)) }, 0)
    find.query = 'new'
    const second = find.run({ count: 1, text: () => 'new old old' }, 0)
    open('old old old')
    await Promise.all([first, second])
    expect(find.places).toHaveLength(1)
  })
})
