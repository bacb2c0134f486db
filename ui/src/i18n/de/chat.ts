// Das Gespräch und das Feld, in dem man fragt.
import type { Words } from '../en'
import { counting, plural } from '../plural'

const counted = counting('de-DE')

const passageSays: Words['chat']['reasons']['opposite'] = (words) =>
  words ? `Dort steht ${words.passage}, nicht ${words.claim}` : 'Eine Passage sagt etwas anderes'

export const chat: Words['chat'] = {
  page: 'Gespräch',
  newQuestion: 'Neue Frage',
  loading: 'Das Gespräch wird geöffnet',

  export: 'Exportieren',
  exportTip: 'Das Gespräch als Markdown schreiben',
  exported: (file) => `In ${file} geschrieben`,
  more: 'Umbenennen, löschen, mehr',
  moreNarrow: 'Exportieren, umbenennen, löschen, mehr',
  rename: 'Umbenennen',
  titleOf: 'Titel des Gesprächs',
  delete: 'Löschen…',
  deleteNow: 'Löschen',
  deleteWhat: (title, count) =>
    `„${title}“: ${count === 1 ? 'Die Frage und ihre Antwort werden' : `Die ${count} Fragen und ihre Antworten werden`} vergessen. Ihre Dokumente bleiben.`,
  copyAll: 'Alles kopieren',
  copiedAll: 'Das Gespräch ist kopiert.',

  emptyTitle: 'Fragen Sie Ihre Dokumente',
  emptyLead: 'Jede Antwort nennt die Sätze, auf denen sie beruht. Eine Nummer zeigt die Stelle im Dokument.',
  hints: [
    'Fragen Sie wie jemanden, der alles gelesen hat.',
    'Mit @ wird nur in einer Datei oder einem Ordner gesucht.',
    'Wo es nirgends steht, sagt die Antwort das.',
  ],

  answer: (n) => `Antwort ${n}`,
  earlier: (count) => `${counted(count, 'frühere Frage', 'frühere Fragen')} zeigen`,
  edit: 'Ändern und noch einmal fragen',
  editField: 'Die Frage, um sie noch einmal zu stellen',
  editForgets: (count) =>
    count === 1
      ? 'Die Frage danach wird mit ihrer Antwort vergessen.'
      : `Die ${count} Fragen danach werden mit ihren Antworten vergessen.`,
  searched: (question) => `Gesucht wurde „${question}“`,
  editSearched: 'Ändern, was gesucht wird',
  cite: (n, file, where) => `Passage ${n}, ${file}${where && `, ${where}`}`,
  passage: (n) => `Passage ${n}`,
  reasons: {
    'no-passage': () => 'In Ihren Dokumenten nicht gefunden',
    number: (words) => (words ? `${words.claim} wurde nicht gefunden` : 'Eine Zahl wurde nicht gefunden'),
    name: (words) => (words ? `${words.claim} wurde nicht gefunden` : 'Ein Name wurde nicht gefunden'),
    added: (words) => (words ? `Nicht gefunden: ${words.claim}` : 'Ein Teil davon wurde nicht gefunden'),
    denial: () => 'Eine Passage sagt das Gegenteil',
    'other-number': (words) => passageSays(words),
    'other-unit': (words) => passageSays(words),
    'other-name': (words) => passageSays(words),
    opposite: (words) => passageSays(words),
    otherwise: () => 'Eine Passage sagt etwas anderes',
    'no-claim': () => 'Sagt nichts, was sich prüfen lässt',
  },
  leftOut: (count) =>
    `${counted(count, 'Satz', 'Sätze')} weggelassen: ${count === 1 ? 'Eine Passage sagt' : 'Passagen sagen'} etwas anderes`,
  reasonTip: 'Zeigen, wie der Satz geprüft wurde',

  supported: (done, total) => `${done} von ${counted(total, 'Satz', 'Sätzen')} belegt`,
  quoted: (count) => `${counted(count, 'Satz', 'Sätze')} wörtlich zitiert`,
  quotedNoModel: 'Es ist kein Modell zum Schreiben eingestellt, deshalb wird zitiert.',
  quotedOverruled: 'Was das Modell schrieb, war durch die Passagen nicht belegt, deshalb wird zitiert.',
  quotedPlain: 'Das sind die Worte der Dokumente selbst; kein Modell hat sie geschrieben.',
  unchecked: 'Nicht geprüft',
  firstWord: (time) => `Erstes Wort nach ${time}`,
  stopped: 'Angehalten; was geschrieben wurde, bleibt',
  stoppedBefore: 'Angehalten, bevor etwas geschrieben war',
  whyLong: 'Warum diese Antwort',
  whyShort: 'Warum',
  whyNone: 'Warum keine Antwort',
  copyCited: 'Mit Belegen kopieren',
  copied: 'Kopiert',
  again: 'Noch einmal fragen',

  searching: (sentences) => `${counted(sentences, 'Satz wird', 'Sätze werden')} durchsucht`,
  provisional: (doing) => `Vermutlich so. Zur Sicherheit: ${doing}`,
  readingPassages: (count) => `${counted(count, 'Passage wird', 'Passagen werden')} gelesen`,
  writing: (rate) => `Schreibt, ${counted(rate, 'Wort', 'Wörter')} pro Sekunde`,
  writingSoon: 'Schreibt',
  darkOnceChecked: 'Geprüfte Sätze werden dunkel',
  stopping: 'Wird angehalten',
  stop: 'Anhalten',

  passages: 'Passagen',
  nearest: 'Ähnlichste Passagen',
  mentioned: 'Nennt',
  lacking: 'Fehlt',
  alsoIn: 'Auch in',
  used: (used, read, time) => `${used} verwendet, ${read} gelesen in ${time}`,
  found: (found, read, time) => `${found} gefunden, ${read} gelesen in ${time}`,
  nearestOf: (shown, read, time) => `${shown} von ${read}, in ${time}`,
  score: 'Wonach geordnet ist, 0 bis 1: die Wertung des Rerankers, etwas weniger für jeden Platz nach dem Verschmelzen',
  goneFrom: 'nicht mehr in der Bibliothek',
  openDocument: (file) => `${file} öffnen`,
  noPassages: 'Nichts kam der Frage nahe.',
  widened: (size) => `Passagen für Fenster ${size}; fragen Sie noch einmal, um aus ihnen zu antworten`,

  partFound: 'Gefunden',
  partNotFound: 'Nicht gefunden',
  partsAnswered: (answered, all) => `${answered} von ${all} Teilen beantwortet`,
  sidesFound: (found, all) => `${found} von ${all} Seiten gefunden`,
  partClosest: 'Die ähnlichste Stelle:',
  partInstead: (mentioned, lacking) => `Die ähnlichste Stelle nennt ${mentioned}, aber nicht ${lacking}:`,

  none: 'Das habe ich in Ihren Dokumenten nicht gefunden.',
  noneRead: (read, where) =>
    read === '1'
      ? `Die eine gelesene Passage${where && ` in ${where}`} sagt es nicht.`
      : `Keine der ${read} gelesenen Passagen${where && ` in ${where}`} sagt es.`,
  noneNothing: (where) => `Keine Stelle${where && ` in ${where}`} kam der Frage nahe.`,
  nearestBelow: 'Die ähnlichsten stehen darunter.',
  instead: (mentioned, lacking) => `Die ähnlichste nennt ${mentioned}, aber nicht ${lacking}.`,
  confidence: (percent, limit) => `Wahrscheinlichkeit, dass die Antwort hier steht: ${percent} %; ab ${limit} % antwortet Oriel`,
  confidenceModel: (percent) => `Wahrscheinlichkeit, dass die Antwort hier steht: ${percent} %, doch das Modell fand keine`,
  waysOn: 'Was Sie versuchen können',
  waySuggested: (question) => `Die ähnlichste Passage beantwortet „${question}“`,
  waySuggestedButton: 'Das fragen',
  wayAll: (where) => `Überall suchen; diese Frage galt nur ${where}`,
  wayAllButton: 'Alle Ordner durchsuchen',
  wayMentions: (words, figure) =>
    `Jede Datei auflisten, die „${words}“ erwähnt, ${figure === '1' ? 'die eine' : figure ? `alle ${figure}` : 'alle'} von Anfang bis Ende gelesen`,
  wayMentionsButton: 'Erwähnungen auflisten',
  wayFile: 'Eine bestimmte Datei erwartet? Sehen Sie, ob sie gelesen wurde und wo sie stand',
  wayFileButton: 'Datei wählen…',
  wayFailed: (count, where) =>
    `${counted(count, 'Datei', 'Dateien')}${where && ` in ${where}`} ${plural(count, 'war', 'waren')} nicht lesbar und ${plural(count, 'wurde', 'wurden')} nicht durchsucht`,
  wayFailedButton: 'Anzeigen',
  narrowed: 'einem Teil Ihrer Dokumente',

  unread: (count, shown) => `${shown} ${plural(count, 'Datei ist', 'Dateien sind')} noch nicht gelesen.`,
  unembedded: (count, shown) =>
    `${shown} ${plural(count, 'Satz ist', 'Sätze sind')} noch nicht nach dem Sinn zu finden, nur nach den Wörtern.`,
  wasMissing: 'Als gefragt wurde, war die Bibliothek noch nicht ganz gelesen; jetzt ist sie es.',
  againReady: 'Noch einmal fragen, sobald bereit',
  againWaiting: 'Sobald es so weit ist, wird von selbst noch einmal gefragt.',
  againNot: 'Nicht noch einmal fragen',

  ask: 'Fragen',
  question: 'Frage',
  first: 'Stellen Sie eine Frage, oder nennen Sie mit @ eine Datei oder einen Ordner',
  firstShort: 'Fragen Sie, oder tippen Sie @',
  follow: 'Fragen Sie nach, oder nennen Sie mit @ eine Datei oder einen Ordner',
  followShort: 'Fragen Sie nach, oder tippen Sie @',
  other: 'Fragen Sie mit anderen Worten, oder nennen Sie mit @ eine Datei',
  next: 'Die nächste Frage können Sie schon tippen',
  remove: (name) => `${name} entfernen`,
  openAgain: 'Noch einmal versuchen',
  removeGone: (name) => `${name} entfernen, nicht mehr in der Bibliothek`,
  files: 'Dateien und Ordner',
  filesFound: (count) => `${counted(count, 'Name', 'Namen')}, Pfeiltasten wählen, die Eingabetaste übernimmt`,
  noFiles: 'Keine Datei und kein Ordner heißt so.',
  folderSize: (count, shown) => `${shown} ${plural(count, 'Datei', 'Dateien')}`,
  anyKind: 'Jede Art',
  kinds: 'Arten von Dateien',
  anySender: 'Alle Absender',
  senders: 'Absender von Mails',
  senderField: 'Nur Mails von',
  senderPlaceholder: 'Name oder Adresse, Enter',
  anyDate: 'Jedes Datum',
  dates: 'Wann die Datei geändert oder die Mail gesendet wurde',
  since: (date) => `Seit ${date}`,
  until: (date) => `Bis ${date}`,
  between: (since, until) => `${since} bis ${until}`,
  sinceField: 'Geändert seit',
  untilField: 'Geändert bis',
  lastMonth: 'Letzte 30 Tage',
  lastYear: 'Letzte 12 Monate',
  thisYear: 'Dieses Jahr',
  moreFilters: 'Mehr',
  window: 'Fenster',
  windowChip: (size) => `Fenster ${size}`,
  windowField: 'Sätze davor und danach',
  windowSize: (before, after) => {
    if (before !== after) return `${before} davor, ${after} danach`
    return before === 0 ? 'nur der Satz selbst' : `${counted(before, 'Satz', 'Sätze')} davor und danach`
  },
  windowSign: (before, after) => (before === after ? `±${before}` : `−${before} +${after}`),

  editLast: 'Die letzte Frage ändern',
  stopAnswer: 'Die Antwort anhalten',
  openNth: (n) => `Passage ${n} öffnen`,
  wider: 'Fenster weiter',
  narrower: 'Fenster enger',
  exportAll: 'Dieses Gespräch als Markdown exportieren',
  spokenFound: (count) => `${counted(count, 'Passage', 'Passagen')} gefunden.`,
}
