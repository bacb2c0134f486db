// What the engine, the models and the shell say, as it stands in their sources; `../told` puts the one in the place of the other.
export const messages: Record<string, string> = {
  // crates/store/src/error.rs
  "the library {} cannot be opened: {cause}; check the folder's permissions":
    'Die Bibliothek {0} lässt sich nicht öffnen: {1}; prüfen Sie die Rechte des Ordners',
  '{} is not an Oriel library or is damaged: {what}; choose another folder, or move it away to start anew':
    '{0} ist keine Bibliothek von Oriel oder beschädigt: {1}; wählen Sie einen anderen Ordner, oder schieben Sie diesen beiseite, um neu zu beginnen',
  'the library {} has format {found}, this Oriel reads {known}; use the newer Oriel':
    'Die Bibliothek {0} hat das Format {1}, dieses Oriel liest {2}; nehmen Sie das neuere Oriel',
  'the disk with the library {} is full; free some space and try again, nothing is lost':
    'Der Datenträger mit der Bibliothek {0} ist voll; schaffen Sie Platz und versuchen Sie es noch einmal, verloren ist nichts',
  'another Oriel{} is indexing the library {}; wait until it has finished, or stop it':
    'Ein anderes Oriel{0} liest gerade für die Bibliothek {1}; warten Sie, bis es fertig ist, oder halten Sie es an',
  'the vectors of the library {} are being sorted; try again when that is done':
    'Die Vektoren der Bibliothek {0} werden gerade geordnet; versuchen Sie es danach noch einmal',
  'the library {} is open in another Oriel; close it and try again':
    'Die Bibliothek {0} ist in einem anderen Oriel offen; schließen Sie es und versuchen Sie es noch einmal',
  'the library {} is being compacted or restored by another Oriel; try again when that is done':
    'Die Bibliothek {0} wird von einem anderen Oriel verkleinert oder wiederhergestellt; versuchen Sie es danach noch einmal',
  cancelled: 'abgebrochen',
  'the library is damaged: {0}; a check of it says how far that goes':
    'Die Bibliothek ist beschädigt: {0}; eine Prüfung sagt, wie weit das geht',
  "the library's database failed: {0}": 'Die Datenbank der Bibliothek ist gescheitert: {0}',
  "the library's vectors failed: {0}": 'Die Vektoren der Bibliothek sind gescheitert: {0}',
  // crates/engine/src/error.rs
  'cancelled; what was done until then is kept': 'Abgebrochen; was bis dahin getan war, bleibt',
  '{} is not followed by this library': '{0} gehört nicht zu den Ordnern dieser Bibliothek',
  'there is a library in {} already; restore into another folder, or have this one moved aside':
    'In {0} liegt schon eine Bibliothek; nehmen Sie einen anderen Ordner, oder lassen Sie diese beiseite legen',
  'folder {number} is not followed any more': 'Der Ordner {0} gehört nicht mehr zur Bibliothek',
  "the pattern '{pattern}' cannot be understood: {why}": 'Das Muster „{0}“ ist nicht zu verstehen: {1}',
  '{names} is not in the library any more; take it out of the question':
    '{0} ist nicht mehr in der Bibliothek; nehmen Sie es aus der Frage heraus',
  '{name} is not in the library any more; add it again to see the place':
    '{0} ist nicht mehr in der Bibliothek; fügen Sie es wieder hinzu, um die Stelle zu sehen',
  'document {} is not in the library any more': 'Das Dokument {0} ist nicht mehr in der Bibliothek',
  '{} is not in the library; its folder has to be followed and read first':
    '{0} ist nicht in der Bibliothek; sein Ordner muss erst hinzugefügt und gelesen werden',
  '{} has no text in the library: {why}': '{0} hat keinen Text in der Bibliothek: {1}',
  '{} has not been read yet': '{0} ist noch nicht gelesen',
  '{} has changed since it was read and has to be read again': '{0} hat sich geändert, seit es gelesen wurde, und muss noch einmal gelesen werden',
  'the sentence cannot be marked in {}: {why}': 'Der Satz lässt sich in {0} nicht markieren: {1}',
  'the process that reads documents ({}) cannot be started: {cause}; install Oriel again':
    'Der Prozess, der Dokumente liest ({0}), lässt sich nicht starten: {1}; installieren Sie Oriel noch einmal',
  "the library's vectors were made by another embedder ({stored}) and have to be made anew":
    'Die Vektoren der Bibliothek stammen von einem anderen Modell ({0}) und müssen neu gemacht werden',
  // crates/engine/src, what is wrong with a path
  'cannot be changed: {error}; check its permissions': 'lässt sich nicht ändern: {0}; prüfen Sie die Rechte',
  'cannot be read and would be missing in the backup: {cause}; check its permissions':
    'lässt sich nicht lesen und würde in der Sicherung fehlen: {0}; prüfen Sie die Rechte',
  'cannot be written: {cause}; check its permissions and the room on the disk':
    'lässt sich nicht schreiben: {0}; prüfen Sie die Rechte und den freien Platz',
  'cannot be written: {error}; check the folder and the room on its disk':
    'lässt sich nicht schreiben: {0}; prüfen Sie den Ordner und den freien Platz',
  'holds what was restored, and its disk has not confirmed that: {cause}':
    'enthält, was wiederhergestellt wurde, und der Datenträger hat das nicht bestätigt: {0}',
  'was written by a newer Oriel and stays as it is; use that one':
    'stammt von einem neueren Oriel und bleibt, wie es ist; nehmen Sie jenes',
  'cannot be read: {error}; check its permissions': 'lässt sich nicht lesen: {0}; prüfen Sie die Rechte',
  'is a single file; only something in a folder can be left out':
    'ist eine einzelne Datei; auslassen lässt sich nur etwas in einem Ordner',
  'its file is not there any more': 'die Datei ist nicht mehr da',
  'cannot be looked at: {error}; check its permissions and the disk':
    'lässt sich nicht ansehen: {0}; prüfen Sie die Rechte und den Datenträger',
  'does not exist; check the spelling': 'gibt es nicht; prüfen Sie die Schreibung',
  'cannot be reached: {error}; check its permissions': 'ist nicht zu erreichen: {0}; prüfen Sie die Rechte',
  'is a file of a kind that Oriel does not read; it reads {}':
    'ist eine Datei, deren Art Oriel nicht liest; es liest {0}',
  'it is not there any more; bring it back, or stop following it':
    'nicht mehr da; bringen Sie es zurück, oder entfernen Sie es aus Oriel',
  'it is not there; bring it back, or stop following it': 'nicht da; bringen Sie es zurück, oder entfernen Sie es aus Oriel',
  'the drive that was here is not connected; connect it again, or stop following the folder':
    'das Laufwerk, das hier war, ist nicht verbunden; verbinden Sie es, oder entfernen Sie den Ordner aus Oriel',
  '{reason}, and {more} more': '{0}, und {1} weitere',
  // crates/engine/src/conversation
  '{} cannot be used: {cause}; check its permissions and the room on the disk':
    '{0} ist nicht zu gebrauchen: {1}; prüfen Sie die Rechte und den freien Platz',
  'there is no conversation {id} any more': 'Das Gespräch {0} gibt es nicht mehr',
  '{} is damaged ({why}) and was set aside; nothing of it was deleted':
    '{0} ist beschädigt ({1}) und wurde beiseite gelegt; gelöscht wurde nichts',
  '{} was written by a newer Oriel; use that one to read it': '{0} stammt von einem neueren Oriel; nehmen Sie jenes dafür',
  'the id of a conversation is sixteen hexadecimal digits': 'Die Nummer eines Gesprächs hat sechzehn hexadezimale Stellen',
  // crates/core/src/model.rs, crates/models/src
  "{tokens} tokens do not fit the model's {limit}": '{0} Tokens sind mehr als die {1} des Modells',
  '{id} is not on this machine; fetch it first': '{0} ist nicht auf diesem Rechner; laden Sie es zuerst',
  '{message}; Settings, Models and device offers it': '{0}; Einstellungen, Modelle und Gerät bietet es an',
  '{id} serves as {}, not as {role}': '{0} dient als {1}, nicht als {2}',
  "there is no model '{id}'; there are {}": 'Das Modell „{0}“ gibt es nicht; es gibt {1}',
  '{id} is not here': '{0} ist nicht hier',
  '{id} came with Oriel and stays': '{0} kam mit Oriel und bleibt',
  '{id} cannot be deleted from {folder}: {error}; check its permissions':
    '{0} lässt sich nicht aus {1} löschen: {2}; prüfen Sie die Rechte',
  '{id} has no file with weights; import it again': '{0} hat keine Datei mit Gewichten; holen Sie es noch einmal',
  'there is no such file': 'diese Datei gibt es nicht',
  'its path is no Unicode text': 'der Pfad ist kein Unicode-Text',
  "cannot start '{}' to run the model ({e})": '„{0}“ lässt sich für das Modell nicht starten ({1})',
  'the process that runs the model died ({how}{ending}); ask again to start it anew':
    'der Prozess mit dem Modell ist gestorben ({0}{1}); fragen Sie noch einmal, um ihn neu zu starten',
  '{path}: the disk is full; make room and try again':
    '{0}: der Datenträger ist voll; schaffen Sie Platz und versuchen Sie es noch einmal',
  '{path}: the disk is read-only; set ORIEL_MODELS to another folder':
    '{0}: der Datenträger ist schreibgeschützt; setzen Sie ORIEL_MODELS auf einen anderen Ordner',
  'its name makes no id; rename it': 'aus dem Namen wird keine Nummer; benennen Sie die Datei um',
  "'{id}' is a model of the catalog; rename the file": '„{0}“ ist ein Modell des Verzeichnisses; benennen Sie die Datei um',
  'its installed files have just vanished': 'die installierten Dateien sind eben verschwunden',
  "another model is called '{id}' already; rename this one, or delete {}":
    'ein anderes Modell heißt schon „{0}“; benennen Sie dieses um, oder löschen Sie {1}',
  "a model of the kind '{}' writes no text": 'ein Modell der Art „{0}“ schreibt keinen Text',
  'its name is no Unicode text': 'der Name ist kein Unicode-Text',
  'has no {missing}; Oriel takes a GGUF file, or a folder with {}': 'hat kein {0}; Oriel nimmt eine GGUF-Datei oder einen Ordner mit {1}',
  "'{other}' is neither an embedder nor a reranker": '„{0}“ findet weder nach Bedeutung noch ordnet es Passagen',
  'has {} labels, a reranker has one': 'hat {0} Ausgänge; was Passagen ordnet, hat einen',
  '{}: what it computes are no numbers': '{0}: was es rechnet, sind keine Zahlen',
  '{}: it changed while it was imported; try again': '{0}: es änderte sich, während es geholt wurde; versuchen Sie es noch einmal',
  // crates/text/src/extract, crates/engine/src/extract
  'It is nested too deeply; it may be damaged or built to be so.': 'Es ist zu tief verschachtelt; vielleicht beschädigt oder mit Absicht so gebaut.',
  'Reading it needed more memory than Oriel allows one file; it may be damaged or built to do so.':
    'Zum Lesen brauchte es mehr Speicher, als Oriel einer Datei gibt; vielleicht ist sie beschädigt oder mit Absicht so gebaut.',
  'The PDF asks for a password; save a copy without one.': 'Das PDF fragt nach einem Passwort; speichern Sie eine Kopie ohne Passwort.',
  'The PDF holds pictures of pages and no text; run text recognition (OCR) on it and save the result.':
    'Das PDF enthält Bilder von Seiten und keinen Text; lassen Sie eine Texterkennung (OCR) darüber laufen und speichern Sie das Ergebnis.',
  'The PDF is damaged beyond reading; a PDF viewer may be able to save a repaired copy.':
    'Das PDF ist so beschädigt, dass es sich nicht lesen lässt; ein PDF-Programm kann vielleicht eine reparierte Kopie speichern.',
  'The PDF is damaged: no page can be found in it.': 'Das PDF ist beschädigt: Keine Seite ist darin zu finden.',
  'The PDF is encrypted in a way that Oriel cannot read; save a copy without protection.':
    'Das PDF ist auf eine Weise verschlüsselt, die Oriel nicht liest; speichern Sie eine Kopie ohne Schutz.',
  'The PDF is encrypted; save a copy without a password.': 'Das PDF ist verschlüsselt; speichern Sie eine Kopie ohne Passwort.',
  "The PDF's fonts do not tell which characters they draw; export it anew or run text recognition (OCR) on it.":
    'Die Schriften des PDF sagen nicht, welche Zeichen sie zeichnen; erzeugen Sie es neu, oder lassen Sie eine Texterkennung (OCR) darüber laufen.',
  'The Word document is damaged: {what}.': 'Das Word-Dokument ist beschädigt: {0}.',
  'The document asks for a password; save a copy without one.': 'Das Dokument fragt nach einem Passwort; speichern Sie eine Kopie ohne Passwort.',
  'The file holds more text than Oriel reads; divide it into smaller files.':
    'Die Datei enthält mehr Text, als Oriel liest; teilen Sie sie in kleinere Dateien.',
  'The file is an Office document of the old format; save it as .docx.':
    'Die Datei ist ein Office-Dokument im alten Format; speichern Sie sie als .docx.',
  'The file is named .{kind}, but {what}.': 'Die Datei heißt .{0}, {1}.',
  'The file is named .{kind}, but is none, or its beginning is damaged.':
    'Die Datei heißt .{0}, ist aber keine solche, oder ihr Anfang ist beschädigt.',
  'seems to be a PDF; give it the matching ending': 'ist aber wohl ein PDF; geben Sie ihr die passende Endung',
  'seems to be an RTF document; save it as .docx': 'ist aber wohl ein RTF-Dokument; speichern Sie sie als .docx',
  'seems to be a ZIP archive or an Office document; give it the matching ending':
    'ist aber wohl ein ZIP-Archiv oder ein Office-Dokument; geben Sie ihr die passende Endung',
  'seems to be an Office document of the old format; save it as .docx':
    'ist aber wohl ein Office-Dokument im alten Format; speichern Sie sie als .docx',
  'seems to be a picture': 'ist aber wohl ein Bild',
  'seems to be a PostScript file': 'ist aber wohl eine PostScript-Datei',
  'seems to be a packed file': 'ist aber wohl eine gepackte Datei',
  'seems to be an HTML page; give it the matching ending': 'ist aber wohl eine HTML-Seite; geben Sie ihr die passende Endung',
  'seems to be an XML file': 'ist aber wohl eine XML-Datei',
  'seems to be plain text; give it the matching ending': 'ist aber wohl reiner Text; geben Sie ihr die passende Endung',
  'The file is named as a text, but holds binary data.': 'Die Datei heißt wie ein Text, enthält aber binäre Daten.',
  'The page cannot be read as HTML: {error}.': 'Die Seite lässt sich nicht als HTML lesen: {0}.',
  'The page nests its elements too deeply to be read.': 'Die Seite verschachtelt ihre Elemente zu tief, um gelesen zu werden.',
  'The process that read it ended {how}; the file may be damaged. It is tried again when it changes.':
    'Der Prozess, der sie las, endete ({0}); die Datei ist vielleicht beschädigt. Wenn sie sich ändert, wird es noch einmal versucht.',
  'The process that read it is gone.': 'Der Prozess, der sie las, ist verschwunden.',
  'The file cannot be opened: {error}; give your user the right to read it.':
    'Die Datei lässt sich nicht öffnen: {0}; geben Sie Ihrem Konto das Recht, sie zu lesen.',
  'The file cannot be opened: {error}; check the disk.': 'Die Datei lässt sich nicht öffnen: {0}; prüfen Sie den Datenträger.',
  'The file has {} MB; Oriel reads files up to {} MB. Divide it, or take it out of the folder.':
    'Die Datei hat {0} MB; Oriel liest Dateien bis {1} MB. Teilen Sie sie, oder nehmen Sie sie aus dem Ordner.',
  // src-tauri/src
  'this desktop has no tray where Oriel could stay: closing the window ends it':
    'Dieser Desktop hat keinen Infobereich, in dem Oriel bleiben könnte: das Schließen des Fensters beendet es',
  'the document does not mention the words any more; list the mentions again':
    'Das Dokument nennt die Wörter nicht mehr; listen Sie die Nennungen noch einmal auf',
  'there is no such conversation: {error}': 'Dieses Gespräch gibt es nicht: {0}',
  'this question is not there any more': 'Diese Frage gibt es nicht mehr',
  'stopped before the first word of the answer': 'Vor dem ersten Wort der Antwort angehalten',
  'there is no question': 'Es fehlt eine Frage',
  "'{day}' is not a date; write it as 2026-01-31": '„{0}“ ist kein Datum; schreiben Sie es wie 2026-01-31',
  'what the question was limited to is not in the library any more; remove the limit':
    'Worauf die Frage beschränkt war, ist nicht mehr in der Bibliothek; nehmen Sie die Beschränkung weg',
  'nothing is kept of how this answer came about; ask again': 'Wie diese Antwort entstand, ist nicht aufgehoben; fragen Sie noch einmal',
  'that drop is gone; please drop the files again': 'Das Abgelegte ist nicht mehr da; legen Sie die Dateien noch einmal ab',
  'what was chosen is no file of this machine: {error}': 'Das Gewählte ist keine Datei dieses Rechners: {0}',
  '{} has too many namesakes in the library': '{0} hat in der Bibliothek zu viele Namensvettern',
  '{id} is being downloaded already; wait for it, or pause it first':
    '{0} wird schon geladen; warten Sie, oder halten Sie es erst an',
  "the model of the library's index is not on this computer any more, so there is nothing to compare with; switch without a trial":
    'das Modell, mit dem der Index der Bibliothek entstand, ist nicht mehr auf diesem Computer; es gibt nichts zu vergleichen, wechseln Sie ohne Probe',
  'a model is being tried already; wait for it, or cancel it first':
    'es wird schon ein Modell ausprobiert; warten Sie darauf, oder brechen Sie es ab',
  'a model is being imported already; wait for it, or cancel it first':
    'Ein Modell wird schon importiert; warten Sie, oder brechen Sie das erst ab',
  'files are being copied already; wait for that, or cancel it first':
    'Es werden schon Dateien kopiert; warten Sie, oder brechen Sie das erst ab',
  'the library is already being checked, repaired, backed up, compacted or restored; wait for that, or cancel it':
    'Die Bibliothek wird schon geprüft, repariert, gesichert, verkleinert oder wiederhergestellt; warten Sie das ab, oder brechen Sie es ab',
  'the library is being compacted, restored, repaired or opened anew; wait until that is done':
    'Die Bibliothek wird gerade verkleinert, wiederhergestellt, repariert oder neu geöffnet; warten Sie das ab',
  'the library cannot be opened, so it cannot be compacted; repair it first':
    'Die Bibliothek lässt sich nicht öffnen und darum nicht verkleinern; reparieren Sie sie zuerst',
  'no backup is chosen any more; choose one again': 'Es ist keine Sicherung mehr gewählt; wählen Sie noch einmal',
  'the library is still being used by a question or a view; try again in a moment':
    'Eine Frage oder Ansicht braucht die Bibliothek noch; versuchen Sie es gleich noch einmal',
  'an answer is being written; wait until it is complete, or stop it':
    'Eine Antwort wird geschrieben; warten Sie, bis sie fertig ist, oder halten Sie sie an',
  'the indexing is in the middle of something that cannot be interrupted; try again in a moment':
    'Das Lesen steckt in etwas, das sich nicht unterbrechen lässt; versuchen Sie es gleich noch einmal',
  'this passage is not there any more; ask again': 'Diese Passage gibt es nicht mehr; fragen Sie noch einmal',
  'the command ended early: {error}': 'Der Befehl endete zu früh: {0}',
  "the user's data folder is unknown; set HOME or ORIEL_LIBRARY":
    'Der Ordner für Ihre Daten ist unbekannt; setzen Sie HOME oder ORIEL_LIBRARY',
  'the library {} is not there; bring it back, and it is opened by itself':
    'Die Bibliothek {0} ist nicht da; bringen Sie sie zurück, dann öffnet sie sich von selbst',
  'no model that finds by meaning is here, so documents are found by their words only; Settings, Models and device offers one':
    'Kein Modell, das nach Bedeutung findet, ist hier, also werden Dokumente nur nach Wörtern gefunden; Einstellungen, Modelle und Gerät bietet eines an',
  // The system
  'No such file or directory (os error 2)': 'Datei oder Ordner nicht gefunden (Fehler 2 des Systems)',
  'Input/output error (os error 5)': 'Ein- oder Ausgabefehler (Fehler 5 des Systems)',
  'Permission denied (os error 13)': 'keine Berechtigung (Fehler 13 des Systems)',
  'No space left on device (os error 28)': 'kein Platz auf dem Datenträger (Fehler 28 des Systems)',
  'Read-only file system (os error 30)': 'schreibgeschütztes Dateisystem (Fehler 30 des Systems)',
  // Downloads.
  '{cause}; what was downloaded is kept; {advice}': '{0}; das bereits Geladene bleibt; {1}',
  '{cause}; nothing was downloaded yet; {advice}': '{0}; geladen wurde noch nichts; {1}',
  '{address} is not an https address': '{0} ist keine https-Adresse',
  '{host} redirects to {target}, which Oriel does not follow': '{0} leitet nach {1} weiter, wohin Oriel nicht folgt',
  '{host} redirects without end': '{0} leitet ohne Ende weiter',
  'the address of {host} cannot be found': 'die Adresse von {0} ist nicht zu finden',
  '{host} cannot be reached': '{0} ist nicht zu erreichen',
  '{host} refuses the connection': '{0} lehnt die Verbindung ab',
  '{host} does not answer': '{0} antwortet nicht',
  'the connection to {host} was cut': 'die Verbindung zu {0} ist abgerissen',
  'the certificate of {host} is not trusted ({reason})': 'dem Zertifikat von {0} wird nicht vertraut ({1})',
  'no secure connection to {host} ({reason})': 'keine sichere Verbindung zu {0} ({1})',
  'the proxy {proxy} refuses the connection ({reason})': 'der Proxy {0} lehnt die Verbindung ab ({1})',
  '{host} has a file of {found} bytes where {size} were expected': '{0} hat eine Datei von {1} Bytes statt {2}',
  '{host} sends another part of the file than the one asked for':
    '{0} sendet einen anderen Teil der Datei als den verlangten',
  'check HF_ENDPOINT, which must be an https address':
    'prüfen Sie HF_ENDPOINT: das muss eine https-Adresse sein',
  'a network that asks for a sign-in does this; sign in, or check HF_ENDPOINT, and try again':
    'das tut ein Netz, das eine Anmeldung verlangt; melden Sie sich an oder prüfen Sie HF_ENDPOINT, und versuchen Sie es noch einmal',
  'check the network and try again': 'prüfen Sie das Netz und versuchen Sie es noch einmal',
  'if your company inspects traffic, install its certificate in the system\'s store and try again':
    'wenn Ihre Firma den Verkehr prüft, installieren Sie ihr Zertifikat im System und versuchen Sie es noch einmal',
  'check HTTPS_PROXY and ALL_PROXY and try again':
    'prüfen Sie HTTPS_PROXY und ALL_PROXY und versuchen Sie es noch einmal',
  'this model cannot be fetched without an account there': 'dieses Modell gibt es nur mit einem Konto dort',
  'update Oriel, or choose another model': 'aktualisieren Sie Oriel oder wählen Sie ein anderes Modell',
  'try again later': 'versuchen Sie es später noch einmal',
  '{host} refuses access to this file (status {status})': '{0} verweigert den Zugriff auf diese Datei (Status {1})',
  '{host} does not have this file (status 404)': '{0} hat diese Datei nicht (Status 404)',
  '{host} asks to wait (status 429)': '{0} bittet zu warten (Status 429)',
  '{host} has a fault of its own (status {status})': '{0} hat selbst einen Fehler (Status {1})',
  '{host} answers with status {status}': '{0} antwortet mit Status {1}',
  'The download needs {}; {} are free in {}; make room and try again':
    'Der Download braucht {0}; {1} sind frei in {2}; schaffen Sie Platz und versuchen Sie es noch einmal',
  'The download does not match the published file. Oriel deleted it and used none of it. Try again.':
    'Der Download stimmt nicht mit der veröffentlichten Datei überein. Oriel hat ihn gelöscht und nichts davon benutzt. Versuchen Sie es noch einmal.',
  '{name} is being downloaded already; wait until that has ended, or stop it':
    '{0} wird schon geladen; warten Sie, bis das zu Ende ist, oder halten Sie es an',
  '{program} is missing; Oriel needs it to download; install Oriel again':
    '{0} fehlt; Oriel braucht es zum Laden; installieren Sie Oriel neu',
  'the process that downloads failed ({reason}){}; try again':
    'der Prozess, der lädt, ist gescheitert ({0}){1}; versuchen Sie es noch einmal',
  'the download cannot start ({error}); close other programs and try again':
    'der Download kann nicht beginnen ({0}); schließen Sie andere Programme und versuchen Sie es noch einmal',
  '{id} belongs to {program}; remove it there': '{0} gehört zu {1}; entfernen Sie es dort',
}
