// The words of frame, in German.
import type { Words } from '../en'

export const frame: Words['frame'] = {
  app: 'Oriel',
  close: 'Schließen',
  cancel: 'Abbrechen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  offline: 'Offline',
  page: (page) => `Seite ${page}`,
  pageOf: (page, pages) => `Seite ${page} von ${pages}`,
  about: (left) => `etwa ${left}`,
  more: (left, figure) => (left === 1 ? '1 weitere zeigen' : `Mehr von den übrigen ${figure} zeigen`),
  of: (done, total) => `${done} von ${total}`,
  kinds: { pdf: 'PDF', docx: 'Word', md: 'Markdown', html: 'HTML', txt: 'Text' },
}
