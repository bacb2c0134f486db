// The words of why, in German.
import type { Words } from '../en'
import { counting } from '../plural'

const counted = counting('de-DE')

const figure = new Intl.NumberFormat('de-DE')

export const why: Words['why'] = {
  title: 'Warum diese Antwort',
  notFound: 'Warum fehlt eine Datei?',
  close: 'Erklärung schließen',
  waits: 'Steht hier, sobald die Frage beantwortet ist.',
  searched: 'Gesucht wurde:',
  wordings: 'Außerdem gesucht:',
  quoted: (words) => `„${words}“`,

  times: 'Zeiten',
  inAll: (time) => `${time} insgesamt`,
  firstWord: (time) => `Erstes Wort nach ${time}`,
  stage: { search: 'Suchen', rerank: 'Bewerten', read: 'Lesen', write: 'Schreiben', check: 'Prüfen' },

  sentences: (count) => (count === 1 ? 'Satz' : 'Sätze'),
  afterMerging: (count) => (count === 1 ? 'Passage nach dem Verbinden' : 'Passagen nach dem Verbinden'),
  used: 'verwendet',
  ofTokens: (limit) => `von ${counted(limit, 'Token', 'Token')}`,
  tokensOf: (tokens, limit) => `${tokens} von ${counted(limit, 'Token', 'Token')}`,
  refusal: (percent) => `${percent} %, dass das Modell darin keine Antwort findet`,
  phrase: (percent) => `${percent} %, dass es die Antwort ist`,

  stages: 'Stufe',
  allStages: 'Alle Stufen',
  allTip: 'Jede Passage, nach ihrem Verbleib',
  meaning: 'Sinn',
  meaningTip: 'Nach dem Sinn gefunden (dense): Kosinus und Rang',
  words: 'Wörter',
  wordsTip: 'Nach Wörtern gefunden (sparse): BM25 und Rang',
  fused: 'Vereint',
  fusedTip: 'Beide Listen vereint: Reciprocal Rank Fusion',
  rerank: 'Wertung',
  reranked: 'Bewertet',
  rerankTip: 'Frage und Passage zusammen gelesen: Wertung des Rerankers, 0 bis 1',
  rerankAlone: (score) => `Der Reranker allein: ${score}`,
  orderTip: 'Die beste zuerst: die Wertung des Rerankers, etwas weniger für jeden Platz nach dem Verschmelzen.',
  passage: 'Passage',

  group: { used: 'Verwendet', shown: 'Gezeigt', cut: 'Weggelassen', below: 'Weggelassen' },
  groupOf: {
    used: (count, n) => (count === 1 ? `${n} Passage` : `${n} Passagen`),
    shown: (count, n) => (count === 1 ? `${n} Passage, für die Antwort nicht gelesen` : `${n} Passagen, für die Antwort nicht gelesen`),
    cut: (count, n) => (count === 1 ? `${n} aus Platzmangel oder als Wiederholung` : `${n} aus Platzmangel oder als Wiederholungen`),
    below: (_, n) => `${n} mit geringerer Wertung`,
  },
  merged: (windows, first, last) => {
    const from = windows === 1 ? 'Ein Fenster' : `Aus ${windows} Fenstern verbunden`
    return last === null ? `${from}, Satz ${first}` : `${from}, Sätze ${first} bis ${last}`
  },
  behind: 'Zu weit hinter der besten, um für die Antwort gelesen zu werden',
  sameText: (n) => `Gleicher Text wie Passage ${n}`,
  noRoom: (tokens, left) => `Braucht ${counted(tokens, 'Token', 'Token')}, ${counted(left, 'ist', 'sind')} übrig`,
  usedAs: (n) => `Verwendet als Passage ${n}`,
  shownAs: (n) => `Gezeigt als Passage ${n}, für die Antwort nicht gelesen`,
  scoredLower: 'Andere wurden höher bewertet',
  left: 'Dieses Dokument ist nicht mehr in der Bibliothek',
  rank: (rank) => `${figure.format(rank)}.`,
  notAmong: (taken) => `Nicht unter den ersten ${taken}`,
  notThere: 'So nicht gefunden',
  more: (count) => `${count} weitere zeigen`,

  prompt: 'Prompt',

  check: 'Prüfung',
  supportedOf: (supported, all) => (all === 1 ? `${supported} von 1 Satz belegt` : `${supported} von ${all} Sätzen belegt`),
  supports: (count) => (count === 1 ? 'Die genannte Passage sagt das' : 'Die genannten Passagen sagen das'),
  supportedPlain: 'Nichts zu belegen',

  whichFile: 'Welche Datei haben Sie erwartet?',
  files: 'Dateien',
  noQuestion: 'Stellen Sie zuerst eine Frage: Danach steht hier, an welcher Stelle eine Datei dabei lag.',
  noSuchFile: (query) => `Keine Datei der Bibliothek hat „${query}“ im Namen. Vielleicht wird ihr Ordner nicht gelesen, oder sie ist ausgenommen.`,
  another: 'Andere Datei',
  looking: (sentences) => `${counted(sentences, 'Satz wird', 'Sätze werden')} mit der Frage verglichen`,
  waiting: 'Sie ist noch nicht gelesen. Fragen Sie noch einmal, wenn sie an der Reihe war.',
  failed: (reason) => `Sie ließ sich nicht lesen: ${reason}`,
  outsideScope: 'Die Frage hat anderswo gesucht: Ihr Bereich lässt diese Datei aus.',
  noSentences: 'Sie enthält keine Sätze.',
  noMeaning: 'Keiner ihrer Sätze lässt sich schon nach dem Sinn finden, nur nach Wörtern.',
  someMeaning: (count, n, all) =>
    count === 1
      ? `Einer ihrer ${all} Sätze lässt sich noch nicht nach dem Sinn finden.`
      : `${n} ihrer ${all} Sätze lassen sich noch nicht nach dem Sinn finden.`,
  nothingNear: 'Keiner ihrer Sätze liegt nahe an der Frage, weder nach dem Sinn noch nach Wörtern.',
  nearByMeaning: (rank, needed) => `Nach dem Sinn ist ihr bester Satz der ${rank}, unter den ${needed}, die genommen werden.`,
  farByMeaning: (rank, needed) => `Nach dem Sinn ist ihr bester Satz der ${rank}, und ${needed} werden genommen.`,
  notByWords: 'Nach Wörtern wurde sie nicht gefunden: Der Satz teilt kein Wort mit der Frage, das zählt.',
  nearByWords: (rank, needed) => `Nach Wörtern ist er der ${rank}, unter den ${needed}, die genommen werden.`,
  farByWords: (rank, needed) => `Nach Wörtern ist er der ${rank}, und ${needed} werden genommen.`,
  wasCandidate: (rank) => `Er kam in die Auswahl, als ${rank} der vereinten Liste. Andere kamen davor.`,
  wasReranked: (score) => `Er kam in die Auswahl. Der Reranker gab ihm ${score} von 1; mit seinem Platz nach dem Verschmelzen kamen andere davor.`,
  isShown: (n) => `Die Datei ist unter den Passagen, als Nummer ${n}.`,
  bestSentence: 'Bester Satz',
  openThere: 'An diesem Satz öffnen',
  openFile: 'Datei öffnen',
  askOnlyHere: 'Nur in dieser Datei fragen',
  failures: 'Nicht lesbare Dateien',
}
