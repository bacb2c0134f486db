// Die Liste unter einer Anzahl: alle Dokumente, die etwas erwähnen.
import type { Words } from '../en'
import { counting } from '../plural'

const counted = counting('de')

export const survey: Words['survey'] = {
  reading: (read, all) => `${read} von ${counted(all, 'Datei', 'Dateien')} gelesen`,
  read: (read, total, folder) =>
    `${read} von ${counted(total, 'Datei', 'Dateien')}${folder === null ? '' : ` in ${folder}`} vollständig gelesen.`,
  unreadable: (count) => `${count} ${count === 1 ? 'war' : 'waren'} nicht lesbar.`,
  waiting: (count) => `${count} ${count === 1 ? 'ist' : 'sind'} noch nicht gelesen.`,
  show: 'Anzeigen',
  checked: (sentences, time) => `${counted(sentences, 'Satz', 'Sätze')} in ${time} verglichen`,
  how: 'Wie gezählt wurde',
  howLooked: (thing, folder) => `Oriel hat nach „${thing}“${folder === null ? '' : ` in ${folder}`} gesucht.`,
  howCompared: (sentences, documents) =>
    sentences === 0
      ? 'Das Modell für den Sinn war nicht da, deshalb kamen nur Sätze mit den Wörtern selbst in Frage.'
      : `${counted(sentences, 'Satz', 'Sätze')} aus ${counted(documents, 'Dokument', 'Dokumenten')} wurden damit verglichen, nach Sinn und nach Wörtern.`,
  howChecked: (count) =>
    count === 0
      ? 'Kein Prüfer konnte sie lesen, deshalb zählt ein Satz, wenn er alle Wörter enthält.'
      : `Die ähnlichsten jedes Dokuments, insgesamt ${counted(count, 'Satz', 'Sätze')}, las ein Prüfer; er sagt, wie wahrscheinlich jeder es erwähnt.`,
  howCertain: (certain, least) => `Ab ${certain} % ist ein Dokument sicher, ab ${least} % zu prüfen.`,
  howReviewed: (included, leftOut) => `Sie haben ${included} mitgezählt und ${leftOut} weggelassen.`,
  howMissing: (count) =>
    `${counted(count, 'nicht gelesene Datei erwähnt', 'nicht gelesene Dateien erwähnen')} es vielleicht auch.`,
  howTime: (time) => `Alles zusammen dauerte ${time}, auf diesem Rechner.`,
  certain: (count) => `${count} sicher`,
  review: (count) => `${count} zu prüfen`,
  reviewNote: 'sie meinen vielleicht etwas anderes',
  sentences: (count) => counted(count, 'Satz', 'Sätze'),
  order: 'Reihenfolge',
  byName: 'Nach Name',
  byDate: 'Nach Datum',
  byCount: 'Nach Anzahl',
  more: (count) => `${count} weitere anzeigen`,
  others: (count, name) => `${count === 1 ? 'Den anderen Satz' : `Die anderen ${count} Sätze`} aus ${name} anzeigen`,
  fewer: (name) => `Die anderen Sätze aus ${name} ausblenden`,
  include: 'Mitzählen',
  leaveOut: 'Weglassen',
  included: 'Mitgezählt',
  leftOut: 'Weggelassen',
  takeBack: 'Rückgängig',
  copy: 'Liste kopieren',
  copied: 'Liste kopiert',
  save: 'Als CSV speichern…',
  list: 'Dokumente, die es erwähnen',
  reviewList: 'Dokumente zum Prüfen',
}
