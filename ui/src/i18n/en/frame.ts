// What belongs to no single feature.
export const frame = {
  app: 'Oriel',
  close: 'Close',
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  offline: 'Offline',
  page: (page: number) => `page ${page}`,
  pageOf: (page: number, pages: number) => `page ${page} of ${pages}`,
  about: (left: string) => `about ${left}`,
  more: (left: number, figure: string) => (left === 1 ? 'Show 1 more' : `Show more of the other ${figure}`),
  of: (done: string, total: string) => `${done} of ${total}`,
  kinds: { pdf: 'PDF', docx: 'Word', md: 'Markdown', html: 'HTML', txt: 'Text' },
}
