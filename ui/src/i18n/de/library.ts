// The words of library, in German.
import type { Words } from '../en'
import { counting, plural } from '../plural'

const counted = counting('de-DE')

const files = (count: number, figure: string) => (count === 1 ? '1 Datei' : `${figure} Dateien`)

const names = (all: string[]) => {
  if (all.length > 3) return `${all.slice(0, 2).join(', ')} und ${all.length - 2} weitere`
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} und ${all.at(-1)}`
}

export const library: Words['library'] = {
  files,
  names,

  rail: 'Fragen und Ordner',
  newQuestion: 'Neue Frage',
  search: 'Suchen',
  settings: 'Einstellungen',
  showRail: 'Seitenleiste zeigen oder verbergen',
  withKey: (name, key) => `${name} (${key})`,

  questions: 'Fragen',
  today: 'Heute',
  thisWeek: 'Diese Woche',
  earlier: 'Früher',
  moreTalks: (n) => `${counted(n, 'weiteres Gespräch', 'weitere Gespräche')} zeigen`,
  moreAbout: (title) => `${title} umbenennen oder löschen`,
  rename: 'Umbenennen',
  renameLabel: 'Neuer Titel',
  delete: 'Löschen',
  deleteWhat: (title) => `${title} löschen: Die Fragen und Antworten darin werden vergessen, die Dokumente bleiben.`,
  deleteNow: 'Löschen',
  keep: 'Behalten',

  folders: 'Ordner',
  noFolders: 'Noch keine. Ein Ordner bleibt, wo er ist; Oriel liest ihn und bleibt auf dem Laufenden.',
  addFolder: 'Ordner oder Dateien hinzufügen',
  chooseFolder: 'Ordner wählen…',
  chooseFiles: 'Dateien wählen…',
  sample: 'Beispiel',
  copies: 'Kopien',
  folderMenu: (name) => `Was sich mit ${name} tun lässt`,
  askOnlyHere: 'Nur hier fragen',
  askOnlyIn: (name) => `Nur hier fragen: ${name}`,
  exclude: 'Dateien ausschließen…',
  followLinks: 'Symbolischen Links folgen',
  leaveLinks: 'Symbolischen Links nicht mehr folgen',
  lookAgain: 'Noch einmal durchsehen',
  remove: 'Entfernen',
  removeWhat: (name, count, figure) =>
    count === 1
      ? `${name} entfernen: 1 Datei verlässt den Index, die Datei selbst bleibt.`
      : `${name} entfernen: ${figure} Dateien verlassen den Index, die Dateien selbst bleiben.`,
  removeSample: (name, count, figure) =>
    count === 1
      ? `${name} entfernen: 1 Datei verlässt den Index und wird gelöscht. Es lässt sich jederzeit wieder hinzufügen.`
      : `${name} entfernen: ${figure} Dateien verlassen den Index und werden gelöscht. Es lässt sich jederzeit wieder hinzufügen.`,
  removeCopies: (name) =>
    `${name} entfernen: Alles, was in Oriel kopiert wurde, verlässt den Index und wird gelöscht. Die Vorlagen rührt Oriel nicht an.`,
  removeNow: (name) => `${name} entfernen`,
  unreachable: (name) => `${name} ist nicht erreichbar`,
  failedRow: (count, figure) =>
    count === 1 ? '1 Datei war nicht lesbar' : `${figure} Dateien waren nicht lesbar`,
  failedFolders: (count, figure) =>
    count === 1 ? 'Ordner, 1 Datei war nicht lesbar' : `Ordner, ${figure} Dateien waren nicht lesbar`,
  drop: 'Dateien oder einen Ordner hier ablegen',

  left: (left) => `noch etwa ${left}`,
  leftWords: (left) => `nach Wörtern in etwa ${left}`,
  yielding: 'wartet, bis die Antwort geschrieben ist',
  yieldingShort: 'wartet auf Antwort',
  soon: 'Wird geschätzt…',
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  pauseOrResume: 'Lesen anhalten oder fortsetzen',
  paused: 'Angehalten',
  deferred: 'Akkubetrieb',
  stopped: 'Abgebrochen',
  byWords: 'Nach Wörtern',
  byMeaning: 'Nach Bedeutung',
  unitFiles: (count) => plural(count, 'Datei', 'Dateien'),
  unitSentences: (count) => plural(count, 'Satz', 'Sätze'),
  percent: (figure) => `${figure} %`,

  firstRun: {
    title: 'Am Anfang steht ein Ordner',
    lead: 'Oriel liest die Dokumente darin und antwortet aus ihnen. Jede Antwort zeigt den Satz, aus dem sie stammt, an seiner Stelle.',
    zone: 'Einen Ordner oder Dateien irgendwo in diesem Fenster ablegen',
    zoneNow: 'Zum Hinzufügen loslassen',
    stays: 'Sie werden gelesen, wo sie liegen. Nichts wird verschoben oder verändert.',
    kinds: 'PDF, Office, Mail, Bücher, Archive, Webseiten, Markdown, Code',
    noFolder: 'Kein Ordner zur Hand?',
    sample: 'Das Beispiel zeigt 23 Dokumente einer erfundenen Firma. Ein Klick entfernt es wieder.',
    trySample: 'Beispiel ausprobieren',
    privacy: 'Dokumente, Index, Fragen und Antworten bleiben auf diesem Rechner. Nichts wird irgendwohin gesendet.',
  },

  found: {
    looking: (names) => `Oriel sieht ${names} durch`,
    reading: (names) => `Oriel liest ${names}`,
    ask: 'Fragen sind jetzt möglich',
    paused: 'Das Lesen ist angehalten',
    stopped: 'Das Lesen wurde abgebrochen',
    done: 'Alles ist gelesen',
    none: 'Hier gibt es nichts zu lesen',
    seen: (count, figure) => `Bisher ${files(count, figure)} gesehen.`,
    lead: (count, figure, names, size) => `${count === 1 ? '1 Dokument' : `${figure} Dokumente`} in ${names} gefunden, ${size}.`,
    order: () => 'Gelesen wird zuerst nach Wörtern, dann nach Bedeutung. Jede Antwort sagt, was noch nicht bereit war.',
    pausedLead: 'Was gelesen ist, kann gefragt werden. Fortsetzen macht dort weiter, wo es aufgehört hat.',
    doneLead: (count) => `${plural(count, 'Es ist', 'Alle sind')} nach Wörtern und nach Bedeutung zu finden.`,
    noneLead: 'Oriel liest PDF, Office-Dokumente, Mails, Bücher, Archive, Webseiten und Text.',
    otherKinds: (count, figure) => `${files(count, figure)} anderer Art`,
    cancel: 'Abbrechen',
  },

  bytes: {
    rate: (bytes) => `${bytes}/s`,
    left: (time) => `noch etwa ${time}`,
  },
  drops: {
    copying: 'Wird kopiert',
    wait: 'Es werden gerade andere Dateien kopiert. Warten Sie, oder brechen Sie das ab, und legen Sie diese noch einmal ab.',
    over: 'Zum Hinzufügen ablegen',
    overFolder: 'Ordner werden gelesen, wo sie liegen, und Oriel bleibt auf dem Laufenden.',
    overFiles: 'Bei Dateien lässt sich wählen, ob sie kopiert werden.',
    title: (what) => `${what} hinzufügen`,
    folders: (_, figure) => `${figure} Ordner`,
    both: (one, other) => `${one} und ${other}`,
    none: 'Davon ist nichts lesbar',
    where: 'Wo die Dateien gelesen werden',
    lie: 'Lesen, wo sie liegen',
    lieHow: 'Oriel folgt den Änderungen. Eine Datei, die wegbewegt wird, verlässt den Index.',
    copy: 'In die Bibliothek kopieren',
    copyHow: 'Oriel behält eigene Kopien. Spätere Änderungen an den Originalen sieht es nicht.',
    foldersStay: 'Ordner werden immer gelesen, wo sie liegen.',
    add: (what) => `${what} hinzufügen`,
    copyAndAdd: (what) => `${what} kopieren und hinzufügen`,
    unread: (count, figure) => (count === 1 ? '1 Datei ist nicht lesbar' : `${figure} Dateien sind nicht lesbar`),
    kindUnread: (ending) => `Oriel liest keine .${ending}-Dateien`,
    kindUnknown: 'Der Name sagt nicht, was sie ist',
    reads: 'Oriel liest PDF, Office-Dokumente, Mails, Bücher, Archive, Webseiten und Text.',
    added: (names) => `Hinzugefügt: ${names}`,
    more: (figure) => `und ${figure} weitere`,
  },

  excludes: {
    title: (name) => `Dateien aus ${name} ausschließen`,
    patterns: 'Muster, eines je Zeile',
    how: 'Wie in einer .gitignore-Datei. Was passt, wird weder gelesen noch gefunden; die Dateien selbst bleiben.',
    exampleLog: 'jede Datei, deren Name auf .log endet',
    exampleFolder: 'der Ordner Archive mit allem, was darin liegt',
    count: (count, figure, total) =>
      count === 1
        ? `1 Datei von ${total} im Index verlässt ihn.`
        : `${figure} Dateien von ${total} im Index verlassen ihn.`,
    counting: 'Wird gezählt…',
    apply: 'Anwenden',
  },

  failures: {
    title: (count, figure) => (count === 1 ? '1 Datei war nicht lesbar' : `${figure} Dateien waren nicht lesbar`),
    lead: (count) =>
      `${count === 0 ? 'Noch ist keine andere im Index.' : `Die ${count === 1 ? 'eine andere ist' : `anderen ${counted(count, '', 'sind')}`} im Index.`} Ändert sich eine Datei, wird sie von selbst noch einmal gelesen.`,
    empty: 'Jede Datei war lesbar',
    emptyLead: 'Eine Datei, die nicht lesbar ist, steht hier mit dem Grund und dem Ausweg.',
    back: 'Zurück zu den Fragen',
    copyList: 'Liste kopieren',
    retryAll: 'Alle noch einmal lesen',
    retry: 'Noch einmal',
    retryOf: (name) => `Noch einmal: ${name} lesen`,
    waiting: 'In der Reihe',
    show: 'Im Ordner zeigen',
    showOf: (name) => `Im Ordner zeigen: ${name}`,
    folder: 'Ordner',
    all: (figure) => `Alle ${figure}`,
    file: 'Datei',
    reason: 'Grund',
    actions: 'Aktionen',
    checkAgain: 'Noch einmal prüfen',
    copyCommand: 'Befehl kopieren',
    helps: {
      ocr: (count, figure) => `${files(count, figure)} ${plural(count, 'braucht', 'brauchen')} Texterkennung (OCR).`,
      password: (count, figure) => `${files(count, figure)} ${plural(count, 'braucht', 'brauchen')} ein Passwort.`,
      hand: (count, figure) => `${files(count, figure)} ${plural(count, 'braucht', 'brauchen')} Ihre Hilfe.`,
    },
    leads: {
      ocr: 'Oriel benutzt das freie Programm Tesseract, sobald Sie es installieren:',
      password: 'Oriel benutzt es einmal und behält es nur auf Wunsch im Schlüsselbund Ihres Systems.',
      hand: '',
    },
    reasons: {
      unreadable: 'Lässt sich nicht öffnen',
      broken: 'Beschädigt',
      encrypted: 'Mit Passwort gesperrt',
      'needs-ocr': 'Bilder ohne Text',
      garbled: 'Unleserlicher Text',
      'too-large': 'Zu groß',
      'timed-out': 'Dauerte zu lange und wurde abgebrochen',
      crashed: 'Der Leser kam damit nicht zurecht',
    },
    password: 'Passwort',
    passwordOf: (name) => `Passwort für ${name}`,
    keepPassword: 'Im Schlüsselbund behalten',
    unlock: 'Datei lesen',
    ways: {
      encrypted: 'Eine Kopie ohne Passwort speichern.',
      unreadable: 'Dem eigenen Konto das Recht zum Lesen geben oder den Datenträger anschließen.',
      broken: 'Im eigenen Programm öffnen und neu speichern oder aus einer Sicherung zurückholen.',
      'too-large': 'In kleinere Dateien teilen oder aus dem Ordner ausschließen.',
      'timed-out': 'Im eigenen Programm neu speichern, teilen oder aus dem Ordner ausschließen.',
      crashed: 'Im eigenen Programm öffnen und neu speichern oder aus dem Ordner ausschließen.',
    },
  },

  unread: {
    action: 'Dateien zeigen, in denen nichts zu lesen ist',
    title: 'Nichts darin zu lesen',
    lead: 'Sie wurden gelesen und enthalten keinen Satz: leere Dateien oder nur Bilder. Keine Frage findet sie.',
    size: 'Größe',
    more: (count, figure) => (count === 1 ? 'Und 1 weitere.' : `Und ${figure} weitere.`),
    others: 'Andere Arten',
    othersLead: 'Oriel liest PDF, Office-Dokumente, Mails, Bücher, Archive, Webseiten und Text. Diese wurden übergangen.',
    noExtension: 'ohne Endung',
    rest: 'andere',
    names: (names, more, figure) => (more > 0 ? `${names} und ${figure} weitere` : names),
    links: 'Symbolische Links',
    linksLead: 'Ihnen wird nicht gefolgt. Das Menü eines Ordners hat einen Schalter dafür.',
    dangling: 'Symbolische Links ins Leere',
    danglingLead: 'Worauf sie verweisen, ist nicht da.',
    parts: 'Teile von Webseiten',
    partsLead:
      'Stile, Skripte und Symbole neben gespeicherten Seiten und Handbüchern. Damit eines gelesen wird, schreiben Sie seinen Namen nach einem Ausrufezeichen in eine Datei .orielignore: !_static/',
  },

  status: {
    label: 'Status',
    ready: 'Bereit',
    upToDate: 'Auf dem neuesten Stand',
    reading: 'Liest',
    readOnly: 'Nur zum Lesen',
    readOnlyTip: 'Andere halten diese Bibliothek aktuell; hier kann sie durchsucht und gefragt werden.',
    paused: 'Angehalten',
    deferred: 'Wartet auf Netzstrom',
    needsHand: 'Braucht Hilfe',
    none: 'Noch keine Dokumente',
    seen: (count) => `${counted(count, 'Datei', 'Dateien')} gesehen`,
    words: (done, total) => `Nach Wörtern ${done} von ${counted(total, 'Datei', 'Dateien')}`,
    meaning: (done, total) => `Nach Bedeutung ${done} von ${counted(total, 'Satz', 'Sätzen')}`,
    recognising: (name, page) => `Erkennt den Text von ${name}, ${page}`,
    unread: (count) => `${counted(count, 'Datei', 'Dateien')} noch nicht gelesen`,
    unembedded: (count) => `${counted(count, 'Satz', 'Sätze')} noch nicht nach Bedeutung`,
    filesRate: (figure) => `${figure} Dateien/s`,
    sentencesRate: (figure) => `${figure} Sätze/s`,
    files,
    sentences: (count, figure) => (count === 1 ? '1 Satz' : `${figure} Sätze`),
    quotes: 'Nur Zitate',
    adapted: (model, adapter) => `${model} mit ${adapter}`,
    engine: (model, device, threads) => `${model} · ${device}, ${threads === 1 ? '1 Thread' : `${threads} Threads`}`,
    models: 'Modelle und Gerät',
    offline: 'Nichts wird irgendwohin gesendet. Nur ein Modell, das ausdrücklich geladen wird, braucht das Netz.',
  },

  trouble: {
    title: 'Die Bibliothek lässt sich nicht öffnen',
    again: 'Noch einmal versuchen',
    repair: 'Reparieren',
    repairAbout:
      'Der Index wird beiseitegelegt, ein neuer entsteht aus Ihren Ordnern. Fragen, Antworten und Einstellungen bleiben unberührt. Eine Sicherung lässt sich danach in den Einstellungen zurückholen.',
    repairing: 'Einen Augenblick…',
  },
}
