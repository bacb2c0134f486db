// Marks and pages in numbers.
import { describe, expect, it } from 'vitest'
import { Column } from '../src/features/viewer/column.svelte'
import { across, byPage, covered, drawn, lines, pageAt, placeOfHit, sharpness, tops, within, zoomStep } from '../src/features/viewer/geometry'
import { pdf } from '../src/ipc/fake/viewer'

const box = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom })

describe('marks', () => {
  it('are one box a line', () => {
    const pieces = [box(0.1, 0.2, 0.3, 0.22), box(0.3, 0.201, 0.5, 0.22), box(0.1, 0.23, 0.2, 0.25), box(0.4, 0.2, 0.4, 0.2)]
    expect(lines(pieces)).toEqual([box(0.1, 0.2, 0.5, 0.22), box(0.1, 0.23, 0.2, 0.25)])
  })

  it('of two columns stay apart', () => {
    expect(lines([box(0.1, 0.2, 0.4, 0.22), box(0.6, 0.2, 0.9, 0.22)])).toHaveLength(2)
  })

  it('are fractions of their page', () => {
    expect(within(box(60, 120, 110, 140), box(10, 100, 210, 300))).toEqual(box(0.25, 0.1, 0.5, 0.2))
  })

  it('cover what has its middle in them', () => {
    expect(covered(box(0.1, 0.1, 0.2, 0.2), [box(0, 0, 0.16, 0.16)])).toBe(true)
    expect(covered(box(0.1, 0.1, 0.2, 0.2), [box(0, 0, 0.14, 0.14)])).toBe(false)
  })

  it('lie by page, the sentence on top of the window', () => {
    const marks = byPage(pdf.marks).get(2)!
    expect(marks).toHaveLength(pdf.marks.length)
    expect(marks.slice(-5).every(({ mark }) => mark === 'sentence')).toBe(true)
  })

  it('say where a sentence begins; the hit does where there are none', () => {
    expect(placeOfHit(pdf.marks, 1, 9)).toMatchObject({ page: 2, box: { top: 0.2923 } })
    expect(placeOfHit([], 1, 9)).toEqual({ page: 9, box: null })
    expect(placeOfHit([], 1, null)).toBeNull()
  })

  it('brings a box into sight sideways, and leaves alone what is seen', () => {
    expect(across(100, 180, 50, 400, 16)).toBe(50)
    expect(across(500, 580, 50, 400, 16)).toBe(340)
    expect(across(20, 60, 300, 400, 16)).toBe(-160)
    expect(across(100, 900, 0, 400, 16)).toBe(84)
  })
})

describe('pages in a column', () => {
  const at = tops([100, 200, 100], 10)

  it('have their tops', () => {
    expect(at).toEqual([0, 110, 320, 430])
    expect([0, 109, 110, 319, 320, 9999].map((y) => pageAt(at, y))).toEqual([1, 1, 2, 2, 3, 3])
  })

  it('are drawn where they are seen, with one more at either end', () => {
    const many = tops(Array.from({ length: 100 }, () => 100), 0)
    expect(drawn(many, 5000, 5150)).toEqual([50, 53])
    expect(drawn(many, 0, 50)).toEqual([1, 2])
    expect(drawn(many, 9900, 9999)).toEqual([99, 100])
  })

  it('keep what is read in its place while heights become known', () => {
    const scroller = document.createElement('div')
    let heights = [100, 100, 100]
    const column = new Column(
      () => scroller,
      () => heights,
      0,
      0,
    )
    column.high = 60
    column.go(2, 0.5)
    expect(scroller.scrollTop).toBe(130)
    expect(column.part).toBe(2)
    heights = [300, 100, 100]
    column.settle()
    expect(scroller.scrollTop).toBe(130)
  })
})

describe('size', () => {
  it('goes up and down by steps from wherever the width has put it', () => {
    expect(zoomStep(0.514, 1)).toBe(0.67)
    expect(zoomStep(0.514, -1)).toBe(0.5)
    expect(zoomStep(1, 1)).toBe(1.1)
    expect(zoomStep(4, 1)).toBe(4)
  })

  it('draws as sharp as the screen, and no canvas larger than it may be', () => {
    expect(sharpness(400, 600, 1.5)).toBe(1.5)
    expect(sharpness(400, 600, 3)).toBe(2)
    const sharp = sharpness(8000, 12000, 2)
    expect(8000 * sharp * 12000 * sharp).toBeLessThanOrEqual(16_000_001)
  })
})
