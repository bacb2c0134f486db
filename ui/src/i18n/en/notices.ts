// What the engine, the models and the shell tell: a text for each code. They are those of crates/core/src/notice.
import { counting, plural, sizes } from '../plural'
import type { Damage, DownloadAdvice, FileLooks, IoKind, ModelSpoke } from '../../ipc/types'
import type { Notices } from '../notices'

const counted = counting('en-GB')
const size = sizes('en-GB')

const ioKinds: Record<Exclude<IoKind, 'other'>, string> = {
  'not-found': 'No such file or directory',
  'permission-denied': 'Permission denied',
  'disk-full': 'No space left on device',
  'read-only': 'Read-only file system',
  'input-output': 'Input/output error',
}

const looks: Record<FileLooks, string> = {
  picture: 'a picture',
  'post-script': 'a PostScript file',
  packed: 'a packed file',
  program: 'a program',
  xml: 'an XML file',
  'plain-text': 'plain text; give it the matching ending',
}

const damage: Record<Damage, string> = {
  incomplete: 'it is incomplete',
  'part-packed': 'a part cannot be unpacked',
  'parts-not-linked': 'its parts are not linked',
  'main-part-missing': 'its main part is missing',
  'no-xml': 'its main part holds no XML',
  senseless: 'its content makes no sense',
  'xml-malformed': 'its XML is malformed',
  'xml-breaks-off': 'its XML breaks off',
}

const spoke: Record<ModelSpoke, string> = { garbage: 'it sent invalid data', 'out-of-turn': 'it sent an unexpected message' }

const advice: Record<DownloadAdvice, string> = {
  'check-endpoint': 'check HF_ENDPOINT, which must be an https address',
  'sign-in': 'a network that asks for a sign-in does this; sign in, or check HF_ENDPOINT, and try again',
  'check-network': 'check the network and try again',
  'install-certificate': "if your company inspects traffic, install its certificate in the system's store and try again",
  'check-proxy': 'check HTTPS_PROXY and ALL_PROXY and try again',
  'account-needed': 'this model cannot be fetched without an account there',
  'update-oriel': 'update Oriel, or choose another model',
  'try-later': 'try again later',
}

const vector = (other: boolean) => (other ? 'vector of the other embedder' : 'vector')

export const notices: Notices = {
  // What has no code of ours: messages of the system, of a parser or a library, and of older versions of Oriel.
  text: (n) => n.text,
  io: (n) => (n.number === null || n.kind === 'other' ? n.text : `${ioKinds[n.kind]} (os error ${n.number})`),

  // Joins.
  path: (n, say) => `${n.path} ${say(n.why)}`,
  about: (n, say) => `${n.subject}: ${say(n.what)}`,

  // The store.
  cancelled: () => 'cancelled',
  'library-unusable': (n, say) => `the library ${n.path} cannot be opened: ${say(n.cause)}; check the folder's permissions`,
  'no-library-there': (n) =>
    `${n.path} is not an Oriel library or is damaged: ${n.what}; choose another folder, or move it away and start again`,
  'library-newer': (n) => `the library ${n.path} has format ${n.found}, this Oriel reads ${n.known}; use the newer Oriel`,
  'library-unreleased': (n) =>
    `the library ${n.path} has format ${n.found}, which only development builds of Oriel wrote; nothing is lost: a repair sets it aside and makes a new index of the same folders`,
  'library-disk-full': (n) => `the disk with the library ${n.path} is full; free some space and try again, nothing is lost`,
  'library-busy': (n) =>
    `another Oriel${n.process === null ? '' : ` (process ${n.process})`} is indexing the library ${n.path}; wait until it has finished, or stop it`,
  'library-in-use': (n) => `the library ${n.path} is open in another Oriel; close it and try again`,
  'library-being-replaced': (n) => `the library ${n.path} is being compacted or restored by another Oriel; try again when that is done`,
  'library-read-only': (n) => `the library ${n.path} can only be read here; those who may write its folder can change it`,
  'library-older': (n) => `the library ${n.path} was written by an older Oriel; those who may write its folder have to open it once`,
  'library-overtaken': (n) => `the library ${n.path} was changed while it was read; try again`,
  'library-damaged': (n) => `the library is damaged: ${n.what}; a check shows what is affected`,
  'database-failed': (n, say) => `the library's database failed: ${say(n.cause)}`,

  // The engine.
  'cancelled-and-kept': () => 'cancelled; what was done until then is kept',
  'not-followed': (n) => `${n.path} is not followed by this library`,
  'library-occupied': (n) => `there is a library in ${n.path} already; restore into another folder, or have this one moved aside`,
  'folder-gone': (n) => `folder ${n.number} is not followed any more`,
  'pattern-invalid': (n, say) => `the pattern '${n.pattern}' cannot be understood: ${say(n.why)}`,
  'pattern-of-many-lines': () => 'it has more than one line; give each line by itself',
  'document-gone': (n) => `document ${n.id} is not in the library any more`,
  'document-unknown': (n) => `${n.path} is not in the library; its folder has to be followed and read first`,
  'document-without-text': (n, say) => `${n.path} has no text in the library: ${say(n.why)}`,
  'document-unread': (n) => `${n.path} has not been read yet`,
  'document-changed': (n) => `${n.path} has changed since it was read and has to be read again`,
  'sentence-unmarked': (n, say) => `the sentence cannot be marked in ${n.path}: ${say(n.why)}`,
  'reader-unavailable': (n, say) =>
    `the process that reads documents (${n.program}) cannot be started: ${say(n.cause)}; install Oriel again`,
  'other-embedder': (n) => `the library's vectors were made by another embedder (${n.stored}) and have to be computed again`,

  // What is wrong with a path, after its name.
  'cannot-be-changed': (n, say) => `cannot be changed: ${say(n.cause)}; check its permissions`,
  'cannot-be-read': (n, say) => `cannot be read: ${say(n.cause)}; check its permissions`,
  'no-right-to-read': (n, say) => `cannot be read: ${say(n.cause)}; give your user the right to read it`,
  'missing-in-backup': (n, say) => `cannot be read and would be missing in the backup: ${say(n.cause)}; check its permissions`,
  'cannot-be-written': (n, say) => `cannot be written: ${say(n.cause)}; check its permissions and the room on the disk`,
  'backup-cannot-be-written': (n, say) => `cannot be written: ${say(n.cause)}; check the folder and the room on its disk`,
  'cannot-be-looked-at': (n, say) => `cannot be looked at: ${say(n.cause)}; check its permissions and the disk`,
  'cannot-be-reached': (n, say) => `cannot be reached: ${say(n.cause)}; check its permissions`,
  'does-not-exist': () => 'does not exist; check the spelling',
  'kind-not-read': (n) => `is a file of a kind that Oriel does not read; it reads ${n.kinds}`,
  'is-single-file': () => 'is a single file; only something in a folder can be left out',
  'folder-list-newer': () => 'was written by a newer Oriel and was not changed; use that version',
  'library-misplaced': (n, say) => `is the library of ${n.library} and cannot be put back: ${say(n.cause)}; move it there`,
  'restore-unconfirmed': (n, say) => `holds what was restored, and its disk has not confirmed that: ${say(n.cause)}`,
  'target-is-no-backup': () => 'exists and is not an Oriel backup; choose another name',
  'is-no-file-name': () => 'is not a file name; choose another',
  'backup-forbidden': () => 'cannot be read; give your user the right to read it',
  'is-no-backup': () => 'is no backup of Oriel; choose another file',
  'is-no-whole-backup': () => 'is no backup of Oriel, or is cut off; choose another file',
  'backup-newer': () => 'was written by a newer Oriel; use that one to restore it',
  'backup-unreleased': () => 'was written by a development build of Oriel, in a format that is not read; choose another backup',
  'backup-damaged': () => 'is damaged: its files are not what its list says; choose another backup',

  // Why a folder is unreachable.
  'file-not-there-any-more': () => 'it is not there any more; bring it back, or stop following it',
  'not-there': () => 'it is not there; bring it back, or stop following it',
  'drive-not-connected': () => 'the drive that was here is not connected; connect it again, or stop following the folder',
  'and-more': (n, say) => `${say(n.reason)}, and ${n.more} more`,

  // What a check finds.
  'path-leads-elsewhere': () => 'its path leads to another document',
  'member-not-listed': () => 'the file that holds it does not list it',
  'text-though-not-indexed': () => 'it has a text though it is not indexed',
  'text-missing': () => 'its text is missing',
  'sentence-count-wrong': () => 'its sentences are not as many as its record says',
  'sentences-without-match': (n) => `${counted(n.count, 'of its sentences does', 'of its sentences do')} not match its text`,
  'sentences-without-meaning': (n) => `${n.count} of its sentences cannot be found by meaning`,
  'words-missing': () => 'it cannot be found by all of its words',
  'postings-wrong': (n) => `there are ${n.stored} postings, the documents have ${n.expected}`,
  'occurrences-wrong': (n) => `there are ${n.stored} occurrences, the documents have ${n.expected}`,
  'waiting-document-missing': (n) => `document ${n.id} waits to be read and is not there`,
  'vectors-missing': (n) =>
    `${counted(n.count, 'sentence has', 'sentences have')} no ${vector(n.other)} and ${plural(n.count, 'is', 'are')} not queued for one`,
  'vectors-without-sentence': (n) => `${counted(n.count, 'time', 'times')} a ${vector(n.other)} belongs to no sentence`,
  'codes-wrong': (n) => `${counted(n.count, 'time', 'times')} the code of a ${vector(n.other)} is wrong or missing`,
  'sentence-sum-wrong': (n) => `the documents have ${counted(n.counted, 'sentence', 'sentences')}, the sums say ${n.kept}`,

  // Conversations.
  'conversation-unusable': (n, say) => `${n.path} cannot be used: ${say(n.cause)}; check its permissions and the room on the disk`,
  'conversation-gone': (n) => `there is no conversation ${n.id} any more`,
  'conversation-damaged': (n) => `${n.path} is damaged (${n.why}) and was set aside; nothing of it was deleted`,
  'conversation-newer': (n) => `${n.path} was written by a newer Oriel; use that one to read it`,

  // Reading documents.
  'file-forbidden': (n, say) => `The file cannot be opened: ${say(n.cause)}; give your user the right to read it.`,
  'file-cannot-be-opened': (n, say) => `The file cannot be opened: ${say(n.cause)}; check the disk.`,
  'file-gone': () => 'its file is not there any more',
  'file-too-large': (n) =>
    `The file has ${n.megabytes} MB; Oriel reads files up to ${n.limit} MB. Divide it, or take it out of the folder.`,
  'text-too-long': () => 'The file holds more text than Oriel reads; divide it into smaller files.',
  'too-many-members': () => 'The file holds more files, or larger ones, than Oriel reads; unpack it, or divide it into smaller ones.',
  'reading-took-too-long': (n) => `Reading it took more than ${counted(n.seconds, 'second', 'seconds')}; it may be built to never end.`,
  'reader-gone': () => 'The process that read it is gone.',
  'reader-ended': (n) =>
    `The process that read it ended ${n.status === null ? 'without a trace' : `with ${n.status}`}; the file may be damaged. It is tried again when it changes.`,
  'needed-too-much-memory': () => 'Reading it needed more memory than Oriel allows one file; it may be damaged or built to do so.',
  'too-many-pixels': (n) => `The picture has ${n.width} × ${n.height} pixels, more than Oriel reads; save a smaller copy.`,
  'nested-too-deeply': () => 'It is nested too deeply; it may be damaged or built to be so.',
  'sentence-outside-text': () => 'the reader returned a sentence outside its text',
  'pages-outside-text': () => 'the reader returned a page map that does not fit its text',
  'outline-outside-text': () => 'the reader returned headings that do not fit its text',
  'member-outside-file': () => 'the reader returned a file whose name leads out of the file that holds it',
  'named-otherwise': (n) => `The file is named as ${n.kind}, but seems to be ${looks[n.looks]}.`,
  'not-what-it-is-named': (n) => `The file is named as ${n.kind}, but is none, or its beginning is damaged.`,
  'office-wants-password': () => 'The document asks for a password; save a copy without one.',
  'archive-wants-password': () => 'The archive asks for a password; unpack it into the folder.',
  'archive-in-parts': () => 'It lies in several parts of an archive; unpack them into the folder.',
  'packed-otherwise': () => 'It is packed in a way that Oriel does not read; unpack the archive into the folder.',
  'book-locked': () => 'The book is locked by its seller (DRM), so that only certain programs open it.',
  damaged: (n) => `The ${n.kind} file is damaged: ${damage[n.what]}.`,
  'binary-named-text': () => 'The file is named as a text, but holds binary data.',
  'outlook-data': () => 'This is a data file of Outlook, which Oriel does not read; export its mails as mbox or EML.',
  'iwork-without-preview': () =>
    'The document holds no pages that Oriel can read; open it in Pages, Numbers or Keynote and export it as PDF or Word.',
  'page-nested-too-deeply': () => 'The page nests its elements too deeply to be read.',
  'pdf-without-page': () => 'The PDF is damaged: no page can be found in it.',
  'pdf-wants-password': () => 'The PDF asks for a password; give it to Oriel, or save a copy without one.',
  'pdf-password-wrong': () => 'The password does not open the PDF.',
  'password-not-kept': (n, say) =>
    `was given its password, but the system's keyring does not keep it: ${say(n.cause)}; when Oriel is started anew, its pages cannot be shown without it`,
  'password-not-forgotten': (n, say) => `the system's keyring does not forget its password: ${say(n.cause)}; delete it there, under Oriel`,
  'wants-no-password': () => 'asks for no password',
  'pdf-protected': () => 'The PDF is encrypted in a way that Oriel cannot read; save a copy without protection.',
  'pdf-encrypted': () => 'The PDF is encrypted; save a copy without a password.',
  'pdf-damaged': () => 'The PDF is damaged beyond reading; a PDF viewer may be able to save a repaired copy.',
  'pdf-fonts-without-characters': (n) =>
    `The PDF's fonts do not tell which characters they draw. Tesseract recognises them when everything else is done; if it is not installed: ${n.install}`,
  'needs-ocr': (n) =>
    `The file holds pictures and no text. Tesseract recognises their text when everything else is done; if it is not installed: ${n.install}`,

  // Models.
  'too-many-tokens': (n) => `${n.tokens} tokens do not fit the model's ${n.limit}`,
  'model-absent': (n) => `${n.id} is not on this machine; fetch it first`,
  'settings-offer-it': (n, say) => `${say(n.cause)}; Settings, Models and device offers it`,
  'no-embedder': () =>
    'no model that finds by meaning is here, so documents are found by their words only; Settings, Models and device offers one',
  'model-of-other-role': (n) => `${n.id} serves as ${n.serves}, not as ${n.role}`,
  'model-unknown': (n) => `there is no model '${n.id}'; most like it are ${n.nearest}`,
  'model-not-here': (n) => `${n.id} is not here`,
  'model-stays': (n) => `${n.id} came with Oriel and stays`,
  'model-of-program': (n) => `${n.id} belongs to ${n.program}; remove it there`,
  'model-cannot-be-deleted': (n, say) => `${n.id} cannot be deleted from ${n.folder}: ${say(n.cause)}; check its permissions`,
  'model-without-weights': (n) => `${n.id} has no file with weights; import it again`,
  'model-wrote-nothing': (n) => `${n.id} wrote nothing when its speed was measured`,
  'no-model-folder': () => 'there is no home folder for models: set HOME, or ORIEL_MODELS to a folder',
  'no-gpu': (n) => `no GPU could be used, so models run on the CPU: ${n.reason}`,
  'thread-cannot-start': (n) => `cannot start its thread (${n.error})`,
  'threads-cannot-start': (n) => `cannot start its threads (${n.error})`,
  'model-broke-down': () => 'the model broke down; start Oriel again',
  'not-numbers': () => 'its results are not numbers',
  'no-such-file': () => 'there is no such file',
  'path-not-unicode': () => 'its path is no Unicode text',
  'runner-cannot-start': (n, say) => `cannot start '${n.program}' to run the model (${say(n.cause)})`,
  'runner-of-version': (n) => `the program that runs models is of version ${n.version}; close Oriel and open it again`,
  'runner-gone': () => 'the process that runs the model is gone; ask again to restart it',
  'runner-died': (n) =>
    `the process that runs the model died (${n.spoke === null ? '' : `${spoke[n.spoke]}; `}${n.status}); ask again to restart it`,
  'runner-died-loading': (n) => `the process that runs the model died while loading it (${n.status})`,
  'runner-spoke-garbage': (n) => `the process that runs the model sent invalid data (${n.status})`,
  'with-log-line': (n, say) => `${say(n.what)}: ${n.line}`,
  'llama-cannot-load': () => 'llama.cpp cannot load it',
  'llama-does-not-start': (n) => `llama.cpp does not start (${n.error})`,
  'llama-cannot-compute': (n) => `llama.cpp cannot compute it (${n.error})`,
  'runner-not-confined': (n) => `the model's process cannot be confined (${n.error})`,
  'no-memory-for-context': (n) => `no memory for its context (${n.error})`,
  'context-too-long': () => 'its context is too long',

  // Importing a model.
  'name-makes-no-id': () => 'its name cannot be turned into an id; rename it',
  'name-not-unicode': () => 'its name is no Unicode text',
  'name-of-catalog': (n) => `'${n.id}' is a model of the catalog; rename the file`,
  'name-taken': (n) => `another model is called '${n.id}' already; rename this one, or delete ${n.folder}`,
  'files-vanished': () => 'its installed files have just vanished',
  'changed-while-imported': () => 'it changed while it was imported; try again',
  'writes-no-text': (n) => `a model of the kind '${n.kind}' writes no text`,
  'folder-lacks-file': (n) => `has no ${n.missing}; Oriel takes a GGUF file, or a folder with ${n.files}`,
  'lacks-file': (n) => `has no ${n.missing}`,
  'neither-embedder-nor-reranker': (n) => `'${n.class}' is neither an embedder nor a reranker`,
  'labels-of-no-reranker': (n) => `has ${n.labels} labels, a reranker has one`,
  'no-gguf': () => 'is no GGUF file',
  'gguf-of-version': (n) => `is GGUF of version ${n.version}, Oriel reads 2 and 3`,
  'gguf-part': (n) => `is one of ${n.parts} parts of a model; Oriel takes models in one file`,
  'gguf-cut-off': () => 'is cut off, or no GGUF file',
  'gguf-tensors-cut-off': () => 'is cut off: its tensors lie beyond its end',
  'gguf-broken': (n) => `is broken: ${n.what}`,

  // Downloading a model, and the files of models.
  'disk-full': () => 'the disk is full; make room and try again',
  'model-folder-forbidden': () => 'permission denied; make it writable, or set ORIEL_MODELS to another folder',
  'model-folder-read-only': () => 'the disk is read-only; set ORIEL_MODELS to another folder',
  'download-kept': (n, say) => `${say(n.what)}; what was downloaded is kept`,
  'download-failed': (n, say) =>
    `${say(n.cause)}; ${n.kept ? 'what was downloaded is kept' : 'nothing was downloaded yet'}; ${advice[n.advice]}`,
  'download-needs-room': (n) => `The download needs ${size(n.needed)}; ${size(n.free)} are free in ${n.path}; make room and try again`,
  'download-mismatch': () => 'The download does not match the published file. Oriel deleted it and used none of it. Try again.',
  'download-in-use': (n) => `${n.name} is being downloaded already; wait until that has ended, or stop it`,
  'network-program-missing': (n) => `${n.program} is missing; Oriel needs it to use the network; install Oriel again, or from source: make remote`,
  'downloader-failed': (n) => `the process that downloads failed (${n.reason})${n.kept ? '; what was downloaded is kept' : ''}; try again`,
  'address-not-https': (n) => `${n.address} is not an https address`,
  'foreign-redirect': (n) => `${n.host} redirects to ${n.target}, which Oriel does not follow`,
  'endless-redirect': (n) => `${n.host} redirects without end`,
  'host-unknown': (n) => `the address of ${n.host} cannot be found`,
  'host-unreachable': (n) => `${n.host} cannot be reached`,
  'host-refuses': (n) => `${n.host} refuses the connection`,
  'host-silent': (n) => `${n.host} does not answer`,
  'connection-cut': (n) => `the connection to ${n.host} was cut`,
  'certificate-not-trusted': (n) => `the certificate of ${n.host} is not trusted (${n.reason})`,
  'no-secure-connection': (n) => `no secure connection to ${n.host} (${n.reason})`,
  'proxy-refuses': (n) => `the proxy ${n.proxy} refuses the connection (${n.reason})`,
  'host-denies-access': (n) => `${n.host} refuses access to this file (status ${n.status})`,
  'host-lacks-file': (n) => `${n.host} does not have this file (status 404)`,
  'host-asks-to-wait': (n) => `${n.host} asks to wait (status 429)`,
  'host-has-fault': (n) => `${n.host} has a fault of its own (status ${n.status})`,
  'host-answers-with-status': (n) => `${n.host} answers with status ${n.status}`,
  'file-of-other-length': (n) => `${n.host} has a file of ${n.found} bytes where ${n.size} were expected`,
  'other-part-of-file': (n) => `${n.host} sends another part of the file than the one asked for`,

  // Asking.
  'server-address-wrong': (n) =>
    `'${n.address}' is not the address of a server; write it like localhost:8080/v1, or as https with the host`,
  'server-has-no-model': (n) => `${n.host} has no model; load one there first`,
  'server-has-models': (n) => `${n.host} has several models; name one of them: ${n.known}`,
  'server-lacks-model': (n) => `${n.host} has no model '${n.model}'; it has ${n.known}`,
  'server-unexpected': (n) => `${n.host} does not answer like an OpenAI-compatible server (${n.what}); check the address`,
  'server-denies-access': (n) => `${n.host} refuses the key, or wants one (status ${n.status}); check the key`,
  'server-lacks-path': (n) => `${n.host} has nothing at this address (status 404); check it: it often ends in /v1`,
  'server-refuses': (n) => `${n.host} refuses the connection; start the server there, or check the address`,
  'server-silent': (n) => `${n.host} does not answer; check that the server runs and can be reached`,
  'server-redirects': (n) => `${n.host} redirects to another address; connect to that one`,
  'server-says': (n) => `${n.host} says: ${n.message} (status ${n.status})`,
  'network-program-failed': (n) => `the process that uses the network failed (${n.reason}); ask again to restart it`,
  'key-file-open': (n) => `${n.path}: others can read this file with a key; let only yourself read it: chmod 600`,
  'key-file-unusable': (n, say) =>
    `${n.path}: this file with a key cannot be used (${say(n.cause)}); name a file that holds nothing but the key`,
  'keyring-refuses': (n, say) =>
    `the system's keyring does not give or keep the key of ${n.host} (${say(n.cause)}); put the key into a file and name that`,
  'server-list-unusable': (n, say) =>
    `the list of servers in ${n.path} cannot be used (${say(n.cause)}); move it away to begin anew`,
  'index-address-wrong': (n) =>
    `'${n.address}' is not the address of an index; write it like localhost:19530, or with the scheme http or https`,
  'collection-name-wrong': (n) =>
    `'${n.name}' cannot be the name of a collection; use letters, digits and underscores, and begin with a letter`,
  'index-lacks-collection': (n) => `${n.host} has no collection '${n.collection}'; it has ${n.known}`,
  'index-has-no-collection': (n) =>
    `${n.host} has no collection '${n.collection}', nor any other; publish a library there first`,
  'collection-foreign': (n) =>
    `the collection '${n.collection}' at ${n.host} is none of Oriel's, or one of a later version; name another one, or update Oriel`,
  'collection-of-other-embedder': (n) =>
    `the collection '${n.collection}' at ${n.host} has the vectors of another embedder (${n.stored}); publish to a collection with another name`,
  'collection-of-other-library': (n) =>
    `another library writes the collection '${n.collection}' at ${n.host}; name another collection, or take this one over`,
  'index-changed': (n) => `the index '${n.collection}' was being rewritten while it was read; ask again`,
  'index-unexpected': (n) => `${n.host} does not answer like an index of Oriel's (${n.what}); check the address`,
  'index-says': (n) => `${n.host} says: ${n.message}`,
  'library-reads-elsewhere': (n) =>
    `this library reads the collection '${n.collection}' at ${n.host}; only the library that publishes it can do this`,
  'library-follows-folders': (n) =>
    `${n.path}: this library follows folders of its own; one that reads an index elsewhere must be empty`,
  'nothing-to-publish': () => 'no document of this library has its vectors yet; bring it up to date first',
  'not-published': () => 'this library is not published; name the address and the collection to publish it to',
  'index-file-unusable': (n, say) => `the index that ${n.path} names cannot be used (${say(n.cause)}); move the file away`,
  'no-question': () => 'there is no question',
  'scope-gone': (n) => `${n.names} is not in the library any more; take it out of the question`,
  'scope-empty': () => 'what the question was limited to is not in the library any more; remove the limit',
  'no-date': (n) => `'${n.day}' is not a date; write it as 2026-01-31`,
  'stopped-before-answer': () => 'stopped before the first word of the answer',

  // Evaluating.
  'question-line-wrong': (n) => `has a mistake in line ${n.line}: ${n.what}; correct the line, or take it out`,
  'question-file-wrong': (n) => `has a mistake: ${n.what}; correct it, or choose another file`,
  'is-no-question-file': () =>
    'is no file of questions; give lines of {"id", "question", "file", "spans"}, a file in SQuAD\'s form, or a folder in BEIR\'s',
  'holds-no-question': () => 'holds no question; choose another file',
  'no-gold-in-library': (n) =>
    `asks about ${n.missing} files or passages, and none of them is in the library; follow their folder and have it read first`,
  'nothing-to-ask-about': () =>
    'has no sentence that a question could be made from; follow a folder with texts and have it read first',
  'too-few-questions': (n) => `has ${n.kept} kept questions, and a run needs ${n.needed}; keep more of them, or make more`,
  'question-not-listed': () => 'does not have this question any more; open the page again',
  'kept-questions-wrong': (n) => `cannot be understood: ${n.what}; move it away to begin anew`,

  // Other programs that ask.
  'server-missing': (n) => `${n.program} is missing; Oriel needs it to answer other programs; install Oriel again`,
  'server-failed': (n, say) => `the process that answers other programs failed (${say(n.cause)}); start it again`,
  'port-taken': (n) => `port ${n.port} of this computer is in use; choose another one, or end the program that uses it`,
  'key-readable-by-others': () => 'can be read by others on this computer, so it is no secret; make a new key',
  'no-key-in-file': () => 'holds no key; make a new one',
  'no-library-yet': (n) => `${n.path}: there is no library yet; start Oriel and add a folder`,

  // The desktop app.
  'no-data-folder': () => "the user's data folder is unknown; set HOME or ORIEL_LIBRARY",
  'library-not-there': (n) => `the library ${n.path} is not there; bring it back, and it is opened by itself`,
  'library-closed': () => 'the library is being compacted, restored, repaired or reopened; wait until that is done',
  'maintenance-running': () =>
    'the library is already being checked, repaired, backed up, compacted or restored; wait for that, or cancel it',
  'library-still-used': () => 'the library is still being used by a question or a view; try again in a moment',
  'answer-being-written': () => 'an answer is being written; wait until it is complete, or stop it',
  'indexing-cannot-stop': () => 'the indexing is in the middle of something that cannot be interrupted; try again in a moment',
  'compact-needs-repair': () => 'the library cannot be opened, so it cannot be compacted; repair it first',
  'no-backup-chosen': () => 'no backup is chosen any more; choose one again',
  'chosen-is-no-file': (n) => `what was chosen is no file of this machine: ${n.error}`,
  'drop-gone': () => 'that drop is gone; please drop the files again',
  'copying-running': () => 'files are being copied already; wait for that, or cancel it first',
  'connecting-running': () => 'a server is being tried already; wait for it, or cancel it first',
  'import-running': () => 'a model is being imported already; wait for it, or cancel it first',
  'trial-running': () => 'a model is being tried already; wait for it, or cancel it first',
  'measuring-running': () => 'the models are being measured already',
  'evaluation-running': () => 'questions are being made or asked already; wait for that, or stop it first',
  'run-gone': () => 'this run is not kept any more; run the evaluation again',
  'index-model-gone': () =>
    "the model of the library's index is not on this computer any more, so there is nothing to compare with; switch without a trial",
  'download-running': (n) => `${n.id} is being downloaded already; wait for it, or pause it first`,
  'download-cannot-start': (n, say) => `the download cannot start (${say(n.cause)}); close other programs and try again`,
  'no-tray': () => 'this desktop has no tray where Oriel could stay: closing the window ends it',
  'mentions-gone': () => 'the document does not mention the words any more; list the mentions again',
  'question-gone': () => 'this question is not there any more',
  'passage-gone': () => 'this passage is not there any more; ask again',
  'trace-gone': () => 'nothing is kept of how this answer came about; ask again',
  'place-gone': (n) => `${n.name} is not in the library any more; add it again to see the place`,
  'command-ended': (n) => `the command ended early: ${n.error}`,
  'too-many-namesakes': () => 'has too many namesakes in the library',
  'folder-not-made': (n, say) => `cannot be made; check the disk: ${say(n.cause)}`,
  'not-copied': (n, say) => `cannot be copied; check the disk: ${say(n.cause)}`,
  'not-written': (n, say) => `cannot be written: ${say(n.cause)}`,
  'not-deleted': (n, say) => `cannot be deleted; delete it by hand: ${say(n.cause)}`,
  'settings-not-written': (n, say) => `cannot be written; check the disk and its permissions: ${say(n.cause)}`,
  'export-not-written': (n, say) => `cannot be written; choose another folder: ${say(n.cause)}`,
  'not-shown': (n, say) => `cannot be shown; open its folder by hand: ${say(n.cause)}`,
  'not-opened': (n, say) => `cannot be opened; open it by hand: ${say(n.cause)}`,
  'sample-not-written': (n, say) => `the sample cannot be written to ${n.folder}; check the disk: ${say(n.cause)}`,
}
