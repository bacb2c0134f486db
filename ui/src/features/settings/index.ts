// Which settings there are, on which page, and how they are found by their words.
import type { Words } from '../../i18n/en'
import { i18n } from '../../i18n/index.svelte'
import type { SettingsPage } from '../../state/navigation.svelte'
import { fold } from '../dialogs/fold'

export type Item = keyof Words['settings']['items']

/** The pages as the rail lists them. */
export const groups: { group: keyof Words['settings']['groups']; pages: SettingsPage[] }[] = [
  { group: 'app', pages: ['general', 'appearance', 'keyboard'] },
  { group: 'library', pages: ['folders', 'indexing', 'answers', 'where', 'storage'] },
  { group: 'machine', pages: ['models', 'programs', 'privacy', 'about'] },
]

/** The page of each setting. */
export const pageOf: Record<Item, SettingsPage> = {
  language: 'general',
  closeToTray: 'general',
  notify: 'general',
  theme: 'appearance',
  textSize: 'appearance',
  folders: 'folders',
  excludes: 'folders',
  paused: 'indexing',
  savePower: 'indexing',
  rescan: 'indexing',
  failures: 'indexing',
  before: 'answers',
  after: 'answers',
  candidates: 'answers',
  passages: 'answers',
  backup: 'storage',
  restore: 'storage',
  compact: 'storage',
  check: 'storage',
  embedder: 'models',
  reranker: 'models',
  generator: 'models',
  server: 'where',
  index: 'where',
  freeAfter: 'models',
  device: 'models',
  threads: 'models',
  download: 'models',
  importModel: 'models',
  otherPrograms: 'programs',
  hiddenFolders: 'programs',
  localAddress: 'programs',
}

export interface Hit {
  page: SettingsPage
  /** The setting; the page itself where `null`. */
  item: Item | null
  label: string
}

/** Pages and settings that hold every word of `query` in name, explanation or the words beside it; names first. */
export function findSettings(query: string): Hit[] {
  const words = i18n.words.settings
  const parts = fold(query).split(/\s+/).filter(Boolean)
  if (parts.length === 0) return []
  const pages: (Hit & { text: string })[] = groups
    .flatMap(({ pages }) => pages)
    .map((page) => ({ page, item: null, label: words.pages[page], text: words.about[page] }))
  const items = (Object.keys(pageOf) as Item[]).map((item) => {
    const { label, about, also } = words.items[item]
    return { page: pageOf[item], item, label, text: `${about} ${also} ${words.pages[pageOf[item]]}` }
  })
  const rank = ({ label, text }: { label: string; text: string }) => {
    const [name, all] = [fold(label), fold(`${label} ${text}`)]
    if (!parts.every((part) => all.includes(part))) return null
    return parts.every((part) => name.includes(part)) ? 0 : 1
  }
  return [...pages, ...items]
    .map((hit) => ({ hit, at: rank(hit) }))
    .filter(({ at }) => at !== null)
    .sort((a, b) => a.at! - b.at!)
    .map(({ hit: { page, item, label } }) => ({ page, item, label }))
}
