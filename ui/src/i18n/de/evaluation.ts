// Wie gut die Bibliothek Fragen aus den eigenen Dokumenten beantwortet.
import type { Words } from '../en'
import type { Arm } from '../../ipc/types'
import { counting } from '../plural'

const counted = counting('de-DE')
const questions = (count: number) => counted(count, 'Frage', 'Fragen')
const arms: Record<Arm, string> = {
  oriel: 'Oriel, wie eingestellt',
  unmerged: 'Fenster nicht vereint',
  'no-rerank': 'Ohne Reranker',
  dense: 'Nur nach Bedeutung',
  sparse: 'Nur nach Wörtern',
  'chunks-512': 'Stücke zu 512 Token',
  'chunks-100': 'Stücke zu 100 Zeichen',
  recursive: 'Rekursive Stücke',
}

export const evaluation: Words['evaluation'] = {
  page: 'Auswertung',
  lead: 'Eine Prüfung an Ihren eigenen Dokumenten: wie oft Oriel den richtigen Satz findet, und ob man seinen Angaben trauen kann.',
  reviewLead: 'Behalten Sie die Fragen, die jemand wirklich stellen könnte. Lassen Sie die übrigen weg.',
  parts: 'Was zu sehen ist',
  results: 'Ergebnisse',
  questions: (count) => `Fragen ${count}`,
  runs: (count) => `Frühere Läufe ${count}`,

  emptyTitle: 'Wie gut antwortet Oriel aus Ihren Dokumenten?',
  emptyLead:
    'Oriel macht Fragen aus einzelnen Sätzen Ihrer Dokumente, und Sie sehen sie durch. Dann stellt es jede davon und zählt, wie oft es den Satz findet. Nichts verlässt diesen Rechner.',
  make: (count) => `${questions(count)} aus meinen Dokumenten erstellen`,
  makeMore: (count) => `${counted(count, 'weitere Frage', 'weitere Fragen')} erstellen`,
  addFile: 'Datei mit Fragen öffnen…',
  added: (file, count) =>
    count === 0 ? `${file} enthält keine Frage, die nicht schon hier ist.` : `${questions(count)} aus ${file} hinzugefügt und behalten.`,
  noModel: 'Fragen erstellt das Modell, das Antworten schreibt, und keines wird benutzt. Wählen Sie eines in den Einstellungen, oder öffnen Sie eine Datei mit Fragen.',
  toModels: 'Modell wählen',
  making: (done, total, left) => `${done} von ${total} erstellt${left && `, noch etwa ${left}`}`,
  makingName: 'Fragen, die erstellt werden',
  stop: 'Anhalten',

  reviewed: (kept, out, open) => `${kept} behalten, ${out} weggelassen, ${open} durchzusehen`,
  reviewedName: 'Durchgesehen',
  needs: (count) => `Für einen Lauf fehlen noch ${count} behaltene.`,
  list: 'Fragen zum Durchsehen',
  kept: 'Behalten',
  leftOut: 'Weggelassen',
  keep: 'Behalten',
  leaveOut: 'Weglassen',
  edit: 'Diese Frage ändern',
  field: 'Die Frage',
  openPlace: (place) => `${place}: Stelle der Antwort öffnen`,
  forget: 'Alle Fragen vergessen',
  forgetWhat: (count) => `${questions(count)} und Ihre Entscheidungen dazu werden vergessen. Ihre Dokumente und die Ergebnisse bleiben.`,
  next: 'nächste',
  previous: 'vorige',
  keepKey: 'behalten',
  leaveOutKey: 'weglassen',
  editKey: 'ändern',
  nextQuestion: 'Nächste Frage zum Durchsehen',
  previousQuestion: 'Vorige Frage zum Durchsehen',
  keepQuestion: 'Frage behalten',
  leaveOutQuestion: 'Frage weglassen',
  editQuestion: 'Frage ändern',

  answers: 'Jede Frage beantworten und die Antworten prüfen',
  compareSettings: 'Mit anderen Einstellungen vergleichen',
  comparePieces: 'Mit Stücken vergleichen, in die die meisten Programme Dokumente schneiden; bettet jedes Dokument dreimal ein',
  run: (count) => `Mit ${count} starten`,
  runAgain: (left) => (left ? `Noch einmal starten, etwa ${left}` : 'Noch einmal starten'),
  finding: 'Die Stellen der Antworten werden gesucht',
  embedding: (arm) => `${arms[arm]}: Dokumente werden eingebettet`,
  asking: (arm) => `${arms[arm]}: Fragen werden gestellt`,
  step: (what, done, total, left) => `${what}, ${done} von ${total}${left && `, noch etwa ${left}`}`,
  starting: 'Die Modelle werden geladen',
  progress: 'Der Lauf',
  waits: 'wartet',
  save: 'Bericht speichern…',
  saved: (file) => `Der Bericht ist als ${file} gespeichert.`,
  noRuns: 'Noch ist nichts gemessen. Behalten Sie die guten Fragen, und starten Sie dann.',
  ran: (when, files, sentences) =>
    `Lauf ${when}, ${counted(files, 'Datei', 'Dateien')}, ${counted(sentences, 'Satz', 'Sätze')}. Spannen sind 95-%-Intervalle.`,
  stopped: (done, all) => `Angehalten nach ${done} von ${questions(all)}.`,
  stoppedComparing: 'Angehalten, bevor jede Einstellung verglichen war.',
  part: (done, all) => `${done} von ${questions(all)}`,
  missing: (count) =>
    count === 1
      ? 'Eine Datei oder Passage, nach der gefragt wird, ist nicht in der Bibliothek; ihre Fragen zählen als verfehlt.'
      : `${counted(count, 'Datei oder Passage', 'Dateien oder Passagen')}, nach denen gefragt wird, sind nicht in der Bibliothek; ihre Fragen zählen als verfehlt.`,

  percent: (share) => `${share} %`,
  between: (share, low, high) => (low === high ? `${share} %` : `${share} %, zwischen ${low} und ${high}`),
  range: (low, high) => `${low} bis ${high}`,
  both: (one, oneLow, oneHigh, other, otherLow, otherHigh) => `${one} % (${oneLow} bis ${oneHigh}) und ${other} % (${otherLow} bis ${otherHigh})`,
  first: (right, all) => `Bei ${right} von ${questions(all)} steht der richtige Satz an erster Stelle.`,
  firstDocument: (right, all) => `Bei ${right} von ${questions(all)} steht das richtige Dokument an erster Stelle.`,
  firstFive: (right) => `Bei ${right} davon ist er unter den ersten fünf Passagen.`,
  grounded: (supported, written) =>
    written === 1
      ? `${supported} von 1 geschriebenen Satz ist durch seine Passage belegt.`
      : `${supported} von ${counted(written, 'geschriebenem Satz', 'geschriebenen Sätzen')} sind durch ihre Passage belegt.`,
  relevant: (share) => `${share} % des Textes von fünf Passagen sind der Satz mit der Antwort.`,
  refused: (answered, without, refused, withAnswer) =>
    `Von ${questions(without)} ohne Antwort beantwortete Oriel ${answered}, von ${withAnswer} mit Antwort wies es ${refused} ab.`,
  refusedOnly: (refused, all) => `Von ${questions(all)} mit Antwort wies Oriel ${refused} ab.`,

  arms,
  settings: 'Findet eine andere Einstellung mehr?',
  setting: 'Einstellung',
  better: (names) => `Ja: ${names}.`,
  allWorse: 'Nein. Alle sind deutlich schlechter.',
  noDifference: 'Kein deutlicher Unterschied.',
  someWorse: (worse, all) => `Nein. Deutlich schlechter: ${worse} von ${all} (grau: kein deutlicher Unterschied).`,
  verticalLine: 'Die senkrechte Linie ist die jetzige Einstellung.',
  foundFirst: (from) => `Zuerst gefunden, ${from} bis 100 %`,
  value: '%',
  against: 'Gegen die jetzige',
  interval: '95-%-Intervall',
  inUse: 'In Gebrauch',
  fiveColumn: 'Erste fünf, %',
  relevantColumn: 'Treffend, %',
  relevantTip: 'Kontextpräzision: der Anteil des gezeigten Textes, der der Satz mit der Antwort ist',

  trust: 'Stimmt die Prozentzahl?',
  trustAnswer: (says, found) =>
    `Wenn Oriel ${says} % sagt, war die Antwort in etwa ${found} von 100 Fällen da. Balken: wie oft es das sagte.`,
  trustPlot: 'Was Oriel sagte, gegen das, was zutraf',
  says: 'Oriel sagt, %',
  wasThere: 'Die Antwort war da, %',
  count: 'Fragen',

  depth: 'Wie viele Passagen muss man lesen?',
  depthAnswer: (one, five) => `Eine bei ${one} % der Fragen, fünf bei ${five} %. Nach der Zahl gelesener Passagen; schattiert: 95-%-Intervall.`,
  depthPlot: 'Anteil der Fragen, deren Antwort unter den ersten Passagen ist',
  oriel: 'Oriel',
  depths: ['Erste, %', 'Erste 3, %', 'Erste 5, %', 'Erste 10, %'],

  supported: 'Belegen die Passagen, was geschrieben wird?',
  supportedAnswer: (share, name) => `${name}: ${share} % der geschriebenen Sätze.`,
  lastRuns: 'Jedes Modell nach seinem letzten Lauf.',
  supportedPlot: 'Anteil geschriebener Sätze, die ihre Passage belegt, nach Modell',
  model: 'Modell',
  supportedColumn: 'Belegt, %',
  quotesOnly: 'Nur Zitate',
  passagesOnly: 'Nur Passagen',

  time: 'Wo bleibt die Zeit?',
  timeAnswer: (median, most) => `Die Hälfte der Fragen braucht weniger als ${median}, 95 % weniger als ${most}. Mediane, auf diesem Rechner.`,
  timePlot: 'Zeit einer Frage nach Abschnitt',
  median: 'Median',
  most: '95 %',
  stages: { search: 'Suchen', rerank: 'Ordnen', read: 'Lesen', write: 'Schreiben', quote: 'Zitieren', check: 'Prüfen' },

  date: 'Datum',
  show: 'Zeigen',
  shown: 'Zu sehen',
}
