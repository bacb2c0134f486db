//! A document, ready to be drawn.

use oriel_core::Kind;
use oriel_engine::{Freshness, RecognisedText};

use crate::documents::DocumentRow;
use crate::payload::{payload, request};
use crate::text::{Mark, Run, TextPlace};
use crate::turn_ref::TurnRef;

request! {
    /// Asks for a document.
    #[serde(tag = "is", rename_all_fields = "camelCase")]
    pub enum OpenView {
        /// At a passage of an answer.
        Passage {
            #[serde(flatten)]
            at: TurnRef,
            /// The passage's number, from 1.
            n: usize,
            /// The sentence of the answer that cites it, from 0: its own source is marked first.
            claim: Option<usize>,
        },
        Place { document: u32, at: TextPlace },
        /// At a sentence that mentions some words; the others of the document that do are marked as well.
        Mention {
            document: u32,
            words: String,
            /// First byte of the sentence.
            start: u32,
        },
        /// At its beginning.
        Document { document: u32 },
    }
}

payload! {
    /// A document, ready to be drawn.
    pub struct View {
        pub document: DocumentRow,
        /// Whether the file is still the one that was read.
        pub freshness: Freshness,
        /// The files that it is inside of, the one on the disk first.
        pub inside: Vec<DocumentRow>,
        /// The files directly inside it: attachments, mails of a mailbox, files of an archive; at most a thousand.
        pub members: Vec<DocumentRow>,
        pub layout: Layout,
        /// How its text was recognised, in scans and images; of such pages `blocks` has the text as well.
        pub recognised: Option<RecognisedText>,
        /// The text, for all formats but PDF, those with `rows`, and those that only hold members.
        pub blocks: Vec<Block>,
        /// Its slides, mails or chapters; of other texts the sections with a heading. Ascending.
        pub parts: Vec<ViewPart>,
        /// The sheets of a spreadsheet; of code one, with its lines.
        pub rows: Vec<ViewRows>,
        /// The marks on pages, for PDF and images; without any the window looks for `hits` in the page's text.
        pub marks: Vec<PageMark>,
        /// The words on pages around the one that is shown first that were recognised and may be wrong.
        pub unsure: Vec<PageBox>,
        /// The marked sentences in reading order: what Previous and Next go through.
        pub hits: Vec<ViewHit>,
        /// Which of `hits` is shown first.
        pub first: Option<usize>,
        /// The address under which the viewer gets its pages as a PDF; only for PDF and images.
        pub address: Option<String>,
    }

    /// How a document is laid out.
    #[derive(Copy, Eq)]
    pub enum Layout {
        /// One flow of paragraphs.
        Text,
        /// One flow, in chapters.
        Book,
        /// A card each slide.
        Slides,
        /// A card each mail, with its head.
        Mail,
        /// A grid each sheet.
        Sheets,
        /// Numbered lines.
        Lines,
    }

    /// A slide, mail, chapter or section.
    pub struct ViewPart {
        /// Its first heading; empty if it has none.
        pub title: String,
        /// Its first block, from 0; of numbered lines the line.
        pub block: usize,
    }

    /// Rows of a sheet, or lines of code.
    pub struct ViewRows {
        /// The sheet's name; empty in formats without.
        pub name: String,
        /// A row is a line, with tabs between its cells.
        pub text: String,
        /// Whether the first row names the columns.
        pub header: bool,
        /// The rows after rows without text, which are not here; ascending.
        pub numbers: Vec<NumberedRow>,
        /// The rows with a mark, ascending.
        pub marked: Vec<MarkedRow>,
    }

    /// A row with its number in the sheet.
    #[derive(Copy, Eq)]
    pub struct NumberedRow {
        /// Which row of these it is, from 0.
        pub row: usize,
        /// Its number in the sheet, from 1.
        pub number: u32,
    }

    /// A row with a mark.
    pub struct MarkedRow {
        /// Which row it is, from 0.
        pub row: usize,
        pub runs: Vec<Run>,
    }

    /// A paragraph, heading, list item or the like.
    pub struct Block {
        pub style: BlockStyle,
        /// Its text as it stands in the file, with marks.
        pub runs: Vec<Run>,
    }

    /// What a block is.
    #[derive(Copy, Eq)]
    pub enum BlockStyle {
        Text,
        Heading,
        /// Preformatted: code, tables of Markdown.
        Fixed,
        /// A row is a line, with tabs between its cells.
        Table,
        /// What a mail quotes, without the marks at the line's beginning.
        Quote,
        /// The sender, in the head of a mail.
        From,
        /// The receivers.
        To,
        /// Those who got a copy.
        Copy,
        /// When it was sent, in the mail's own words.
        Date,
        Subject,
    }

    /// A rectangle on a page, in fractions of the page as it is shown, from its top left.
    #[derive(Copy)]
    pub struct PageBox {
        /// From 1.
        pub page: u32,
        pub left: f32,
        pub top: f32,
        pub right: f32,
        pub bottom: f32,
    }

    /// A marked rectangle on a page.
    #[derive(Copy)]
    pub struct PageMark {
        #[serde(flatten)]
        pub at: PageBox,
        /// Window or sentence.
        pub mark: Mark,
        /// Which of the marked sentences it belongs to.
        pub hit: Option<usize>,
        /// Whether it is of the words of the answer.
        pub words: bool,
    }

    /// A marked sentence.
    pub struct ViewHit {
        pub text: String,
        /// The page on which it begins.
        pub page: Option<u32>,
    }
}

impl Layout {
    /// The layout of a format.
    pub(crate) fn of(kind: Kind) -> Self {
        match kind {
            Kind::Xlsx | Kind::Xls | Kind::Ods | Kind::Csv | Kind::Tsv => Self::Sheets,
            Kind::Pptx | Kind::Ppt | Kind::Odp => Self::Slides,
            Kind::Eml | Kind::Msg => Self::Mail,
            Kind::Epub | Kind::Fb2 => Self::Book,
            Kind::Code
            | Kind::Json
            | Kind::Yaml
            | Kind::Xml
            | Kind::Latex
            | Kind::Rst
            | Kind::AsciiDoc
            | Kind::Org => Self::Lines,
            _ => Self::Text,
        }
    }
}

impl PageBox {
    pub(super) fn of(mark: &oriel_engine::Mark) -> Self {
        let oriel_engine::Mark { page, left, top, right, bottom, .. } = *mark;
        Self { page, left, top, right, bottom }
    }
}
