// Eine Tabelle über Dokumente.
import type { Words } from '../en'
import { counting } from '../plural'

const counted = counting('de')
const documents = (count: number) => counted(count, 'Dokument', 'Dokumente')

export const table: Words['table'] = {
  make: 'Tabelle erstellen…',
  open: 'Tabelle öffnen',
  asked: (count, folder, columns) =>
    `Als Tabelle: eine Zeile für jedes von ${counted(count, 'Dokument', 'Dokumenten')}${folder === null ? '' : ` in ${folder}`}, mit ${columns}.`,
  title: (thing, count) => `${documents(count)}: ${thing}`,
  makeTitle: (count) => `Eine Tabelle aus ${counted(count, 'Dokument', 'Dokumenten')}`,
  makeLead: 'Eine Zeile pro Dokument, eine Spalte pro Frage. Jede Zelle zitiert die Wörter, die antworten, oder sagt, dass nichts gefunden wurde.',
  questions: 'Fragen',
  question: (n) => `Frage ${n}`,
  another: (most) => `Noch eine Frage, höchstens ${most}`,
  drop: 'Diese Frage weglassen',
  from: 'Aus',
  listed: (count) => (count === 1 ? 'Dem aufgelisteten Dokument' : `Den ${count} aufgelisteten Dokumenten`),
  everything: (count) => (count === 1 ? 'Dem durchsuchten Dokument' : `Allen ${count} durchsuchten Dokumenten`),
  choose: 'Auswählen…',
  which: 'Name eines Ordners oder Dokuments',
  makeChosen: 'Eine Tabelle aus ausgewählten Dokumenten',
  cellsAtMost: (count) => `Höchstens ${counted(count, 'Zelle', 'Zellen')}, auf diesem Rechner`,
  cells: (count) => `${counted(count, 'Zelle', 'Zellen')}, auf diesem Rechner`,
  cancel: 'Abbrechen',
  start: 'Tabelle erstellen',
  proposals: (thing) => [`Was steht darin über ${thing}?`, 'Zwischen wem gilt es?', 'Wann beginnt es?'],
  back: 'Zurück zur Antwort',
  save: 'Als CSV speichern…',
  stop: 'Anhalten',
  stopping: 'Wird angehalten…',
  goOn: 'Den Rest lesen',
  progress: (rows, all, time) => `${rows} von ${documents(all)} gelesen${time === null ? '' : `, noch etwa ${time}`}`,
  document: 'Dokument',
  answered: (answered, all) => `${answered} von ${all}`,
  none: 'Kein Dokument beantwortet das',
  notFound: 'nicht gefunden',
  notRead: 'noch nicht gelesen',
  unsure: 'unsicher',
  disagree: (count) => `${count} Stellen widersprechen sich`,
  add: 'Frage hinzufügen',
  change: (question) => `„${question}“ ändern oder weglassen`,
  sort: (question) => `Nach „${question}“ sortieren`,
  filled: (done, all) => `${done} von ${all} gefüllt`,
  missing: (count) => `${count} nicht gefunden`,
  conflicts: (count) => counted(count, 'Widerspruch', 'Widersprüche'),
  page: 'Tabelle',
}
