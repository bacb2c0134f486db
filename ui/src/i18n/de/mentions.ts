// Die Liste aller Erwähnungen.
import type { Words } from '../en'

const files = (count: number, figure: string) => (count === 1 ? '1 Datei' : `${figure} Dateien`)
const sentences = (count: number, figure: string) => (count === 1 ? '1 Satz' : `${figure} Sätze`)

export const mentions: Words['mentions'] = {
  action: 'Alle Erwähnungen auflisten von…',
  title: 'Alle Erwähnungen',
  lead: 'Nennen Sie, was Sie suchen. Aufgelistet wird jede Datei mit einem Satz, der alle Wörter enthält, in allen Formen.',
  looking: (count, figure) => `${files(count, figure)} ${count === 1 ? 'wird' : 'werden'} durchgesehen`,
  found: (count, figure, words) => `${files(count, figure)} ${count === 1 ? 'erwähnt' : 'erwähnen'} „${words}“`,
  notWhole: 'Kein Satz enthält alle diese Wörter',
  nowhere: (words) => `Keine Datei erwähnt „${words}“`,
  nearest: (count, figure) =>
    count === 1
      ? 'Die Datei, die dem am nächsten kommt, steht unten.'
      : `Die ${figure} Dateien, die dem am nächsten kommen, stehen unten, die mit den meisten Wörtern zuerst.`,
  sentences: (count, figure) => `Insgesamt ${sentences(count, figure)}.`,
  read: (count, figure, where) =>
    `${count === 1 ? '1 Datei wurde' : `${figure} Dateien wurden`} von Anfang bis Ende durchgesehen${where && `, in ${where}`}.`,
  unread: (count, figure) =>
    `${files(count, figure)} ${count === 1 ? 'war' : 'waren'} nicht oder noch nicht lesbar und ${count === 1 ? 'fehlt' : 'fehlen'} in dieser Liste.`,
  field: 'Wörter, die gesucht werden',
  list: 'Erwähnungen auflisten',
  back: 'Zurück zu den Fragen',
  lookedFor: 'Gesucht wurde',
  held: (count, figure) => (count === 0 ? 'nirgends' : count === 1 ? 'in 1 Satz' : `in ${figure} Sätzen`),
  noWord: 'Darin ist kein Wort, nach dem gesucht werden könnte. Nennen Sie, was Sie suchen.',
  files: 'Dateien, die die Wörter erwähnen',
  some: (words, all) => `${words} von ${all} Wörtern`,
  count: sentences,
  moreOf: (left, figure, name) =>
    left === 1 ? `1 weitere in ${name} zeigen` : `Mehr von den übrigen ${figure} in ${name} zeigen`,
}
