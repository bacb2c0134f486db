// Answers as nodes: what a model writes is text, whatever it looks like; the check lies where its offsets say.
import { describe, expect, it } from 'vitest'
import { layOut, type Laid, type Part } from '../src/features/chat/claims'
import { markdown, plainText, type Block, type InlineLeaf } from '../src/features/chat/markdown'
import type { Claim } from '../src/ipc/types'

const known = new Set([1, 2, 3])
const read = (text: string, streaming = false) => markdown(text, { known, streaming })

function textOf(block: Block): string {
  return plainText([block])
}

const leavesOf = (text: string) => allLeaves(read(text))

function allLeaves(blocks: Block[]): InlineLeaf[] {
  return blocks.flatMap((block) => {
    if (block.is === 'quote') return allLeaves(block.blocks)
    if (block.is === 'list') return block.items.flatMap(allLeaves)
    return block.leaves
  })
}

function claim(text: string, sentence: string, extra: Partial<Claim> = {}): Claim {
  const start = text.indexOf(sentence)
  return { start, end: start + sentence.length, text: sentence, supported: true, citations: [], ...extra }
}

const doubted = { supported: false, reason: 'no-passage' } as const

/** A paragraph as one line: `‹…›` is doubted, `«…»` held together, `(why n)` the reason, `[n→claim]` a citation. */
function drawn(parts: Part[]): string {
  return parts
    .map((part): string => {
      if (part.is === 'reason') return `(why ${part.claim})`
      if (part.is === 'glue') return `«${drawn(part.leaves)}»`
      if (part.is === 'cite') return `[${part.n}→${part.claim}]`
      return part.doubt ? `‹${part.text}›` : part.text
    })
    .join('')
}

function draw(text: string, claims: Claim[]): string[] {
  const lines = (blocks: Laid[]): string[] =>
    blocks.flatMap((block) => {
      if (block.is === 'quote') return lines(block.blocks)
      if (block.is === 'list') return block.items.flatMap(lines)
      return [drawn(block.parts)]
    })
  return lines(layOut(read(text), claims))
}

describe('markdown', () => {
  it('knows paragraphs, headings, lists, quotes and code', () => {
    const blocks = read('# Costs\n\nOne.\nTwo.\n\n- a\n- b\n\n3. c\n4. d\n\n> e\n> f\n\n```js\nlet x = **1**\n```\n\n---')
    expect(blocks.map(({ is }) => is)).toEqual(['heading', 'paragraph', 'list', 'list', 'quote', 'code'])
    expect(textOf(blocks[1]!)).toBe('One.\nTwo.')
    expect(blocks[2]).toMatchObject({ first: null, items: [[{ is: 'paragraph' }], [{ is: 'paragraph' }]] })
    expect(blocks[3]).toMatchObject({ first: 3 })
    expect(textOf(blocks[4]!)).toBe('e\nf')
    expect(textOf(blocks[5]!)).toBe('let x = **1**')
  })

  it('nests lists by their indentation', () => {
    const [list] = read('1. a\n   - b\n   - c\n2. d')
    expect(list).toMatchObject({ is: 'list', items: [[{ is: 'paragraph' }, { is: 'list' }], [{ is: 'paragraph' }]] })
  })

  it('marks bold, italic and code, and leaves stars and underscores that mean nothing', () => {
    const styles = leavesOf('a **b *c*** `d*e` 2 * 3 snake_case \\*f\\* **g').map((leaf) =>
      leaf.is === 'text' ? [leaf.text, leaf.strong, leaf.em, leaf.code] : [],
    )
    expect(styles.filter(([, ...on]) => on.includes(true))).toEqual([
      ['b ', true, false, false],
      ['c', true, true, false],
      ['d*e', false, false, true],
    ])
    expect(textOf(read('2 * 3 snake_case \\*f\\* **g')[0]!)).toBe('2 * 3 snake_case *f* **g')
  })

  it('keeps the place of each piece in the source', () => {
    const text = 'One **two** three.\n\n> - *four* [1] five'
    for (const one of [text, 'a\\*b\r\nc `d` **e\n> f**', '> ```\n>  g\n> \n> h\n> ```', '- i  \n  j\n\n  k `` l` ``'])
      for (const leaf of leavesOf(one)) if (leaf.is === 'text') expect(one.startsWith(leaf.text, leaf.at), leaf.text).toBe(true)
    const [, quote] = read(text)
    const inner = quote?.is === 'quote' && quote.blocks[0]?.is === 'list' ? quote.blocks[0].items[0]?.[0] : undefined
    const leaves = inner && 'leaves' in inner ? inner.leaves : []
    expect(leaves[0]).toMatchObject({ text: 'four', at: text.indexOf('four') })
    expect(leaves.find(({ is }) => is === 'cite')).toMatchObject({ n: 1, at: text.indexOf('[1]') })
  })

  it('reads citations in all their forms, and only of passages that are there', () => {
    const numbers = (text: string) => leavesOf(text).flatMap((leaf) => (leaf.is === 'cite' ? [leaf.n] : []))
    expect(numbers('a [1] b [1][2] c [1, 3] d [2;3].')).toEqual([1, 1, 2, 1, 3, 2, 3])
    expect(numbers('a [9] b [0] c [1, 9] d [sic] e \\[1] f `[1]` g [1')).toEqual([])
    expect(textOf(read('see [9].')[0]!)).toBe('see [9].')
  })

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '![x](javascript:alert(1))',
    '[press](javascript:alert(1))',
    '[a](https://evil.example "t")',
    '<https://evil.example>',
    '[x]: https://evil.example',
    '<a href="javascript:alert(1)">x</a>',
    '&lt;b&gt; &#x3c;',
    '<!-- a --> <style>*{}</style>',
  ])('has no node for %s: it stays text', (hostile) => {
    const blocks = read(hostile)
    expect(blocks.every((block) => block.is === 'paragraph')).toBe(true)
    expect(leavesOf(hostile).every((leaf) => leaf.is === 'text')).toBe(true)
    expect(plainText(blocks)).toBe(hostile)
  })

  it('is not slowed or broken by garbage', () => {
    const garbage = [
      '> '.repeat(3000) + 'x',
      '- '.repeat(3000) + 'x',
      '*_'.repeat(20_000),
      '['.repeat(20_000) + '1'.repeat(20_000),
      '`'.repeat(5000) + ' ' + '``'.repeat(5000) + 'x',
      '[1 '.repeat(10_000),
      Array.from({ length: 1500 }, (_, k) => ' '.repeat(k % 50) + '- x').join('\n'),
    ]
    for (const text of garbage) {
      const begun = performance.now()
      expect(plainText(read(text)).length).toBeGreaterThan(0)
      expect(performance.now() - begun).toBeLessThan(2000)
    }
  })

  it('shows what is still being written: bold up to the end, half a citation not at all', () => {
    const [leaf] = read('**The notice', true).flatMap((block) => ('leaves' in block ? block.leaves : []))
    expect(leaf).toMatchObject({ text: 'The notice', strong: true })
    expect(plainText(read('five years [1', true))).toBe('five years')
    expect(plainText(read('a list [x', true))).toBe('a list [x')
  })
})

describe('the check of an answer', () => {
  it('holds citations with the word before them and the mark after them', () => {
    const text = 'It fell over five years [1]. Costs rose by 5% [1][2], and so on.'
    const claims = [claim(text, 'It fell over five years'), claim(text, 'Costs rose by 5%')]
    expect(draw(text, claims)).toEqual(['It fell over five «years [1→0].» Costs rose by «5% [1→1][2→1],» and so on.'])
  })

  it('holds a mark that stands before its citation', () => {
    const text = 'It fell. [1] It rose. [2]'
    expect(draw(text, [claim(text, 'It fell.'), claim(text, 'It rose.')])).toEqual(['It «fell. [1→0]» It «rose. [2→1]»'])
  })

  it('dots what is in doubt and says why behind its citations', () => {
    const text = 'It fell [1]. It will rise [2]. It stays.'
    const claims = [claim(text, 'It fell'), claim(text, 'It will rise', doubted), claim(text, 'It stays.')]
    expect(draw(text, claims)).toEqual(['It «fell [1→0].» ‹It will ›«‹rise› [2→1].» (why 1)It stays.'])
  })

  it('follows a doubted sentence through styles and across blocks', () => {
    const text = 'So **it will** rise.\n\n- It fell.\n- It *sank*.'
    const claims = [claim(text, 'So **it will** rise.', doubted), claim(text, 'It fell.'), claim(text, 'It *sank*.', doubted)]
    expect(draw(text, claims)).toEqual(['‹So ›‹it will›‹ rise.›(why 0)', 'It fell.', '‹It ›‹sank›‹.›(why 2)'])
  })

  it('gives the reason once where a sentence spans blocks', () => {
    const text = 'Costs:\n\n- steel\n- copper'
    expect(draw(text, [claim(text, text, doubted)])).toEqual(['‹Costs:›', '‹steel›', '‹copper›(why 0)'])
  })

  it('counts offsets in UTF-16 units', () => {
    const text = '𝔘ber 🏠: it fell. It will rise.'
    const claims = [claim(text, '𝔘ber 🏠: it fell.'), claim(text, 'It will rise.', doubted)]
    expect(draw(text, claims)).toEqual(['𝔘ber 🏠: it fell. ‹It will rise.›(why 1)'])
  })
})
