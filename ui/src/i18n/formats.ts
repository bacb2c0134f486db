// Formats in words: groups of related formats, and what their pages are called.
import type { Card, DocumentKind, KindCount } from '../ipc/types'
import type { Words } from './en'
import { i18n, t } from './index.svelte'

export type FormatGroup = keyof Words['frame']['groups']

/** The group of each format. */
const GROUP: Record<DocumentKind, FormatGroup> = {
  docx: 'documents',
  odt: 'documents',
  doc: 'documents',
  rtf: 'documents',
  pdf: 'pdf',
  iwork: 'documents',
  xlsx: 'sheets',
  ods: 'sheets',
  xls: 'sheets',
  csv: 'sheets',
  tsv: 'sheets',
  pptx: 'slides',
  odp: 'slides',
  ppt: 'slides',
  eml: 'mail',
  mbox: 'mail',
  msg: 'mail',
  ics: 'text',
  vcf: 'text',
  epub: 'books',
  fb2: 'books',
  html: 'web',
  mhtml: 'web',
  md: 'text',
  txt: 'text',
  rst: 'text',
  adoc: 'text',
  org: 'text',
  tex: 'text',
  code: 'code',
  json: 'code',
  yaml: 'code',
  xml: 'code',
  ipynb: 'code',
  srt: 'subtitles',
  vtt: 'subtitles',
  image: 'images',
  zip: 'archives',
}

export const groupOf = (kind: DocumentKind): FormatGroup => GROUP[kind]

/** The formats of a group. */
export const formatsOf = (group: FormatGroup): DocumentKind[] => (Object.keys(GROUP) as DocumentKind[]).filter((kind) => GROUP[kind] === group)

/** How many documents each group has, in the order of its most frequent format. */
export function countGroups(kinds: KindCount[]): Map<FormatGroup, number> {
  const counts = new Map<FormatGroup, number>()
  for (const { kind, count } of kinds) counts.set(GROUP[kind], (counts.get(GROUP[kind]) ?? 0) + count)
  return counts
}

/** Chosen formats in words: a group where all of it is chosen, else the formats themselves. */
export function formatWords(kinds: DocumentKind[]): string {
  const groups = [...new Set(kinds.map(groupOf))]
  const words = groups.flatMap((group) => {
    const chosen = kinds.filter((kind) => GROUP[kind] === group)
    return chosen.length === formatsOf(group).length ? [t.frame.groups[group]] : chosen.map((kind) => t.frame.kinds[kind])
  })
  return words.join(', ')
}

/** A page, or a sheet and a row. */
type Location = Pick<Card, 'page' | 'sheet' | 'row'>

/** `page 14`, `slide 3`, `Prices, row 12`: where in a document a place is. Without its kind a page is called a page. */
export function locationWords({ page, sheet, row }: Location, kind?: DocumentKind): string {
  if (sheet !== undefined || row !== undefined) return [sheet, row === undefined ? '' : t.viewer.row(i18n.number(row))].filter(Boolean).join(', ')
  if (page === null) return ''
  const group = kind && GROUP[kind]
  if (group === 'slides') return t.frame.slide(page)
  if (group === 'books') return t.frame.chapter(page)
  return group === 'sheets' ? '' : t.frame.page(page)
}
