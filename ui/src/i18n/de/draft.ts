// Ein Entwurf, der mit den Dokumenten abgeglichen wird.
import type { Words } from '../en'
import { counting } from '../plural'

const counted = counting('de-DE')
const sentences = (count: number) => counted(count, 'Satz', 'Sätze')

export const draft: Words['draft'] = {
  page: 'Entwurf prüfen',
  title: 'Stimmt es mit Ihren Dokumenten überein?',
  lead: 'Fügen Sie einen Text ein. Oriel prüft jeden Satz und zeigt die Passage, die ihn belegt oder ihm widerspricht, oder sagt, dass nichts gefunden wurde.',
  field: 'Der Text, der geprüft wird',
  placeholder: 'Fügen Sie einen Text ein, oder legen Sie eine Datei hier ab',
  drop: 'Datei ablegen, um ihren Text zu prüfen',
  dropNote: 'Eine Datei kommt nicht in Ihre Bibliothek; ein Ordner schon.',
  size: (count, left) => `${sentences(count)}${left && `, etwa ${left}`}`,
  tooMany: (checked, left) => `Nur die ersten ${sentences(checked)} werden geprüft, ${counted(left, 'weiterer', 'weitere')} nicht.`,
  chooseFile: 'Datei wählen…',
  check: (count) => (count === 0 ? 'Prüfen' : `${sentences(count)} prüfen`),
  stays: 'Der Text bleibt auf diesem Rechner und kommt nicht in Ihre Bibliothek. Er ist vergessen, wenn Sie Oriel schließen, außer Sie speichern den Bericht.',
  earlier: 'Zurück zum früheren Entwurf',
  where: 'Wo gesucht wird',
  allFolders: 'Alle Ordner',
  folders: (count) => counted(count, 'Ordner', 'Ordner'),

  edit: 'Entwurf ändern',
  copy: 'Entwurf kopieren',
  copied: 'Der Entwurf ist kopiert.',
  save: 'Bericht speichern…',
  reportTitle: (name) => (name ? `Prüfung von ${name}` : 'Prüfung eines Entwurfs'),
  more: 'Ändern, kopieren, speichern',
  checking: (done, all) => `Satz ${done} von ${all} wird geprüft`,
  result: (supported, all) => {
    if (all === 0) return 'In diesem Text gibt es nichts zu prüfen.'
    return all === 1
      ? `Ihre Dokumente belegen diesen Satz${supported === 1 ? '' : ' nicht'}.`
      : `Ihre Dokumente belegen ${supported} dieser ${sentences(all)}.`
  },
  stopped: (left) => `Angehalten; ${sentences(left)} nicht geprüft.`,
  goOn: 'Den Rest prüfen',
  took: (files, time) => `${counted(files, 'Datei', 'Dateien')}, ${time}`,
  tabs: 'Welche Befunde zu sehen sind',
  all: 'Alle',
  verdicts: { supported: 'Belegt', contradicted: 'Widerspruch', 'not-found': 'Nicht gefunden' },
  nothing: 'Nichts zu prüfen',
  again: 'Wird noch einmal geprüft',
  noRows: 'Kein Satz hat diesen Befund.',
  rows: 'Sätze des Entwurfs',
  place: (file, page) => (page ? `${file}, ${page}` : file),
  morePlaces: (count) => counted(count, 'weitere Stelle', 'weitere Stellen'),
  closest: (text) => `Am ähnlichsten: ${text}`,
  notClose: 'Keine Passage kommt in die Nähe',
  replace: (from, to) => `${from} durch ${to} ersetzen`,
  editRow: 'Satz ändern',
  editField: 'Der Satz, um ihn noch einmal zu prüfen',
  next: 'nächster',
  previous: 'voriger',
  nextProblem: 'nächstes Problem',
  open: 'im Dokument öffnen',
  editKey: 'ändern',
  of: (at, all) => `${at} von ${all}`,
  nextSentence: 'Nächster Satz des Entwurfs',
  previousSentence: 'Voriger Satz des Entwurfs',
  nextProblemSentence: 'Nächster Satz, der nicht belegt ist',
  undo: 'Letzte Änderung am Entwurf rückgängig machen',
  stop: 'Prüfung anhalten',

  selected: 'Ausgewählter Text',
  checkSelected: 'Mit meinen Dokumenten abgleichen',
  askSelected: 'Dazu fragen',
}
