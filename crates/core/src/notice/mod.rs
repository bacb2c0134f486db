//! Errors and notices for the user, as a code with fields.
//!
//! The command line and the logs use the English sentences in this file. The UI has a text for every code in each of
//! its languages (`ui/src/i18n/*/notices.ts`) and does not compile if one is missing.

mod details;
mod kept;

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

pub use details::{Damage, DownloadAdvice, FileLooks, IoKind, ModelSpoke};
pub use kept::lenient;

/// How to install Tesseract, the program that recognises text in images.
pub const INSTALL_TESSERACT: &str = if cfg!(target_os = "macos") {
    "brew install tesseract"
} else if cfg!(windows) {
    "tesseract-ocr-w64-setup (UB Mannheim)"
} else {
    "sudo apt install tesseract-ocr"
};

/// One message. Some are sentence fragments, used only as a cause or after a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "code", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub enum Notice {
    // Without a code of ours: messages of the system, of a parser or a library, and of older versions of Oriel.
    #[error("{text}")]
    Text { text: String },
    #[error("{text}")]
    Io { kind: IoKind, number: Option<i32>, text: String },

    // Combinations of two notices.
    #[error("{path} {why}")]
    Path { path: String, why: Box<Notice> },
    #[error("{subject}: {what}")]
    About { subject: String, what: Box<Notice> },

    // The store.
    #[error("cancelled")]
    Cancelled,
    #[error("the library {path} cannot be opened: {cause}; check the folder's permissions")]
    LibraryUnusable { path: String, cause: Box<Notice> },
    #[error(
        "{path} is not an Oriel library or is damaged: {what}; choose another folder, or move it away and start again"
    )]
    NoLibraryThere { path: String, what: String },
    #[error("the library {path} has format {found}, this Oriel reads {known}; use the newer Oriel")]
    LibraryNewer { path: String, found: u32, known: u32 },
    #[error(
        "the library {path} has format {found}, which only development builds of Oriel wrote; \
         nothing is lost: a repair sets it aside and makes a new index of the same folders"
    )]
    LibraryUnreleased { path: String, found: u32 },
    #[error("the disk with the library {path} is full; free some space and try again, nothing is lost")]
    LibraryDiskFull { path: String },
    #[error("another Oriel{} is indexing the library {path}; wait until it has finished, or stop it", in_process(*process))]
    LibraryBusy { path: String, process: Option<u32> },
    #[error("the library {path} is open in another Oriel; close it and try again")]
    LibraryInUse { path: String },
    #[error(
        "the library {path} is being compacted or restored by another Oriel; try again when that is done"
    )]
    LibraryBeingReplaced { path: String },
    #[error("the library {path} can only be read here; those who may write its folder can change it")]
    LibraryReadOnly { path: String },
    #[error(
        "the library {path} was written by an older Oriel; those who may write its folder have to open it once"
    )]
    LibraryOlder { path: String },
    #[error("the library {path} was changed while it was read; try again")]
    LibraryOvertaken { path: String },
    #[error("the library is damaged: {what}; a check shows what is affected")]
    LibraryDamaged { what: String },
    #[error("the library's database failed: {cause}")]
    DatabaseFailed { cause: Box<Notice> },

    // The engine.
    #[error("cancelled; what was done until then is kept")]
    CancelledAndKept,
    #[error("{path} is not followed by this library")]
    NotFollowed { path: String },
    #[error(
        "there is a library in {path} already; restore into another folder, or have this one moved aside"
    )]
    LibraryOccupied { path: String },
    #[error("folder {number} is not followed any more")]
    FolderGone { number: u32 },
    #[error("the pattern '{pattern}' cannot be understood: {why}")]
    PatternInvalid { pattern: String, why: Box<Notice> },
    #[error("it has more than one line; give each line by itself")]
    PatternOfManyLines,
    #[error("document {id} is not in the library any more")]
    DocumentGone { id: u32 },
    #[error("{path} is not in the library; its folder has to be followed and read first")]
    DocumentUnknown { path: String },
    #[error("{path} has no text in the library: {why}")]
    DocumentWithoutText { path: String, why: Box<Notice> },
    #[error("{path} has not been read yet")]
    DocumentUnread { path: String },
    #[error("{path} has changed since it was read and has to be read again")]
    DocumentChanged { path: String },
    #[error("the sentence cannot be marked in {path}: {why}")]
    SentenceUnmarked { path: String, why: Box<Notice> },
    #[error("the process that reads documents ({program}) cannot be started: {cause}; install Oriel again")]
    ReaderUnavailable { program: String, cause: Box<Notice> },
    #[error("the library's vectors were made by another embedder ({stored}) and have to be computed again")]
    OtherEmbedder { stored: String },

    // Problems of a path; the message is shown after the path.
    #[error("cannot be changed: {cause}; check its permissions")]
    CannotBeChanged { cause: Box<Notice> },
    #[error("cannot be read: {cause}; check its permissions")]
    CannotBeRead { cause: Box<Notice> },
    #[error("cannot be read: {cause}; give your user the right to read it")]
    NoRightToRead { cause: Box<Notice> },
    #[error("cannot be read and would be missing in the backup: {cause}; check its permissions")]
    MissingInBackup { cause: Box<Notice> },
    #[error("cannot be written: {cause}; check its permissions and the room on the disk")]
    CannotBeWritten { cause: Box<Notice> },
    #[error("cannot be written: {cause}; check the folder and the room on its disk")]
    BackupCannotBeWritten { cause: Box<Notice> },
    #[error("cannot be looked at: {cause}; check its permissions and the disk")]
    CannotBeLookedAt { cause: Box<Notice> },
    #[error("cannot be reached: {cause}; check its permissions")]
    CannotBeReached { cause: Box<Notice> },
    #[error("does not exist; check the spelling")]
    DoesNotExist,
    #[error("is a file of a kind that Oriel does not read; it reads {kinds}")]
    KindNotRead { kinds: String },
    #[error("is a single file; only something in a folder can be left out")]
    IsSingleFile,
    #[error("was written by a newer Oriel and was not changed; use that version")]
    FolderListNewer,
    #[error("is the library of {library} and cannot be put back: {cause}; move it there")]
    LibraryMisplaced { library: String, cause: Box<Notice> },
    #[error("holds what was restored, and its disk has not confirmed that: {cause}")]
    RestoreUnconfirmed { cause: Box<Notice> },
    #[error("exists and is not an Oriel backup; choose another name")]
    TargetIsNoBackup,
    #[error("is not a file name; choose another")]
    IsNoFileName,
    #[error("cannot be read; give your user the right to read it")]
    BackupForbidden,
    #[error("is no backup of Oriel; choose another file")]
    IsNoBackup,
    #[error("is no backup of Oriel, or is cut off; choose another file")]
    IsNoWholeBackup,
    #[error("was written by a newer Oriel; use that one to restore it")]
    BackupNewer,
    #[error(
        "was written by a development build of Oriel, in a format that is not read; choose another backup"
    )]
    BackupUnreleased,
    #[error("is damaged: its files are not what its list says; choose another backup")]
    BackupDamaged,

    // Why a folder is unreachable.
    #[error("it is not there any more; bring it back, or stop following it")]
    FileNotThereAnyMore,
    #[error("it is not there; bring it back, or stop following it")]
    NotThere,
    #[error("the drive that was here is not connected; connect it again, or stop following the folder")]
    DriveNotConnected,
    #[error("{reason}, and {more} more")]
    AndMore { reason: Box<Notice>, more: usize },

    // Findings of `doctor`.
    #[error("its path leads to another document")]
    PathLeadsElsewhere,
    #[error("the file that holds it does not list it")]
    MemberNotListed,
    #[error("it has a text though it is not indexed")]
    TextThoughNotIndexed,
    #[error("its text is missing")]
    TextMissing,
    #[error("its sentences are not as many as its record says")]
    SentenceCountWrong,
    #[error("{count} of its sentences do not match its text")]
    SentencesWithoutMatch { count: usize },
    #[error("{count} of its sentences cannot be found by meaning")]
    SentencesWithoutMeaning { count: usize },
    #[error("it cannot be found by all of its words")]
    WordsMissing,
    #[error("there are {stored} postings, the documents have {expected}")]
    PostingsWrong { stored: usize, expected: usize },
    #[error("there are {stored} occurrences, the documents have {expected}")]
    OccurrencesWrong { stored: usize, expected: usize },
    #[error("document {id} waits to be read and is not there")]
    WaitingDocumentMissing { id: u32 },
    #[error("{count} sentences have no {} and are not queued for one", vector(*other))]
    VectorsMissing { count: usize, other: bool },
    #[error("{count} times a {} belongs to no sentence", vector(*other))]
    VectorsWithoutSentence { count: usize, other: bool },
    #[error("{count} times the code of a {} is wrong or missing", vector(*other))]
    CodesWrong { count: usize, other: bool },
    #[error("the documents have {counted} sentences, the sums say {kept}")]
    SentenceSumWrong { counted: usize, kept: usize },

    // Conversations.
    #[error("{path} cannot be used: {cause}; check its permissions and the room on the disk")]
    ConversationUnusable { path: String, cause: Box<Notice> },
    #[error("there is no conversation {id} any more")]
    ConversationGone { id: String },
    #[error("{path} is damaged ({why}) and was set aside; nothing of it was deleted")]
    ConversationDamaged { path: String, why: String },
    #[error("{path} was written by a newer Oriel; use that one to read it")]
    ConversationNewer { path: String },

    // Reading documents.
    #[error("The file cannot be opened: {cause}; give your user the right to read it.")]
    FileForbidden { cause: Box<Notice> },
    #[error("The file cannot be opened: {cause}; check the disk.")]
    FileCannotBeOpened { cause: Box<Notice> },
    #[error("its file is not there any more")]
    FileGone,
    #[error(
        "The file has {megabytes} MB; Oriel reads files up to {limit} MB. Divide it, or take it out of the folder."
    )]
    FileTooLarge { megabytes: usize, limit: usize },
    #[error("The file holds more text than Oriel reads; divide it into smaller files.")]
    TextTooLong,
    #[error(
        "The file holds more files, or larger ones, than Oriel reads; unpack it, or divide it into smaller ones."
    )]
    TooManyMembers,
    #[error("Reading it took more than {seconds} seconds; it may be built to never end.")]
    ReadingTookTooLong { seconds: usize },
    #[error("The process that read it is gone.")]
    ReaderGone,
    #[error("The process that read it ended {}; the file may be damaged. It is tried again when it changes.", with_status(status.as_deref()))]
    ReaderEnded { status: Option<String> },
    #[error("Reading it needed more memory than Oriel allows one file; it may be damaged or built to do so.")]
    NeededTooMuchMemory,
    #[error("The picture has {width} × {height} pixels, more than Oriel reads; save a smaller copy.")]
    TooManyPixels { width: usize, height: usize },
    #[error("It is nested too deeply; it may be damaged or built to be so.")]
    NestedTooDeeply,
    #[error("the reader returned a sentence outside its text")]
    SentenceOutsideText,
    #[error("the reader returned a page map that does not fit its text")]
    PagesOutsideText,
    #[error("the reader returned headings that do not fit its text")]
    OutlineOutsideText,
    #[error("the reader returned a file whose name leads out of the file that holds it")]
    MemberOutsideFile,
    #[error("The file is named as {kind}, but seems to be {looks}.")]
    NamedOtherwise { kind: String, looks: FileLooks },
    #[error("The file is named as {kind}, but is none, or its beginning is damaged.")]
    NotWhatItIsNamed { kind: String },
    #[error("The document asks for a password; save a copy without one.")]
    OfficeWantsPassword,
    #[error("The archive asks for a password; unpack it into the folder.")]
    ArchiveWantsPassword,
    #[error("It lies in several parts of an archive; unpack them into the folder.")]
    ArchiveInParts,
    #[error("It is packed in a way that Oriel does not read; unpack the archive into the folder.")]
    PackedOtherwise,
    #[error("The book is locked by its seller (DRM), so that only certain programs open it.")]
    BookLocked,
    #[error("The {kind} file is damaged: {what}.")]
    Damaged { kind: String, what: Damage },
    #[error("The file is named as a text, but holds binary data.")]
    BinaryNamedText,
    #[error("This is a data file of Outlook, which Oriel does not read; export its mails as mbox or EML.")]
    OutlookData,
    #[error(
        "The document holds no pages that Oriel can read; open it in Pages, Numbers or Keynote and export it as PDF or Word."
    )]
    IworkWithoutPreview,
    #[error("The page nests its elements too deeply to be read.")]
    PageNestedTooDeeply,
    #[error("The PDF is damaged: no page can be found in it.")]
    PdfWithoutPage,
    #[error("The PDF asks for a password; give it to Oriel, or save a copy without one.")]
    PdfWantsPassword,
    #[error("The password does not open the PDF.")]
    PdfPasswordWrong,
    #[error(
        "was given its password, but the system's keyring does not keep it: {cause}; when Oriel is started anew, its pages cannot be shown without it"
    )]
    PasswordNotKept { cause: Box<Notice> },
    #[error("the system's keyring does not forget its password: {cause}; delete it there, under Oriel")]
    PasswordNotForgotten { cause: Box<Notice> },
    #[error("asks for no password")]
    WantsNoPassword,
    #[error("The PDF is encrypted in a way that Oriel cannot read; save a copy without protection.")]
    PdfProtected,
    #[error("The PDF is encrypted; save a copy without a password.")]
    PdfEncrypted,
    #[error("The PDF is damaged beyond reading; a PDF viewer may be able to save a repaired copy.")]
    PdfDamaged,
    #[error(
        "The PDF's fonts do not tell which characters they draw. Tesseract recognises them when everything else is done; \
         if it is not installed: {install}"
    )]
    PdfFontsWithoutCharacters { install: String },
    #[error(
        "The file holds pictures and no text. Tesseract recognises their text when everything else is done; if it is not \
         installed: {install}"
    )]
    NeedsOcr { install: String },

    // Models.
    #[error("{tokens} tokens do not fit the model's {limit}")]
    TooManyTokens { tokens: usize, limit: usize },
    #[error("{id} is not on this machine; fetch it first")]
    ModelAbsent { id: String },
    #[error("{cause}; Settings, Models and device offers it")]
    SettingsOfferIt { cause: Box<Notice> },
    #[error(
        "no model that finds by meaning is here, so documents are found by their words only; Settings, Models and device offers one"
    )]
    NoEmbedder,
    #[error("{id} serves as {serves}, not as {role}")]
    ModelOfOtherRole { id: String, serves: String, role: String },
    #[error("there is no model '{id}'; most like it are {nearest}")]
    ModelUnknown { id: String, nearest: String },
    #[error("{id} is not here")]
    ModelNotHere { id: String },
    #[error("{id} came with Oriel and stays")]
    ModelStays { id: String },
    #[error("{id} belongs to {program}; remove it there")]
    ModelOfProgram { id: String, program: String },
    #[error("{id} cannot be deleted from {folder}: {cause}; check its permissions")]
    ModelCannotBeDeleted { id: String, folder: String, cause: Box<Notice> },
    #[error("{id} has no file with weights; import it again")]
    ModelWithoutWeights { id: String },
    #[error("{id} wrote nothing when its speed was measured")]
    ModelWroteNothing { id: String },
    #[error("there is no home folder for models: set HOME, or ORIEL_MODELS to a folder")]
    NoModelFolder,
    #[error("no GPU could be used, so models run on the CPU: {reason}")]
    NoGpu { reason: String },
    #[error("cannot start its thread ({error})")]
    ThreadCannotStart { error: String },
    #[error("cannot start its threads ({error})")]
    ThreadsCannotStart { error: String },
    #[error("the model broke down; start Oriel again")]
    ModelBrokeDown,
    #[error("its results are not numbers")]
    NotNumbers,
    #[error("there is no such file")]
    NoSuchFile,
    #[error("its path is no Unicode text")]
    PathNotUnicode,
    #[error("cannot start '{program}' to run the model ({cause})")]
    RunnerCannotStart { program: String, cause: Box<Notice> },
    #[error("the program that runs models is of version {version}; close Oriel and open it again")]
    RunnerOfVersion { version: String },
    #[error("the process that runs the model is gone; ask again to restart it")]
    RunnerGone,
    #[error("the process that runs the model died ({}{status}); ask again to restart it", spoke_first(*spoke))]
    RunnerDied { spoke: Option<ModelSpoke>, status: String },
    #[error("the process that runs the model died while loading it ({status})")]
    RunnerDiedLoading { status: String },
    #[error("the process that runs the model sent invalid data ({status})")]
    RunnerSpokeGarbage { status: String },
    #[error("{what}: {line}")]
    WithLogLine { what: Box<Notice>, line: String },
    #[error("llama.cpp cannot load it")]
    LlamaCannotLoad,
    #[error("llama.cpp does not start ({error})")]
    LlamaDoesNotStart { error: String },
    #[error("llama.cpp cannot compute it ({error})")]
    LlamaCannotCompute { error: String },
    #[error("the model's process cannot be confined ({error})")]
    RunnerNotConfined { error: String },
    #[error("no memory for its context ({error})")]
    NoMemoryForContext { error: String },
    #[error("its context is too long")]
    ContextTooLong,

    // Importing a model.
    #[error("its name cannot be turned into an id; rename it")]
    NameMakesNoId,
    #[error("its name is no Unicode text")]
    NameNotUnicode,
    #[error("'{id}' is a model of the catalog; rename the file")]
    NameOfCatalog { id: String },
    #[error("another model is called '{id}' already; rename this one, or delete {folder}")]
    NameTaken { id: String, folder: String },
    #[error("its installed files have just vanished")]
    FilesVanished,
    #[error("it changed while it was imported; try again")]
    ChangedWhileImported,
    #[error("a model of the kind '{kind}' writes no text")]
    WritesNoText { kind: String },
    #[error("has no {missing}; Oriel takes a GGUF file, or a folder with {files}")]
    FolderLacksFile { missing: String, files: String },
    #[error("has no {missing}")]
    LacksFile { missing: String },
    #[error("'{class}' is neither an embedder nor a reranker")]
    NeitherEmbedderNorReranker { class: String },
    #[error("has {labels} labels, a reranker has one")]
    LabelsOfNoReranker { labels: usize },
    #[error("is no GGUF file")]
    NoGguf,
    #[error("is GGUF of version {version}, Oriel reads 2 and 3")]
    GgufOfVersion { version: u32 },
    #[error("is one of {parts} parts of a model; Oriel takes models in one file")]
    GgufPart { parts: usize },
    #[error("is cut off, or no GGUF file")]
    GgufCutOff,
    #[error("is cut off: its tensors lie beyond its end")]
    GgufTensorsCutOff,
    #[error("is broken: {what}")]
    GgufBroken { what: String },

    // Downloading a model, and the files of models.
    #[error("the disk is full; make room and try again")]
    DiskFull,
    #[error("permission denied; make it writable, or set ORIEL_MODELS to another folder")]
    ModelFolderForbidden,
    #[error("the disk is read-only; set ORIEL_MODELS to another folder")]
    ModelFolderReadOnly,
    #[error("{what}; what was downloaded is kept")]
    DownloadKept { what: Box<Notice> },
    #[error("{cause}; {}; {advice}", of_download(*kept))]
    DownloadFailed { cause: Box<Notice>, kept: bool, advice: DownloadAdvice },
    #[error("The download needs {}; {} are free in {path}; make room and try again", size_text(*needed), size_text(*free))]
    DownloadNeedsRoom { needed: u64, free: u64, path: String },
    #[error(
        "The download does not match the published file. Oriel deleted it and used none of it. Try again."
    )]
    DownloadMismatch,
    #[error("{name} is being downloaded already; wait until that has ended, or stop it")]
    DownloadInUse { name: String },
    #[error(
        "{program} is missing; Oriel needs it to use the network; install Oriel again, or from source: make remote"
    )]
    NetworkProgramMissing { program: String },
    #[error("the process that downloads failed ({reason}){}; try again", if *kept { "; what was downloaded is kept" } else { "" })]
    DownloaderFailed { reason: String, kept: bool },
    #[error("{address} is not an https address")]
    AddressNotHttps { address: String },
    #[error("{host} redirects to {target}, which Oriel does not follow")]
    ForeignRedirect { host: String, target: String },
    #[error("{host} redirects without end")]
    EndlessRedirect { host: String },
    #[error("the address of {host} cannot be found")]
    HostUnknown { host: String },
    #[error("{host} cannot be reached")]
    HostUnreachable { host: String },
    #[error("{host} refuses the connection")]
    HostRefuses { host: String },
    #[error("{host} does not answer")]
    HostSilent { host: String },
    #[error("the connection to {host} was cut")]
    ConnectionCut { host: String },
    #[error("the certificate of {host} is not trusted ({reason})")]
    CertificateNotTrusted { host: String, reason: String },
    #[error("no secure connection to {host} ({reason})")]
    NoSecureConnection { host: String, reason: String },
    #[error("the proxy {proxy} refuses the connection ({reason})")]
    ProxyRefuses { proxy: String, reason: String },
    #[error("{host} refuses access to this file (status {status})")]
    HostDeniesAccess { host: String, status: u16 },
    #[error("{host} does not have this file (status 404)")]
    HostLacksFile { host: String },
    #[error("{host} asks to wait (status 429)")]
    HostAsksToWait { host: String },
    #[error("{host} has a fault of its own (status {status})")]
    HostHasFault { host: String, status: u16 },
    #[error("{host} answers with status {status}")]
    HostAnswersWithStatus { host: String, status: u16 },
    #[error("{host} has a file of {found} bytes where {size} were expected")]
    FileOfOtherLength { host: String, found: u64, size: u64 },
    #[error("{host} sends another part of the file than the one asked for")]
    OtherPartOfFile { host: String },

    // A generator on a server.
    #[error(
        "'{address}' is not the address of a server; write it like localhost:8080/v1, or as https with the host"
    )]
    ServerAddressWrong { address: String },
    #[error("{host} has no model; load one there first")]
    ServerHasNoModel { host: String },
    #[error("{host} has several models; name one of them: {known}")]
    ServerHasModels { host: String, known: String },
    #[error("{host} has no model '{model}'; it has {known}")]
    ServerLacksModel { host: String, model: String, known: String },
    #[error("{host} does not answer like an OpenAI-compatible server ({what}); check the address")]
    ServerUnexpected { host: String, what: String },
    #[error("{host} refuses the key, or wants one (status {status}); check the key")]
    ServerDeniesAccess { host: String, status: u16 },
    #[error("{host} has nothing at this address (status 404); check it: it often ends in /v1")]
    ServerLacksPath { host: String },
    #[error("{host} refuses the connection; start the server there, or check the address")]
    ServerRefuses { host: String },
    #[error("{host} does not answer; check that the server runs and can be reached")]
    ServerSilent { host: String },
    #[error("{host} redirects to another address; connect to that one")]
    ServerRedirects { host: String },
    #[error("{host} says: {message} (status {status})")]
    ServerSays { host: String, status: u16, message: String },
    #[error("the process that uses the network failed ({reason}); ask again to restart it")]
    NetworkProgramFailed { reason: String },
    #[error("{path}: others can read this file with a key; let only yourself read it: chmod 600")]
    KeyFileOpen { path: String },
    #[error(
        "{path}: this file with a key cannot be used ({cause}); name a file that holds nothing but the key"
    )]
    KeyFileUnusable { path: String, cause: Box<Notice> },
    #[error(
        "the system's keyring does not give or keep the key of {host} ({cause}); put the key into a file and name that"
    )]
    KeyringRefuses { host: String, cause: Box<Notice> },
    #[error("the list of servers in {path} cannot be used ({cause}); move it away to begin anew")]
    ServerListUnusable { path: String, cause: Box<Notice> },

    // A remote index.
    #[error(
        "'{address}' is not the address of an index; write it like localhost:19530, or with the scheme http or https"
    )]
    IndexAddressWrong { address: String },
    #[error(
        "'{name}' cannot be the name of a collection; use letters, digits and underscores, and begin with a letter"
    )]
    CollectionNameWrong { name: String },
    #[error("{host} has no collection '{collection}'; it has {known}")]
    IndexLacksCollection { host: String, collection: String, known: String },
    #[error("{host} has no collection '{collection}', nor any other; publish a library there first")]
    IndexHasNoCollection { host: String, collection: String },
    #[error(
        "the collection '{collection}' at {host} is none of Oriel's, or one of a later version; name another one, or update Oriel"
    )]
    CollectionForeign { host: String, collection: String },
    #[error(
        "the collection '{collection}' at {host} has the vectors of another embedder ({stored}); publish to a collection with another name"
    )]
    CollectionOfOtherEmbedder { host: String, collection: String, stored: String },
    #[error(
        "another library writes the collection '{collection}' at {host}; name another collection, or take this one over"
    )]
    CollectionOfOtherLibrary { host: String, collection: String },
    #[error("the index '{collection}' was being rewritten while it was read; ask again")]
    IndexChanged { collection: String },
    #[error("{host} does not answer like an index of Oriel's ({what}); check the address")]
    IndexUnexpected { host: String, what: String },
    #[error("{host} says: {message}")]
    IndexSays { host: String, message: String },
    #[error(
        "this library reads the collection '{collection}' at {host}; only the library that publishes it can do this"
    )]
    LibraryReadsElsewhere { host: String, collection: String },
    #[error(
        "{path}: this library follows folders of its own; one that reads an index elsewhere must be empty"
    )]
    LibraryFollowsFolders { path: String },
    #[error("no document of this library has its vectors yet; bring it up to date first")]
    NothingToPublish,
    #[error("this library is not published; name the address and the collection to publish it to")]
    NotPublished,
    #[error("the index that {path} names cannot be used ({cause}); move the file away")]
    IndexFileUnusable { path: String, cause: Box<Notice> },

    // Asking.
    #[error("there is no question")]
    NoQuestion,
    #[error("{names} is not in the library any more; take it out of the question")]
    ScopeGone { names: String },
    #[error("what the question was limited to is not in the library any more; remove the limit")]
    ScopeEmpty,
    #[error("'{day}' is not a date; write it as 2026-01-31")]
    NoDate { day: String },
    #[error("stopped before the first word of the answer")]
    StoppedBeforeAnswer,

    // Problems of a file of questions; the message is shown after the name of the file.
    #[error("has a mistake in line {line}: {what}; correct the line, or take it out")]
    QuestionLineWrong { line: usize, what: String },
    #[error("has a mistake: {what}; correct it, or choose another file")]
    QuestionFileWrong { what: String },
    #[error(
        "is no file of questions; give lines of {{\"id\", \"question\", \"file\", \"spans\"}}, a file in SQuAD's form, or a folder in BEIR's"
    )]
    IsNoQuestionFile,
    #[error("holds no question; choose another file")]
    HoldsNoQuestion,
    #[error(
        "asks about {missing} files or passages, and none of them is in the library; follow their folder and have it read first"
    )]
    NoGoldInLibrary { missing: usize },
    #[error(
        "has no sentence that a question could be made from; follow a folder with texts and have it read first"
    )]
    NothingToAskAbout,
    #[error("has {kept} kept questions, and a run needs {needed}; keep more of them, or make more")]
    TooFewQuestions { kept: usize, needed: usize },
    #[error("does not have this question any more; open the page again")]
    QuestionNotListed,
    #[error("cannot be understood: {what}; move it away to begin anew")]
    KeptQuestionsWrong { what: String },

    // Other programs that ask.
    #[error("{program} is missing; Oriel needs it to answer other programs; install Oriel again")]
    ServerMissing { program: String },
    #[error("the process that answers other programs failed ({cause}); start it again")]
    ServerFailed { cause: Box<Notice> },
    #[error("port {port} of this computer is in use; choose another one, or end the program that uses it")]
    PortTaken { port: u16 },
    #[error("can be read by others on this computer, so it is no secret; make a new key")]
    KeyReadableByOthers,
    #[error("holds no key; make a new one")]
    NoKeyInFile,
    #[error("{path}: there is no library yet; start Oriel and add a folder")]
    NoLibraryYet { path: String },

    // The desktop app.
    #[error("the user's data folder is unknown; set HOME or ORIEL_LIBRARY")]
    NoDataFolder,
    #[error("the library {path} is not there; bring it back, and it is opened by itself")]
    LibraryNotThere { path: String },
    #[error("the library is being compacted, restored, repaired or reopened; wait until that is done")]
    LibraryClosed,
    #[error(
        "the library is already being checked, repaired, backed up, compacted or restored; wait for that, or cancel it"
    )]
    MaintenanceRunning,
    #[error("the library is still being used by a question or a view; try again in a moment")]
    LibraryStillUsed,
    #[error("an answer is being written; wait until it is complete, or stop it")]
    AnswerBeingWritten,
    #[error("the indexing is in the middle of something that cannot be interrupted; try again in a moment")]
    IndexingCannotStop,
    #[error("the library cannot be opened, so it cannot be compacted; repair it first")]
    CompactNeedsRepair,
    #[error("no backup is chosen any more; choose one again")]
    NoBackupChosen,
    #[error("what was chosen is no file of this machine: {error}")]
    ChosenIsNoFile { error: String },
    #[error("that drop is gone; please drop the files again")]
    DropGone,
    #[error("files are being copied already; wait for that, or cancel it first")]
    CopyingRunning,
    #[error("a server is being tried already; wait for it, or cancel it first")]
    ConnectingRunning,
    #[error("a model is being imported already; wait for it, or cancel it first")]
    ImportRunning,
    #[error("a model is being tried already; wait for it, or cancel it first")]
    TrialRunning,
    #[error("the models are being measured already")]
    MeasuringRunning,
    #[error("questions are being made or asked already; wait for that, or stop it first")]
    EvaluationRunning,
    #[error("this run is not kept any more; run the evaluation again")]
    RunGone,
    #[error(
        "the model of the library's index is not on this computer any more, so there is nothing to compare with; switch without a trial"
    )]
    IndexModelGone,
    #[error("{id} is being downloaded already; wait for it, or pause it first")]
    DownloadRunning { id: String },
    #[error("the download cannot start ({cause}); close other programs and try again")]
    DownloadCannotStart { cause: Box<Notice> },
    #[error("this desktop has no tray where Oriel could stay: closing the window ends it")]
    NoTray,
    #[error("the document does not mention the words any more; list the mentions again")]
    MentionsGone,
    #[error("this question is not there any more")]
    QuestionGone,
    #[error("this passage is not there any more; ask again")]
    PassageGone,
    #[error("nothing is kept of how this answer came about; ask again")]
    TraceGone,
    #[error("{name} is not in the library any more; add it again to see the place")]
    PlaceGone { name: String },
    #[error("the command ended early: {error}")]
    CommandEnded { error: String },
    #[error("has too many namesakes in the library")]
    TooManyNamesakes,
    #[error("cannot be made; check the disk: {cause}")]
    FolderNotMade { cause: Box<Notice> },
    #[error("cannot be copied; check the disk: {cause}")]
    NotCopied { cause: Box<Notice> },
    #[error("cannot be written: {cause}")]
    NotWritten { cause: Box<Notice> },
    #[error("cannot be deleted; delete it by hand: {cause}")]
    NotDeleted { cause: Box<Notice> },
    #[error("cannot be written; check the disk and its permissions: {cause}")]
    SettingsNotWritten { cause: Box<Notice> },
    #[error("cannot be written; choose another folder: {cause}")]
    ExportNotWritten { cause: Box<Notice> },
    #[error("cannot be shown; open its folder by hand: {cause}")]
    NotShown { cause: Box<Notice> },
    #[error("cannot be opened; open it by hand: {cause}")]
    NotOpened { cause: Box<Notice> },
    #[error("the sample cannot be written to {folder}; check the disk: {cause}")]
    SampleNotWritten { folder: String, cause: Box<Notice> },
}

impl Notice {
    /// A message without a code, from the system, a parser or a library.
    #[expect(clippy::needless_pass_by_value, reason = "callers hand over errors and paths")]
    pub fn text(text: impl ToString) -> Self {
        Self::Text { text: text.to_string() }
    }

    /// Whether it has a code of its own, and so a translation.
    #[must_use]
    pub fn has_code(&self) -> bool {
        !matches!(self, Self::Text { .. })
    }

    /// A system error.
    #[must_use]
    pub fn io(error: &io::Error) -> Self {
        Self::Io { kind: IoKind::of(error), number: error.raw_os_error(), text: error.to_string() }
    }

    /// A problem with a path.
    #[must_use]
    pub fn of_path(path: &Path, why: Self) -> Self {
        Self::Path { path: shown(path), why: why.into() }
    }

    /// A message about a file, a model or a host.
    #[expect(clippy::needless_pass_by_value, reason = "callers hand over errors and paths")]
    pub fn about(subject: impl ToString, what: Self) -> Self {
        Self::About { subject: subject.to_string(), what: what.into() }
    }
}

/// A path as shown to users.
#[must_use]
pub fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Maximum bytes of a list of names in a message; a longer first name is shown alone.
const LISTED_BYTES: usize = 160;

/// The first names of a list, and `…` for those that do not fit.
#[must_use]
pub fn listed(names: &[impl AsRef<str>]) -> String {
    let mut list = String::new();
    for name in names.iter().map(AsRef::as_ref) {
        if !list.is_empty() {
            if list.len() + name.len() > LISTED_BYTES {
                return list + ", …";
            }
            list.push_str(", ");
        }
        list.push_str(name);
    }
    list
}

/// A size as text: `491 MB`, `2.5 GB`.
#[must_use]
pub fn size_text(bytes: u64) -> String {
    if bytes < 999_500_000 {
        format!("{} MB", (bytes + 500_000) / 1_000_000)
    } else {
        format!("{:.1} GB", bytes as f64 / 1e9)
    }
}

fn in_process(process: Option<u32>) -> String {
    process.map(|process| format!(" (process {process})")).unwrap_or_default()
}

fn with_status(status: Option<&str>) -> String {
    status.map_or_else(|| "without a trace".to_owned(), |status| format!("with {status}"))
}

fn spoke_first(spoke: Option<ModelSpoke>) -> String {
    spoke.map(|spoke| format!("{spoke}; ")).unwrap_or_default()
}

fn vector(other: bool) -> &'static str {
    if other { "vector of the other embedder" } else { "vector" }
}

fn of_download(kept: bool) -> &'static str {
    if kept { "what was downloaded is kept" } else { "nothing was downloaded yet" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_names_fits_into_a_message() {
        assert_eq!(listed(&[""; 0]), "");
        assert_eq!(listed(&["a", "b"]), "a, b");
        let long = "x".repeat(400);
        assert_eq!(listed(&[&long]), long, "one name is told whole");
        let many = listed(&vec!["a-name"; 1000]);
        assert!(many.len() < 180 && many.starts_with("a-name, a-name") && many.ends_with(", …"), "{many}");
    }

    #[test]
    fn a_notice_has_a_code_and_fields_and_is_an_english_sentence() {
        let cause = Notice::io(&io::Error::from_raw_os_error(if cfg!(windows) { 5 } else { 13 }));
        let notice = Notice::of_path(Path::new("/a"), Notice::CannotBeRead { cause: cause.into() });
        let json = serde_json::to_value(&notice).unwrap();
        assert_eq!(json["code"], "path");
        assert_eq!(json["why"]["cause"]["kind"], "permission-denied");
        assert_eq!(serde_json::from_value::<Notice>(json).unwrap(), notice);
        let said = notice.to_string();
        assert!(
            said.starts_with("/a cannot be read: ") && said.ends_with("; check its permissions"),
            "{said}"
        );
    }

    #[test]
    fn sizes_are_short() {
        assert_eq!((size_text(491_400_064), size_text(2_497_281_120)), ("491 MB".into(), "2.5 GB".into()));
    }
}
