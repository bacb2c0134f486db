// What the engine, the models and the shell tell: a text for each code.
import { counting, plural, sizes } from '../plural'
import type { Damage, DownloadAdvice, FileLooks, IoKind, ModelSpoke } from '../../ipc/types'
import type { Notices } from '../notices'

const counted = counting('de-DE')
const size = sizes('de-DE')

const ioKinds: Record<Exclude<IoKind, 'other'>, string> = {
  'not-found': 'Datei oder Ordner nicht gefunden',
  'permission-denied': 'keine Berechtigung',
  'disk-full': 'kein Platz auf dem Datenträger',
  'read-only': 'schreibgeschütztes Dateisystem',
  'input-output': 'Ein- oder Ausgabefehler',
}

const looks: Record<FileLooks, string> = {
  picture: 'ein Bild',
  'post-script': 'eine PostScript-Datei',
  packed: 'eine gepackte Datei',
  program: 'ein Programm',
  xml: 'eine XML-Datei',
  'plain-text': 'reiner Text; geben Sie ihr die passende Endung',
}

const damage: Record<Damage, string> = {
  incomplete: 'sie ist unvollständig',
  'part-packed': 'ein Teil lässt sich nicht entpacken',
  'parts-not-linked': 'ihre Teile sind nicht verknüpft',
  'main-part-missing': 'ihr Hauptteil fehlt',
  'no-xml': 'ihr Hauptteil enthält kein XML',
  senseless: 'ihr Inhalt ergibt keinen Sinn',
  'xml-malformed': 'ihr XML ist fehlerhaft',
  'xml-breaks-off': 'ihr XML bricht ab',
}

const spoke: Record<ModelSpoke, string> = { garbage: 'er antwortete Unverständliches', 'out-of-turn': 'er antwortete ungefragt' }

const advice: Record<DownloadAdvice, string> = {
  'check-endpoint': 'prüfen Sie HF_ENDPOINT: das muss eine https-Adresse sein',
  'sign-in': 'das tut ein Netz, das eine Anmeldung verlangt; melden Sie sich an oder prüfen Sie HF_ENDPOINT, und versuchen Sie es noch einmal',
  'check-network': 'prüfen Sie das Netz und versuchen Sie es noch einmal',
  'install-certificate': 'wenn Ihre Firma den Verkehr prüft, installieren Sie ihr Zertifikat im System und versuchen Sie es noch einmal',
  'check-proxy': 'prüfen Sie HTTPS_PROXY und ALL_PROXY und versuchen Sie es noch einmal',
  'account-needed': 'dieses Modell gibt es nur mit einem Konto dort',
  'update-oriel': 'aktualisieren Sie Oriel oder wählen Sie ein anderes Modell',
  'try-later': 'versuchen Sie es später noch einmal',
}

const vector = (other: boolean) => (other ? 'Vektor des anderen Modells' : 'Vektor')

export const notices: Notices = {
  // What has no code of ours: messages of the system, of a parser or a library, and of older versions of Oriel.
  text: (n) => n.text,
  io: (n) => (n.number === null || n.kind === 'other' ? n.text : `${ioKinds[n.kind]} (Fehler ${n.number} des Systems)`),

  // Joins.
  path: (n, say) => `${n.path} ${say(n.why)}`,
  about: (n, say) => `${n.subject}: ${say(n.what)}`,

  // The store.
  cancelled: () => 'abgebrochen',
  'library-unusable': (n, say) => `Die Bibliothek ${n.path} lässt sich nicht öffnen: ${say(n.cause)}; prüfen Sie die Rechte des Ordners`,
  'no-library-there': (n) =>
    `${n.path} ist keine Bibliothek von Oriel oder beschädigt: ${n.what}; wählen Sie einen anderen Ordner, oder schieben Sie diesen beiseite, um neu zu beginnen`,
  'library-newer': (n) => `Die Bibliothek ${n.path} hat das Format ${n.found}, dieses Oriel liest ${n.known}; nehmen Sie das neuere Oriel`,
  'library-unreleased': (n) =>
    `Die Bibliothek ${n.path} hat das Format ${n.found}, das nur Entwicklungsstände von Oriel schrieben; verloren ist nichts: Eine Reparatur legt es beiseite und macht einen neuen Index derselben Ordner`,
  'library-disk-full': (n) =>
    `Der Datenträger mit der Bibliothek ${n.path} ist voll; schaffen Sie Platz und versuchen Sie es noch einmal, verloren ist nichts`,
  'library-busy': (n) =>
    `Ein anderes Oriel${n.process === null ? '' : ` (Prozess ${n.process})`} liest gerade für die Bibliothek ${n.path}; warten Sie, bis es fertig ist, oder halten Sie es an`,
  'library-in-use': (n) => `Die Bibliothek ${n.path} ist in einem anderen Oriel offen; schließen Sie es und versuchen Sie es noch einmal`,
  'library-being-replaced': (n) =>
    `Die Bibliothek ${n.path} wird von einem anderen Oriel verkleinert oder wiederhergestellt; versuchen Sie es danach noch einmal`,
  'library-read-only': (n) => `Die Bibliothek ${n.path} kann hier nur gelesen werden; ändern kann sie, wer in ihren Ordner schreiben darf`,
  'library-older': (n) => `Die Bibliothek ${n.path} stammt von einem älteren Oriel; wer in ihren Ordner schreiben darf, muss sie einmal öffnen`,
  'library-overtaken': (n) => `Die Bibliothek ${n.path} wurde geändert, während sie gelesen wurde; versuchen Sie es noch einmal`,
  'library-damaged': (n) => `Die Bibliothek ist beschädigt: ${n.what}; eine Prüfung sagt, wie weit das geht`,
  'database-failed': (n, say) => `Die Datenbank der Bibliothek ist gescheitert: ${say(n.cause)}`,

  // The engine.
  'cancelled-and-kept': () => 'Abgebrochen; was bis dahin getan war, bleibt',
  'not-followed': (n) => `${n.path} gehört nicht zu den Ordnern dieser Bibliothek`,
  'library-occupied': (n) =>
    `In ${n.path} liegt schon eine Bibliothek; nehmen Sie einen anderen Ordner, oder lassen Sie diese beiseite legen`,
  'folder-gone': (n) => `Der Ordner ${n.number} gehört nicht mehr zur Bibliothek`,
  'pattern-invalid': (n, say) => `Das Muster „${n.pattern}“ ist nicht zu verstehen: ${say(n.why)}`,
  'pattern-of-many-lines': () => 'es hat mehr als eine Zeile; geben Sie jede Zeile einzeln an',
  'document-gone': (n) => `Das Dokument ${n.id} ist nicht mehr in der Bibliothek`,
  'document-unknown': (n) => `${n.path} ist nicht in der Bibliothek; sein Ordner muss erst hinzugefügt und gelesen werden`,
  'document-without-text': (n, say) => `${n.path} hat keinen Text in der Bibliothek: ${say(n.why)}`,
  'document-unread': (n) => `${n.path} ist noch nicht gelesen`,
  'document-changed': (n) => `${n.path} hat sich geändert, seit es gelesen wurde, und muss noch einmal gelesen werden`,
  'sentence-unmarked': (n, say) => `Der Satz lässt sich in ${n.path} nicht markieren: ${say(n.why)}`,
  'reader-unavailable': (n, say) =>
    `Der Prozess, der Dokumente liest (${n.program}), lässt sich nicht starten: ${say(n.cause)}; installieren Sie Oriel noch einmal`,
  'other-embedder': (n) => `Die Vektoren der Bibliothek stammen von einem anderen Modell (${n.stored}) und müssen neu gemacht werden`,

  // What is wrong with a path, after its name.
  'cannot-be-changed': (n, say) => `lässt sich nicht ändern: ${say(n.cause)}; prüfen Sie die Rechte`,
  'cannot-be-read': (n, say) => `lässt sich nicht lesen: ${say(n.cause)}; prüfen Sie die Rechte`,
  'no-right-to-read': (n, say) => `lässt sich nicht lesen: ${say(n.cause)}; geben Sie Ihrem Konto das Recht, es zu lesen`,
  'missing-in-backup': (n, say) => `lässt sich nicht lesen und würde in der Sicherung fehlen: ${say(n.cause)}; prüfen Sie die Rechte`,
  'cannot-be-written': (n, say) => `lässt sich nicht schreiben: ${say(n.cause)}; prüfen Sie die Rechte und den freien Platz`,
  'backup-cannot-be-written': (n, say) => `lässt sich nicht schreiben: ${say(n.cause)}; prüfen Sie den Ordner und den freien Platz`,
  'cannot-be-looked-at': (n, say) => `lässt sich nicht ansehen: ${say(n.cause)}; prüfen Sie die Rechte und den Datenträger`,
  'cannot-be-reached': (n, say) => `ist nicht zu erreichen: ${say(n.cause)}; prüfen Sie die Rechte`,
  'does-not-exist': () => 'gibt es nicht; prüfen Sie die Schreibung',
  'kind-not-read': (n) => `ist eine Datei, deren Art Oriel nicht liest; es liest ${n.kinds}`,
  'is-single-file': () => 'ist eine einzelne Datei; auslassen lässt sich nur etwas in einem Ordner',
  'folder-list-newer': () => 'stammt von einem neueren Oriel und bleibt, wie es ist; nehmen Sie jenes',
  'library-misplaced': (n, say) =>
    `ist die Bibliothek ${n.library} und lässt sich nicht zurücklegen: ${say(n.cause)}; schieben Sie sie dorthin`,
  'restore-unconfirmed': (n, say) => `enthält, was wiederhergestellt wurde, und der Datenträger hat das nicht bestätigt: ${say(n.cause)}`,
  'target-is-no-backup': () => 'gibt es schon, und es ist keine Sicherung von Oriel; wählen Sie einen anderen Namen',
  'is-no-file-name': () => 'ist kein Dateiname; wählen Sie einen anderen',
  'backup-forbidden': () => 'lässt sich nicht lesen; geben Sie Ihrem Konto das Recht dazu',
  'is-no-backup': () => 'ist keine Sicherung von Oriel; wählen Sie eine andere Datei',
  'is-no-whole-backup': () => 'ist keine Sicherung von Oriel oder ist abgeschnitten; wählen Sie eine andere Datei',
  'backup-newer': () => 'stammt von einem neueren Oriel; stellen Sie sie mit jenem wieder her',
  'backup-unreleased': () =>
    'stammt von einem Entwicklungsstand von Oriel, in einem Format, das nicht gelesen wird; wählen Sie eine andere Sicherung',
  'backup-damaged': () => 'ist beschädigt: ihre Dateien sind nicht die ihrer Liste; wählen Sie eine andere Sicherung',

  // Why a folder is unreachable.
  'file-not-there-any-more': () => 'nicht mehr da; bringen Sie es zurück, oder entfernen Sie es aus Oriel',
  'not-there': () => 'nicht da; bringen Sie es zurück, oder entfernen Sie es aus Oriel',
  'drive-not-connected': () => 'das Laufwerk, das hier war, ist nicht verbunden; verbinden Sie es, oder entfernen Sie den Ordner aus Oriel',
  'and-more': (n, say) => `${say(n.reason)}, und ${n.more} weitere`,

  // What a check finds.
  'path-leads-elsewhere': () => 'der Pfad führt zu einem anderen Dokument',
  'member-not-listed': () => 'die Datei, in der es steckt, führt es nicht auf',
  'text-though-not-indexed': () => 'es hat einen Text, obwohl es nicht gelesen ist',
  'text-missing': () => 'der Text fehlt',
  'sentence-count-wrong': () => 'es hat nicht so viele Sätze, wie verzeichnet sind',
  'sentences-without-match': (n) => `${counted(n.count, 'Satz passt', 'Sätze passen')} nicht zum Text`,
  'sentences-without-meaning': (n) => `${counted(n.count, 'Satz ist', 'Sätze sind')} nicht nach Bedeutung zu finden`,
  'words-missing': () => 'es ist nicht nach allen seinen Wörtern zu finden',
  'postings-wrong': (n) => `der Wortindex hat ${n.stored} Einträge, die Dokumente haben ${n.expected}`,
  'occurrences-wrong': (n) => `verzeichnet sind ${n.stored} Vorkommen von Sätzen, die Dokumente haben ${n.expected}`,
  'waiting-document-missing': (n) => `Dokument ${n.id} soll gelesen werden und ist nicht da`,
  'vectors-missing': (n) =>
    `${counted(n.count, 'Satz hat', 'Sätze haben')} keinen ${vector(n.other)} und ${plural(n.count, 'wartet', 'warten')} auf keinen`,
  'vectors-without-sentence': (n) => `${n.count}-mal gehört ein ${vector(n.other)} zu keinem Satz`,
  'codes-wrong': (n) => `${n.count}-mal ist der Code zu einem ${vector(n.other)} falsch oder fehlt`,
  'sentence-sum-wrong': (n) => `die Dokumente haben ${counted(n.counted, 'Satz', 'Sätze')}, verzeichnet sind ${n.kept}`,

  // Conversations.
  'conversation-unusable': (n, say) => `${n.path} ist nicht zu gebrauchen: ${say(n.cause)}; prüfen Sie die Rechte und den freien Platz`,
  'conversation-gone': (n) => `Das Gespräch ${n.id} gibt es nicht mehr`,
  'conversation-damaged': (n) => `${n.path} ist beschädigt (${n.why}) und wurde beiseite gelegt; gelöscht wurde nichts`,
  'conversation-newer': (n) => `${n.path} stammt von einem neueren Oriel; nehmen Sie jenes dafür`,

  // Reading documents.
  'file-forbidden': (n, say) => `Die Datei lässt sich nicht öffnen: ${say(n.cause)}; geben Sie Ihrem Konto das Recht, sie zu lesen.`,
  'file-cannot-be-opened': (n, say) => `Die Datei lässt sich nicht öffnen: ${say(n.cause)}; prüfen Sie den Datenträger.`,
  'file-gone': () => 'die Datei ist nicht mehr da',
  'file-too-large': (n) =>
    `Die Datei hat ${n.megabytes} MB; Oriel liest Dateien bis ${n.limit} MB. Teilen Sie sie, oder nehmen Sie sie aus dem Ordner.`,
  'text-too-long': () => 'Die Datei enthält mehr Text, als Oriel liest; teilen Sie sie in kleinere Dateien.',
  'too-many-members': () => 'Die Datei enthält mehr oder größere Dateien, als Oriel liest; entpacken Sie sie, oder teilen Sie sie auf.',
  'reading-took-too-long': (n) =>
    `Das Lesen dauerte länger als ${counted(n.seconds, 'Sekunde', 'Sekunden')}; vielleicht ist die Datei mit Absicht so gebaut, dass es nie endet.`,
  'reader-gone': () => 'Der Prozess, der sie las, ist verschwunden.',
  'reader-ended': (n) =>
    `Der Prozess, der sie las, endete (${n.status ?? 'spurlos'}); die Datei ist vielleicht beschädigt. Wenn sie sich ändert, wird es noch einmal versucht.`,
  'needed-too-much-memory': () =>
    'Zum Lesen brauchte es mehr Speicher, als Oriel einer Datei gibt; vielleicht ist sie beschädigt oder mit Absicht so gebaut.',
  'too-many-pixels': (n) =>
    `Das Bild hat ${n.width} × ${n.height} Pixel, mehr als Oriel liest; speichern Sie eine kleinere Kopie.`,
  'nested-too-deeply': () => 'Es ist zu tief verschachtelt; vielleicht beschädigt oder mit Absicht so gebaut.',
  'sentence-outside-text': () => 'das Leseprogramm gab einen Satz außerhalb seines Textes zurück',
  'pages-outside-text': () => 'das Leseprogramm gab Seiten zurück, die nicht zum Text passen',
  'outline-outside-text': () => 'das Leseprogramm gab Überschriften zurück, die nicht zum Text passen',
  'member-outside-file': () => 'das Leseprogramm gab eine Datei zurück, deren Name aus der Datei hinausführt',
  'named-otherwise': (n) => `Die Datei ist als ${n.kind} benannt, ist aber wohl ${looks[n.looks]}.`,
  'not-what-it-is-named': (n) => `Die Datei ist als ${n.kind} benannt, ist aber keine solche, oder ihr Anfang ist beschädigt.`,
  'office-wants-password': () => 'Das Dokument fragt nach einem Passwort; speichern Sie eine Kopie ohne Passwort.',
  'archive-wants-password': () => 'Das Archiv fragt nach einem Passwort; entpacken Sie es in den Ordner.',
  'archive-in-parts': () => 'Es liegt in mehreren Teilen eines Archivs; entpacken Sie sie in den Ordner.',
  'packed-otherwise': () => 'Es ist auf eine Weise gepackt, die Oriel nicht liest; entpacken Sie das Archiv in den Ordner.',
  'book-locked': () => 'Das Buch ist von seinem Verkäufer gesperrt (DRM), sodass nur bestimmte Programme es öffnen.',
  damaged: (n) => `Die ${n.kind}-Datei ist beschädigt: ${damage[n.what]}.`,
  'binary-named-text': () => 'Die Datei heißt wie ein Text, enthält aber binäre Daten.',
  'outlook-data': () => 'Das ist eine Datendatei von Outlook, die Oriel nicht liest; exportieren Sie die Mails als mbox oder EML.',
  'iwork-without-preview': () =>
    'Das Dokument enthält keine Seiten, die Oriel lesen kann; öffnen Sie es in Pages, Numbers oder Keynote und exportieren Sie es als PDF oder Word.',
  'page-nested-too-deeply': () => 'Die Seite verschachtelt ihre Elemente zu tief, um gelesen zu werden.',
  'pdf-without-page': () => 'Das PDF ist beschädigt: Keine Seite ist darin zu finden.',
  'pdf-wants-password': () => 'Das PDF fragt nach einem Passwort; geben Sie es Oriel, oder speichern Sie eine Kopie ohne Passwort.',
  'pdf-password-wrong': () => 'Das Passwort öffnet das PDF nicht.',
  'password-not-kept': (n, say) =>
    `hat sein Passwort bekommen, aber der Schlüsselbund des Systems bewahrt es nicht auf: ${say(n.cause)}; nach einem Neustart von Oriel lassen sich seine Seiten ohne es nicht zeigen`,
  'password-not-forgotten': (n, say) =>
    `der Schlüsselbund des Systems vergisst sein Passwort nicht: ${say(n.cause)}; löschen Sie es dort, unter Oriel`,
  'wants-no-password': () => 'fragt nach keinem Passwort',
  'pdf-protected': () => 'Das PDF ist auf eine Weise verschlüsselt, die Oriel nicht liest; speichern Sie eine Kopie ohne Schutz.',
  'pdf-encrypted': () => 'Das PDF ist verschlüsselt; speichern Sie eine Kopie ohne Passwort.',
  'pdf-damaged': () =>
    'Das PDF ist so beschädigt, dass es sich nicht lesen lässt; ein PDF-Programm kann vielleicht eine reparierte Kopie speichern.',
  'pdf-fonts-without-characters': (n) =>
    `Die Schriften des PDF sagen nicht, welche Zeichen sie zeichnen. Tesseract erkennt sie, wenn alles andere fertig ist; falls es nicht installiert ist: ${n.install}`,
  'needs-ocr': (n) =>
    `Die Datei enthält Bilder und keinen Text. Tesseract erkennt ihren Text, wenn alles andere fertig ist; falls es nicht installiert ist: ${n.install}`,

  // Models.
  'too-many-tokens': (n) => `${n.tokens} Tokens sind mehr als die ${n.limit} des Modells`,
  'model-absent': (n) => `${n.id} ist nicht auf diesem Rechner; laden Sie es zuerst`,
  'settings-offer-it': (n, say) => `${say(n.cause)}; Einstellungen, Modelle und Gerät bietet es an`,
  'no-embedder': () =>
    'Kein Modell, das nach Bedeutung findet, ist hier, also werden Dokumente nur nach Wörtern gefunden; Einstellungen, Modelle und Gerät bietet eines an',
  'model-of-other-role': (n) => `${n.id} dient als ${n.serves}, nicht als ${n.role}`,
  'model-unknown': (n) => `Das Modell „${n.id}“ gibt es nicht; am ähnlichsten sind ${n.nearest}`,
  'model-not-here': (n) => `${n.id} ist nicht hier`,
  'model-stays': (n) => `${n.id} kam mit Oriel und bleibt`,
  'model-of-program': (n) => `${n.id} gehört zu ${n.program}; entfernen Sie es dort`,
  'model-cannot-be-deleted': (n, say) => `${n.id} lässt sich nicht aus ${n.folder} löschen: ${say(n.cause)}; prüfen Sie die Rechte`,
  'model-without-weights': (n) => `${n.id} hat keine Datei mit Gewichten; holen Sie es noch einmal`,
  'model-wrote-nothing': (n) => `${n.id} schrieb nichts, als seine Geschwindigkeit gemessen wurde`,
  'no-model-folder': () => 'es gibt keinen Ordner für Modelle: setzen Sie HOME, oder ORIEL_MODELS auf einen Ordner',
  'no-gpu': (n) => `keine Grafikkarte war zu gebrauchen, also laufen die Modelle auf dem Prozessor: ${n.reason}`,
  'thread-cannot-start': (n) => `der Thread lässt sich nicht starten (${n.error})`,
  'threads-cannot-start': (n) => `die Threads lassen sich nicht starten (${n.error})`,
  'model-broke-down': () => 'das Modell ist abgestürzt; starten Sie Oriel noch einmal',
  'not-numbers': () => 'was es rechnet, sind keine Zahlen',
  'no-such-file': () => 'diese Datei gibt es nicht',
  'path-not-unicode': () => 'der Pfad ist kein Unicode-Text',
  'runner-cannot-start': (n, say) => `„${n.program}“ lässt sich für das Modell nicht starten (${say(n.cause)})`,
  'runner-of-version': (n) => `das Programm für die Modelle hat Version ${n.version}; schließen Sie Oriel und öffnen Sie es neu`,
  'runner-gone': () => 'der Prozess mit dem Modell ist verschwunden; fragen Sie noch einmal, um ihn neu zu starten',
  'runner-died': (n) =>
    `der Prozess mit dem Modell ist gestorben (${n.spoke === null ? '' : `${spoke[n.spoke]}; `}${n.status}); fragen Sie noch einmal, um ihn neu zu starten`,
  'runner-died-loading': (n) => `der Prozess mit dem Modell ist beim Laden gestorben (${n.status})`,
  'runner-spoke-garbage': (n) => `der Prozess mit dem Modell antwortete Unverständliches (${n.status})`,
  'with-log-line': (n, say) => `${say(n.what)}: ${n.line}`,
  'llama-cannot-load': () => 'llama.cpp kann es nicht laden',
  'llama-does-not-start': (n) => `llama.cpp startet nicht (${n.error})`,
  'llama-cannot-compute': (n) => `llama.cpp kann es nicht rechnen (${n.error})`,
  'runner-not-confined': (n) => `der Prozess mit dem Modell lässt sich nicht abschotten (${n.error})`,
  'no-memory-for-context': (n) => `kein Speicher für den Kontext (${n.error})`,
  'context-too-long': () => 'der Kontext ist zu lang',

  // Importing a model.
  'name-makes-no-id': () => 'aus dem Namen wird keine Nummer; benennen Sie die Datei um',
  'name-not-unicode': () => 'der Name ist kein Unicode-Text',
  'name-of-catalog': (n) => `„${n.id}“ ist ein Modell des Verzeichnisses; benennen Sie die Datei um`,
  'name-taken': (n) => `ein anderes Modell heißt schon „${n.id}“; benennen Sie dieses um, oder löschen Sie ${n.folder}`,
  'files-vanished': () => 'die installierten Dateien sind eben verschwunden',
  'changed-while-imported': () => 'es änderte sich, während es geholt wurde; versuchen Sie es noch einmal',
  'writes-no-text': (n) => `ein Modell der Art „${n.kind}“ schreibt keinen Text`,
  'folder-lacks-file': (n) => `hat kein ${n.missing}; Oriel nimmt eine GGUF-Datei oder einen Ordner mit ${n.files}`,
  'lacks-file': (n) => `hat kein ${n.missing}`,
  'neither-embedder-nor-reranker': (n) => `„${n.class}“ findet weder nach Bedeutung noch ordnet es Passagen`,
  'labels-of-no-reranker': (n) => `hat ${n.labels} Ausgänge; was Passagen ordnet, hat einen`,
  'no-gguf': () => 'ist keine GGUF-Datei',
  'gguf-of-version': (n) => `ist GGUF der Version ${n.version}, Oriel liest 2 und 3`,
  'gguf-part': (n) => `ist einer von ${n.parts} Teilen eines Modells; Oriel nimmt Modelle in einer Datei`,
  'gguf-cut-off': () => 'ist abgeschnitten oder keine GGUF-Datei',
  'gguf-tensors-cut-off': () => 'ist abgeschnitten: die Tensoren liegen hinter dem Ende',
  'gguf-broken': (n) => `ist beschädigt: ${n.what}`,

  // Downloading a model, and the files of models.
  'disk-full': () => 'der Datenträger ist voll; schaffen Sie Platz und versuchen Sie es noch einmal',
  'model-folder-forbidden': () => 'keine Berechtigung; machen Sie den Ordner beschreibbar, oder setzen Sie ORIEL_MODELS auf einen anderen',
  'model-folder-read-only': () => 'der Datenträger ist schreibgeschützt; setzen Sie ORIEL_MODELS auf einen anderen Ordner',
  'download-kept': (n, say) => `${say(n.what)}; das bereits Geladene bleibt`,
  'download-failed': (n, say) =>
    `${say(n.cause)}; ${n.kept ? 'das bereits Geladene bleibt' : 'geladen wurde noch nichts'}; ${advice[n.advice]}`,
  'download-needs-room': (n) =>
    `Der Download braucht ${size(n.needed)}; ${size(n.free)} sind frei in ${n.path}; schaffen Sie Platz und versuchen Sie es noch einmal`,
  'download-mismatch': () =>
    'Der Download stimmt nicht mit der veröffentlichten Datei überein. Oriel hat ihn gelöscht und nichts davon benutzt. Versuchen Sie es noch einmal.',
  'download-in-use': (n) => `${n.name} wird schon geladen; warten Sie, bis das zu Ende ist, oder halten Sie es an`,
  'network-program-missing': (n) => `${n.program} fehlt; Oriel braucht es für das Netz; installieren Sie Oriel neu, aus dem Quelltext: make remote`,
  'downloader-failed': (n) =>
    `der Prozess, der lädt, ist gescheitert (${n.reason})${n.kept ? '; das bereits Geladene bleibt' : ''}; versuchen Sie es noch einmal`,
  'address-not-https': (n) => `${n.address} ist keine https-Adresse`,
  'foreign-redirect': (n) => `${n.host} leitet nach ${n.target} weiter, wohin Oriel nicht folgt`,
  'endless-redirect': (n) => `${n.host} leitet ohne Ende weiter`,
  'host-unknown': (n) => `die Adresse von ${n.host} ist nicht zu finden`,
  'host-unreachable': (n) => `${n.host} ist nicht zu erreichen`,
  'host-refuses': (n) => `${n.host} lehnt die Verbindung ab`,
  'host-silent': (n) => `${n.host} antwortet nicht`,
  'connection-cut': (n) => `die Verbindung zu ${n.host} ist abgerissen`,
  'certificate-not-trusted': (n) => `dem Zertifikat von ${n.host} wird nicht vertraut (${n.reason})`,
  'no-secure-connection': (n) => `keine sichere Verbindung zu ${n.host} (${n.reason})`,
  'proxy-refuses': (n) => `der Proxy ${n.proxy} lehnt die Verbindung ab (${n.reason})`,
  'host-denies-access': (n) => `${n.host} verweigert den Zugriff auf diese Datei (Status ${n.status})`,
  'host-lacks-file': (n) => `${n.host} hat diese Datei nicht (Status 404)`,
  'host-asks-to-wait': (n) => `${n.host} bittet zu warten (Status 429)`,
  'host-has-fault': (n) => `${n.host} hat selbst einen Fehler (Status ${n.status})`,
  'host-answers-with-status': (n) => `${n.host} antwortet mit Status ${n.status}`,
  'file-of-other-length': (n) => `${n.host} hat eine Datei von ${n.found} Bytes statt ${n.size}`,
  'other-part-of-file': (n) => `${n.host} sendet einen anderen Teil der Datei als den verlangten`,

  // Asking.
  'server-address-wrong': (n) =>
    `'${n.address}' ist keine Adresse eines Servers; schreiben Sie sie wie localhost:8080/v1 oder mit https vor dem Host`,
  'server-has-no-model': (n) => `${n.host} hat kein Modell; laden Sie dort zuerst eines`,
  'server-has-models': (n) => `${n.host} hat mehrere Modelle; nennen Sie eines davon: ${n.known}`,
  'server-lacks-model': (n) => `${n.host} hat kein Modell '${n.model}'; es hat ${n.known}`,
  'server-unexpected': (n) =>
    `${n.host} antwortet nicht wie ein OpenAI-kompatibler Server (${n.what}); prüfen Sie die Adresse`,
  'server-denies-access': (n) =>
    `${n.host} weist den Schlüssel ab oder verlangt einen (Status ${n.status}); prüfen Sie den Schlüssel`,
  'server-lacks-path': (n) =>
    `${n.host} hat nichts unter dieser Adresse (Status 404); prüfen Sie sie: oft endet sie auf /v1`,
  'server-refuses': (n) => `${n.host} weist die Verbindung ab; starten Sie dort den Server oder prüfen Sie die Adresse`,
  'server-silent': (n) => `${n.host} antwortet nicht; prüfen Sie, ob der Server läuft und erreichbar ist`,
  'server-redirects': (n) => `${n.host} leitet an eine andere Adresse weiter; verbinden Sie diese`,
  'server-says': (n) => `${n.host} sagt: ${n.message} (Status ${n.status})`,
  'network-program-failed': (n) =>
    `der Prozess für das Netz ist gescheitert (${n.reason}); fragen Sie noch einmal, um ihn neu zu starten`,
  'key-file-open': (n) =>
    `${n.path}: andere können diese Datei mit einem Schlüssel lesen; erlauben Sie es nur sich selbst: chmod 600`,
  'key-file-unusable': (n, say) =>
    `${n.path}: diese Datei mit einem Schlüssel ist nicht brauchbar (${say(n.cause)}); nennen Sie eine Datei, in der nur der Schlüssel steht`,
  'keyring-refuses': (n, say) =>
    `der Schlüsselbund des Systems gibt oder behält den Schlüssel von ${n.host} nicht (${say(n.cause)}); legen Sie den Schlüssel in eine Datei und nennen Sie diese`,
  'server-list-unusable': (n, say) =>
    `die Liste der Server in ${n.path} ist nicht brauchbar (${say(n.cause)}); legen Sie sie beiseite, um neu anzufangen`,
  'index-address-wrong': (n) =>
    `'${n.address}' ist keine Adresse eines Index; schreiben Sie sie wie localhost:19530 oder mit dem Schema http oder https`,
  'collection-name-wrong': (n) =>
    `'${n.name}' kann kein Name einer Sammlung sein; nehmen Sie Buchstaben, Ziffern und Unterstriche, mit einem Buchstaben am Anfang`,
  'index-lacks-collection': (n) => `${n.host} hat keine Sammlung '${n.collection}'; es hat ${n.known}`,
  'index-has-no-collection': (n) =>
    `${n.host} hat weder eine Sammlung '${n.collection}' noch eine andere; veröffentlichen Sie dort zuerst eine Bibliothek`,
  'collection-foreign': (n) =>
    `die Sammlung '${n.collection}' auf ${n.host} ist keine von Oriel oder eine einer späteren Version; nennen Sie eine andere oder aktualisieren Sie Oriel`,
  'collection-of-other-embedder': (n) =>
    `die Sammlung '${n.collection}' auf ${n.host} hat die Vektoren eines anderen Einbetters (${n.stored}); veröffentlichen Sie in eine Sammlung mit anderem Namen`,
  'collection-of-other-library': (n) =>
    `eine andere Bibliothek schreibt die Sammlung '${n.collection}' auf ${n.host}; nennen Sie eine andere Sammlung oder übernehmen Sie diese`,
  'index-changed': (n) => `der Index '${n.collection}' wurde gerade neu geschrieben; fragen Sie noch einmal`,
  'index-unexpected': (n) => `${n.host} antwortet nicht wie ein Index von Oriel (${n.what}); prüfen Sie die Adresse`,
  'index-says': (n) => `${n.host} sagt: ${n.message}`,
  'library-reads-elsewhere': (n) =>
    `diese Bibliothek liest die Sammlung '${n.collection}' auf ${n.host}; das kann nur die Bibliothek, die sie veröffentlicht`,
  'library-follows-folders': (n) =>
    `${n.path}: Diese Bibliothek folgt eigenen Ordnern; eine, die einen Index anderswo liest, muss leer sein`,
  'nothing-to-publish': () =>
    'noch kein Dokument dieser Bibliothek hat seine Vektoren; bringen Sie sie zuerst auf den neuesten Stand',
  'not-published': () =>
    'diese Bibliothek wird nicht veröffentlicht; nennen Sie die Adresse und die Sammlung, in die sie soll',
  'index-file-unusable': (n, say) =>
    `der Index, den ${n.path} nennt, kann nicht benutzt werden (${say(n.cause)}); legen Sie die Datei woandershin`,
  'no-question': () => 'Es fehlt eine Frage',
  'scope-gone': (n) => `${n.names} ist nicht mehr in der Bibliothek; nehmen Sie es aus der Frage heraus`,
  'scope-empty': () => 'Worauf die Frage beschränkt war, ist nicht mehr in der Bibliothek; nehmen Sie die Beschränkung weg',
  'no-date': (n) => `„${n.day}“ ist kein Datum; schreiben Sie es wie 2026-01-31`,
  'stopped-before-answer': () => 'Vor dem ersten Wort der Antwort angehalten',

  // Evaluating.
  'question-line-wrong': (n) => `hat einen Fehler in Zeile ${n.line}: ${n.what}; berichtigen oder entfernen Sie die Zeile`,
  'question-file-wrong': (n) => `hat einen Fehler: ${n.what}; berichtigen Sie ihn, oder wählen Sie eine andere Datei`,
  'is-no-question-file': () =>
    'ist keine Datei mit Fragen; geben Sie Zeilen mit {"id", "question", "file", "spans"}, eine Datei in der Form von SQuAD oder einen Ordner in der von BEIR',
  'holds-no-question': () => 'enthält keine Frage; wählen Sie eine andere Datei',
  'no-gold-in-library': (n) =>
    `fragt nach ${n.missing} Dateien oder Textstellen, von denen keine in der Bibliothek ist; folgen Sie erst ihrem Ordner und lassen Sie ihn lesen`,
  'nothing-to-ask-about': () =>
    'hat keinen Satz, aus dem sich eine Frage machen ließe; folgen Sie erst einem Ordner mit Texten und lassen Sie ihn lesen',
  'too-few-questions': (n) => `hat ${n.kept} behaltene Fragen, und ein Lauf braucht ${n.needed}; behalten Sie mehr davon, oder erstellen Sie weitere`,
  'question-not-listed': () => 'enthält diese Frage nicht mehr; öffnen Sie die Seite noch einmal',
  'kept-questions-wrong': (n) => `ist nicht zu verstehen: ${n.what}; verschieben Sie die Datei, um neu anzufangen`,

  // Other programs that ask.
  'server-missing': (n) => `${n.program} fehlt; Oriel braucht es, um anderen Programmen zu antworten; installieren Sie Oriel neu`,
  'server-failed': (n, say) => `Der Prozess, der anderen Programmen antwortet, ist gescheitert (${say(n.cause)}); starten Sie ihn neu`,
  'port-taken': (n) => `Port ${n.port} dieses Rechners ist belegt; wählen Sie einen anderen, oder beenden Sie das Programm, das ihn benutzt`,
  'key-readable-by-others': () => 'kann von anderen auf diesem Rechner gelesen werden und ist damit kein Geheimnis; erzeugen Sie einen neuen Schlüssel',
  'no-key-in-file': () => 'enthält keinen Schlüssel; erzeugen Sie einen neuen',
  'no-library-yet': (n) => `${n.path}: Dort ist noch keine Bibliothek; starten Sie Oriel und fügen Sie einen Ordner hinzu`,

  // The desktop app.
  'no-data-folder': () => 'Der Ordner für Ihre Daten ist unbekannt; setzen Sie HOME oder ORIEL_LIBRARY',
  'library-not-there': (n) => `Die Bibliothek ${n.path} ist nicht da; bringen Sie sie zurück, dann öffnet sie sich von selbst`,
  'library-closed': () => 'Die Bibliothek wird gerade verkleinert, wiederhergestellt, repariert oder neu geöffnet; warten Sie das ab',
  'maintenance-running': () =>
    'Die Bibliothek wird schon geprüft, repariert, gesichert, verkleinert oder wiederhergestellt; warten Sie das ab, oder brechen Sie es ab',
  'library-still-used': () => 'Eine Frage oder Ansicht braucht die Bibliothek noch; versuchen Sie es gleich noch einmal',
  'answer-being-written': () => 'Eine Antwort wird geschrieben; warten Sie, bis sie fertig ist, oder halten Sie sie an',
  'indexing-cannot-stop': () => 'Das Lesen steckt in etwas, das sich nicht unterbrechen lässt; versuchen Sie es gleich noch einmal',
  'compact-needs-repair': () => 'Die Bibliothek lässt sich nicht öffnen und darum nicht verkleinern; reparieren Sie sie zuerst',
  'no-backup-chosen': () => 'Es ist keine Sicherung mehr gewählt; wählen Sie noch einmal',
  'chosen-is-no-file': (n) => `Das Gewählte ist keine Datei dieses Rechners: ${n.error}`,
  'drop-gone': () => 'Das Abgelegte ist nicht mehr da; legen Sie die Dateien noch einmal ab',
  'copying-running': () => 'Es werden schon Dateien kopiert; warten Sie, oder brechen Sie das erst ab',
  'connecting-running': () => 'ein Server wird schon geprüft; warten Sie darauf oder brechen Sie das ab',
  'import-running': () => 'Ein Modell wird schon importiert; warten Sie, oder brechen Sie das erst ab',
  'trial-running': () => 'es wird schon ein Modell ausprobiert; warten Sie darauf, oder brechen Sie es ab',
  'measuring-running': () => 'Die Modelle werden schon gemessen',
  'evaluation-running': () => 'es werden schon Fragen erstellt oder gestellt; warten Sie darauf, oder halten Sie das erst an',
  'run-gone': () => 'dieser Lauf ist nicht mehr aufbewahrt; starten Sie die Auswertung noch einmal',
  'index-model-gone': () =>
    'das Modell, mit dem der Index der Bibliothek entstand, ist nicht mehr auf diesem Computer; es gibt nichts zu vergleichen, wechseln Sie ohne Probe',
  'download-running': (n) => `${n.id} wird schon geladen; warten Sie, oder halten Sie es erst an`,
  'download-cannot-start': (n, say) =>
    `der Download kann nicht beginnen (${say(n.cause)}); schließen Sie andere Programme und versuchen Sie es noch einmal`,
  'no-tray': () => 'Dieser Desktop hat keinen Infobereich, in dem Oriel bleiben könnte: das Schließen des Fensters beendet es',
  'mentions-gone': () => 'Das Dokument nennt die Wörter nicht mehr; listen Sie die Nennungen noch einmal auf',
  'question-gone': () => 'Diese Frage gibt es nicht mehr',
  'passage-gone': () => 'Diese Passage gibt es nicht mehr; fragen Sie noch einmal',
  'trace-gone': () => 'Wie diese Antwort entstand, ist nicht aufgehoben; fragen Sie noch einmal',
  'place-gone': (n) => `${n.name} ist nicht mehr in der Bibliothek; fügen Sie es wieder hinzu, um die Stelle zu sehen`,
  'command-ended': (n) => `Der Befehl endete zu früh: ${n.error}`,
  'too-many-namesakes': () => 'hat in der Bibliothek zu viele Namensvettern',
  'folder-not-made': (n, say) => `lässt sich nicht anlegen; prüfen Sie den Datenträger: ${say(n.cause)}`,
  'not-copied': (n, say) => `lässt sich nicht kopieren; prüfen Sie den Datenträger: ${say(n.cause)}`,
  'not-written': (n, say) => `lässt sich nicht schreiben: ${say(n.cause)}`,
  'not-deleted': (n, say) => `lässt sich nicht löschen; löschen Sie es von Hand: ${say(n.cause)}`,
  'settings-not-written': (n, say) => `lässt sich nicht schreiben; prüfen Sie den Datenträger und die Rechte: ${say(n.cause)}`,
  'export-not-written': (n, say) => `lässt sich nicht schreiben; wählen Sie einen anderen Ordner: ${say(n.cause)}`,
  'not-shown': (n, say) => `lässt sich nicht zeigen; öffnen Sie den Ordner von Hand: ${say(n.cause)}`,
  'not-opened': (n, say) => `lässt sich nicht öffnen; öffnen Sie es von Hand: ${say(n.cause)}`,
  'sample-not-written': (n, say) => `das Beispiel lässt sich nicht in ${n.folder} schreiben; prüfen Sie den Datenträger: ${say(n.cause)}`,
}
