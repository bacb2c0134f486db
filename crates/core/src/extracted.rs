//! The result of extractor and segmenter: a text, its pages, its structure, its sentences.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{About, ByteSpan, Failure, FailureCode, Kind, Notice, Outline};

/// Recognised words as hOCR, by page from 1.
pub type RecognisedPages = BTreeMap<u32, String>;

/// The text of a document with its pages, structure and sentences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extracted {
    /// The format by its content, even if the file's name says otherwise.
    pub kind: Kind,
    /// The text in UTF-8. For UTF-8 text files it is the file itself, byte for byte, but Markdown without its comments,
    /// and a chat with one message per paragraph.
    pub text: String,
    /// Where each page, slide, sheet or chapter begins; empty for formats without pages.
    pub pages: PageMap,
    /// The pages (from 1, ascending) that are images although the document has text; text can be recognised on them.
    pub pictures: Vec<u32>,
    pub outline: Outline,
    /// The parts of the text without content of their own: navigation, tables of contents, indexes. They are shown, but
    /// not divided into sentences. Ascending, and they do not touch. They are not stored, since only the segmenter
    /// needs them.
    pub boilerplate: Vec<ByteSpan>,
    /// What the file says about itself.
    pub about: About,
    /// The files inside that become documents of their own: attachments, members of an archive.
    pub members: Vec<Member>,
    /// The sentences in reading order; spans ascend and do not overlap.
    pub sentences: Vec<Sentence>,
}

/// A file inside a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its path inside, with `/` between folders; neither absolute nor with `..`. It is untrusted text and never used
    /// as a path on disk. Empty if the file does not name its only member, as a `.gz` may not.
    pub name: String,
    /// Its bytes, or why they cannot be read.
    pub bytes: Result<Vec<u8>, Failure>,
}

impl Member {
    /// Whether a name can be joined to the path of the file that holds it without leading out of it. Hidden files are
    /// refused.
    #[must_use]
    pub fn is_inside(name: &str) -> bool {
        let is_part = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', '\0']);
        name.split('/').all(is_part) && name.as_bytes().get(1) != Some(&b':')
    }
}

/// The smallest indexed unit: a byte span in its document's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sentence {
    /// The bytes of the sentence in the document's text.
    pub span: ByteSpan,
    /// The page on which it begins, from 1; `None` in formats without pages.
    pub page: Option<u32>,
}

/// The byte offset at which each page begins, ascending; page 1 is the first entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PageMap(pub Vec<u32>);

impl PageMap {
    /// The page (from 1) that holds the byte at `offset`; `None` in formats without pages.
    #[must_use]
    pub fn page_at(&self, offset: u32) -> Option<u32> {
        if self.0.is_empty() {
            return None;
        }
        let page = self.0.partition_point(|&start| start <= offset).max(1);
        u32::try_from(page).ok()
    }

    /// The number of pages; 0 in formats without pages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the format has no pages.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Extracted {
    /// A text without pages, structure and sentences.
    #[must_use]
    pub fn new(kind: Kind, text: String) -> Self {
        Self {
            kind,
            text,
            pages: PageMap::default(),
            pictures: Vec::new(),
            outline: Outline::default(),
            boilerplate: Vec::new(),
            about: About::default(),
            members: Vec::new(),
            sentences: Vec::new(),
        }
    }

    /// Checks what an untrusted process returned, and shortens what the file says about itself.
    ///
    /// # Errors
    /// [`FailureCode::Crashed`] if a span is outside the text, not on character boundaries, out of order or overlaps
    /// another, if the page map or the outline does not ascend, or if the name of a member leads out of the file.
    pub fn validated(mut self) -> Result<Self, Failure> {
        let wrong = |what: Notice| Failure::new(FailureCode::Crashed, what);
        let mut end = 0;
        for sentence in &self.sentences {
            let span = sentence.span;
            if span.is_empty() || span.start < end || span.of(&self.text).is_none() {
                return Err(wrong(Notice::SentenceOutsideText));
            }
            end = span.end;
        }
        let ascending = self.pages.0.windows(2).all(|pair| pair[0] <= pair[1]);
        if !ascending || self.pages.0.iter().any(|&start| start as usize > self.text.len()) {
            return Err(wrong(Notice::PagesOutsideText));
        }
        let has_pictures = self.pictures.windows(2).all(|pair| pair[0] < pair[1])
            && self.pictures.iter().all(|&page| (1..=self.pages.len()).contains(&(page as usize)));
        if !has_pictures {
            return Err(wrong(Notice::PagesOutsideText));
        }
        if !self.outline.fits(&self.text) {
            return Err(wrong(Notice::OutlineOutsideText));
        }
        if !self.members.iter().all(|member| member.name.is_empty() || Member::is_inside(&member.name)) {
            return Err(wrong(Notice::MemberOutsideFile));
        }
        self.about.shorten();
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_found_by_offset() {
        let pages = PageMap(vec![0, 10, 10, 20]);
        assert_eq!(pages.page_at(0), Some(1));
        assert_eq!(pages.page_at(9), Some(1));
        assert_eq!(pages.page_at(10), Some(3), "an empty page holds no byte");
        assert_eq!(pages.page_at(25), Some(4));
        assert_eq!(PageMap::default().page_at(3), None);
    }

    #[test]
    fn a_sentence_off_a_character_boundary_is_refused() {
        let sentence = Sentence { span: ByteSpan::new(0, 1), page: None };
        let extracted = Extracted { sentences: vec![sentence], ..Extracted::new(Kind::Text, "ä".into()) };
        assert_eq!(extracted.validated().unwrap_err().code, FailureCode::Crashed);
    }

    #[test]
    fn members_that_lead_out_are_refused() {
        for (name, is_inside) in [
            ("a/b.txt", true),
            ("../b.txt", false),
            ("/b.txt", false),
            ("a//b", false),
            ("c:/b", false),
            ("", true),
        ] {
            let members = vec![Member { name: name.to_owned(), bytes: Ok(Vec::new()) }];
            let extracted = Extracted { members, ..Extracted::new(Kind::Archive, String::new()) };
            assert_eq!(extracted.validated().is_ok(), is_inside, "{name}");
        }
    }

    #[test]
    fn sentences_that_overlap_are_refused() {
        let sentence = |start, end| Sentence { span: ByteSpan::new(start, end), page: None };
        let extracted = Extracted {
            sentences: vec![sentence(0, 4), sentence(3, 7)],
            ..Extracted::new(Kind::Text, "one two".into())
        };
        assert!(extracted.validated().is_err());
    }
}
