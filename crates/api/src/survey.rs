//! The list under a count: every document that mentions a thing.

use oriel_core::{Location, Survey, SurveyedDocument, SurveyedSentence};
use oriel_engine::{CERTAIN_MENTION, DocumentRow, MIN_MENTION_SCORE, PassageDocument};

use crate::documents::{DocumentRef, Resolver, milliseconds, name_of};
use crate::payload::payload;
use crate::text::TextPlace;

payload! {
    /// Every document that mentions a thing.
    pub struct SurveyView {
        #[serde(flatten)]
        pub coverage: Coverage,
        /// The documents, by path.
        pub rows: Vec<SurveyRow>,
    }

    /// How much was read for a list.
    pub struct Coverage {
        /// What was looked for.
        pub thing: String,
        /// The name of the folder that it was limited to by the question.
        pub folder: Option<String>,
        /// Documents in the scope.
        pub total: usize,
        pub read: usize,
        pub unreadable: usize,
        /// Sentences that were compared with the thing.
        pub sentences: u64,
        /// How many different sentences the checker read; `None` if that is not known.
        pub checked: Option<usize>,
        /// The probability from which a sentence counts.
        pub least: f32,
        /// The probability from which a document is certain.
        pub certain: f32,
    }

    /// A document that mentions the thing.
    pub struct SurveyRow {
        /// The number of its passage in the answer, from 1.
        pub n: usize,
        /// Whether the answer has such a passage: those that come late in a long list have none.
        pub cited: bool,
        #[serde(flatten)]
        pub document: DocumentRef,
        /// When its file was last changed, in milliseconds since 1970; 0 if it left the library.
        pub modified: i64,
        /// Whether a sentence certainly mentions the thing.
        pub certain: bool,
        /// Whether the user included it or left it out.
        pub included: Option<bool>,
        /// Its sentences that do, best first.
        pub sentences: Vec<SurveySentence>,
    }

    /// A sentence that mentions the thing.
    pub struct SurveySentence {
        #[serde(flatten)]
        pub location: Location,
        pub text: String,
        pub at: TextPlace,
    }
}

impl Resolver<'_> {
    /// A list as it is kept. `sources` are the documents of its passages as they were when the question was asked.
    pub(crate) fn survey(&self, survey: &Survey, sources: &[Option<PassageDocument>]) -> SurveyView {
        let rows = (1..).zip(&survey.documents).map(|(n, document)| {
            let source = sources.get(n - 1).and_then(Option::as_ref);
            let sentences: Vec<&str> = document.sentences.iter().map(|one| one.text.as_str()).collect();
            let now = self.relocated(&document.path, source, &sentences);
            self.surveyed(document, n, now.as_ref(), source)
        });
        SurveyView { coverage: Coverage::of(survey), rows: rows.collect() }
    }

    /// The documents of a list that is being made, after the first `known`.
    pub(crate) fn found_since(&self, survey: &Survey, known: usize) -> Vec<SurveyRow> {
        let new = (1..).zip(&survey.documents).skip(known).map(|(n, document)| {
            let now = self.library.document_at(&document.path).ok();
            self.surveyed(document, n, now.as_ref(), None)
        });
        new.collect()
    }

    fn surveyed(
        &self,
        document: &SurveyedDocument,
        n: usize,
        now: Option<&DocumentRow>,
        source: Option<&PassageDocument>,
    ) -> SurveyRow {
        let sentence = |one: &SurveyedSentence| SurveySentence {
            location: one.location.clone(),
            text: one.text.clone(),
            at: TextPlace::sentence(one.start, one.end, source.map(|source| source.hash.clone())),
        };
        SurveyRow {
            n,
            cited: source.is_some(),
            document: self.document(&document.path, now),
            modified: now.map_or(0, |row| milliseconds(row.modified)),
            certain: document.certain,
            included: document.included,
            sentences: document.sentences.iter().map(sentence).collect(),
        }
    }
}

impl Coverage {
    pub(crate) fn of(survey: &Survey) -> Self {
        Self {
            thing: survey.thing.clone(),
            folder: survey.folder.as_deref().map(name_of),
            total: survey.total,
            read: survey.read,
            unreadable: survey.unreadable,
            sentences: survey.sentences,
            checked: survey.checked,
            least: MIN_MENTION_SCORE,
            certain: CERTAIN_MENTION,
        }
    }
}
