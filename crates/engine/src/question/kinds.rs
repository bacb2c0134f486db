//! What documents of a kind are called: "PDFs", "spreadsheets", "E-Mails".

use oriel_core::Kind;

use crate::question::list::{GENERAL_NOUNS, NOUNS};
use crate::question::word_cursor::WordCursor;

/// General nouns in the singular.
const ONE: &str = "document file paper dokument datei";

/// A noun for documents of some kinds.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct KindNoun {
    /// The words that mean them in a question.
    words: &'static str,
    /// The kinds; empty for all.
    pub kinds: &'static [Kind],
    /// Singular and plural in English, then in German.
    names: [&'static str; 4],
    /// Whether the words count only before a general noun: "text files".
    needs_noun: bool,
}

/// Documents of all kinds.
pub(crate) static ANY: KindNoun = KindNoun {
    words: "",
    kinds: &[],
    names: ["document", "documents", "Dokument", "Dokumente"],
    needs_noun: false,
};

static KIND_NOUNS: [KindNoun; 12] = [
    noun("pdf pdfs", &[Kind::Pdf], ["PDF", "PDFs", "PDF", "PDFs"], false),
    noun(
        "word docx doc",
        &[Kind::Docx, Kind::Doc],
        ["Word document", "Word documents", "Word-Dokument", "Word-Dokumente"],
        true,
    ),
    noun(
        "spreadsheet spreadsheets excel xlsx xls tabellenkalkulation tabellenkalkulationen arbeitsmappe arbeitsmappen",
        &[Kind::Xlsx, Kind::Xls, Kind::Ods],
        ["spreadsheet", "spreadsheets", "Arbeitsmappe", "Arbeitsmappen"],
        false,
    ),
    noun("csv csvs", &[Kind::Csv], ["CSV file", "CSV files", "CSV-Datei", "CSV-Dateien"], false),
    noun(
        "powerpoint powerpoints pptx slideshow slideshows presentation presentations präsentation präsentationen",
        &[Kind::Pptx, Kind::Ppt, Kind::Odp],
        ["presentation", "presentations", "Präsentation", "Präsentationen"],
        false,
    ),
    noun(
        "mail mails email emails message messages nachricht nachrichten",
        &[Kind::Eml, Kind::Msg],
        ["mail", "mails", "Mail", "Mails"],
        false,
    ),
    noun(
        "image images picture pictures photo photos bild bilder bildern foto fotos",
        &[Kind::Image],
        ["image", "images", "Bild", "Bilder"],
        false,
    ),
    noun("text txt", &[Kind::Text], ["text file", "text files", "Textdatei", "Textdateien"], true),
    noun(
        "markdown md",
        &[Kind::Markdown],
        ["Markdown file", "Markdown files", "Markdown-Datei", "Markdown-Dateien"],
        true,
    ),
    noun("html", &[Kind::Html, Kind::Mhtml], ["web page", "web pages", "Webseite", "Webseiten"], true),
    noun(
        "ebook ebooks epub epubs",
        &[Kind::Epub, Kind::Fb2],
        ["e-book", "e-books", "E-Book", "E-Books"],
        false,
    ),
    noun(
        "archive archives zip zips archiv",
        &[Kind::Archive],
        ["archive", "archives", "Archiv", "Archive"],
        false,
    ),
];

const fn noun(
    words: &'static str,
    kinds: &'static [Kind],
    names: [&'static str; 4],
    needs_noun: bool,
) -> KindNoun {
    KindNoun { words, kinds, names, needs_noun }
}

impl KindNoun {
    /// The noun for this number of documents.
    pub(crate) fn name(&self, count: usize, is_german: bool) -> &'static str {
        self.names[2 * usize::from(is_german) + usize::from(count != 1)]
    }
}

/// The noun of a question for the documents that it asks for.
pub(crate) enum Noun<'q> {
    /// Documents of some kinds, or of all.
    Kind(&'static KindNoun),
    /// "contracts": documents in a folder of this name.
    Folder(&'q str),
}

impl<'q> Noun<'q> {
    /// Takes the noun at the front of the remaining question.
    pub(crate) fn take(words: &mut WordCursor<'q>) -> Option<Self> {
        // "E-mails" is read as two words.
        words.take("e");
        for kind in &KIND_NOUNS {
            let mut after = words.clone();
            if after.one_of(kind.words).is_some() {
                let is_named = after.one_of(GENERAL_NOUNS).is_some() || after.one_of(ONE).is_some();
                if is_named || !kind.needs_noun {
                    *words = after;
                    return Some(Self::Kind(kind));
                }
            }
        }
        if words.one_of(GENERAL_NOUNS).is_some() || words.one_of(ONE).is_some() {
            return Some(Self::Kind(&ANY));
        }
        words.one_of(NOUNS).map(Self::Folder)
    }
}
