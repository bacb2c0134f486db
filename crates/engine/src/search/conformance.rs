//! Conformance tests for every index, on a small corpus. The expected results are computed here, sentence by sentence,
//! without an index.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

use oriel_core::{
    ByteSpan, CancelToken, Candidate, DocumentId, Excerpt, Filter, Heading, HitLists, Kind, MAX_OCCURRENCES,
    Ordinal, Outline, PartialText, Retrieval, Retriever, SentenceId, SentenceRange, SentenceRuns, TextQuery,
};
use oriel_store::{EmbedderRecord, Vectors};
use oriel_text::terms;

use crate::error::EngineError;
use crate::library::Library;
use crate::library::sentences::{digests, question_terms, sentence_texts};
use crate::library::source::AnyRetriever;
use crate::library::source::store_state::whole_document;
use crate::testing::TestLibrary;

/// The tolerance of scores.
const TOLERANCE: f32 = 1e-4;
/// Length of the vectors.
const DIMENSIONS: usize = 32;
const FINGERPRINT: &str = "conformance";
/// The constants of BM25: saturation of a frequency, and weight of a length.
const K1: f32 = 1.2;
const B: f32 = 0.75;

/// Headings, a table, mails, letters beyond ASCII, a sentence that occurs often, and one that occurs in two documents.
const FILES: &[(&str, &str)] = &[
    (
        "harbour/tides.md",
        "# Harbour\n\nThe tide is low at noon. Boats wait for the tide.\n\n## Lights\n\nThe lighthouse shows a red \
         light. The light turns every nine seconds. No boat may pass the light at night.\n\n# Quay\n\nThe quay was \
         repaired in spring.\n",
    ),
    ("harbour/dues.csv", "Ship;Dues;Berth\nCurlew;40;North\nPetrel;55;South\nKittiwake;70;North\n"),
    (
        "letters/gulls.txt",
        "The gulls are loud.\n\n\
      The gulls are loud.\n\nThe gulls are loud.\n\nThe gulls are loud.\n\nThe gulls are loud.\n\n\
      The gulls are loud.\n\nThe gulls are loud.\n\nThe gulls are loud.\n\nThe gulls are loud.\n\n\
      The gulls are loud.\n\nThe gulls are loud.\n\nNobody sleeps.\n",
    ),
    (
        "letters/keeper.txt",
        "Dear keeper, the tide was high. Boats wait for the tide. Come back before the storm.",
    ),
    (
        "letters/wärter.txt",
        "Der Leuchtturm steht am Kai. Die Flut kommt um zwölf Uhr. Größere Schiffe warten draußen.",
    ),
    (
        "mail/raman.eml",
        "From: Priya Raman <p.raman@north.example>\nDate: Fri, 1 Mar 2024 11:00:00 +0000\nSubject: Berth\n\n\
         The berth in the north is free. Please send the dues.\n",
    ),
    (
        "mail/jonas.eml",
        "From: Jonas <jonas@south.example>\nDate: Fri, 8 Mar 2024 11:00:00 +0000\nSubject: Storm\n\n\
         A storm comes from the south. No ship leaves the harbour.\n",
    ),
];

/// Whether a filter accepts the document with this path and kind.
type Admits<'a> = &'a dyn Fn(&Path, Kind) -> bool;

/// A sentence of the corpus.
struct TrueSentence {
    position: (DocumentId, Ordinal),
    id: SentenceId,
    vector: Vec<f32>,
    terms: Vec<String>,
}

/// A library with the corpus, and its expected content.
pub(crate) struct Corpus {
    place: TestLibrary,
    documents: HashMap<DocumentId, Excerpt>,
    sentences: Vec<TrueSentence>,
}

/// A vector in which every term has its own direction, so that texts with the same terms are near.
fn vector_of(text: &str) -> Vec<f32> {
    let mut vector = [0f32; DIMENSIONS];
    for term in terms(text) {
        let hash = blake3::hash(term.as_bytes());
        vector.iter_mut().zip(hash.as_bytes()).for_each(|(value, byte)| *value += f32::from(*byte) - 127.5);
    }
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt().max(f32::EPSILON);
    vector.iter().map(|value| value / length).collect()
}

/// Gives every sentence of a library that has no vector one, and returns the vectors as stored, in f16.
pub(crate) fn embed(library: &Library) -> HashMap<SentenceId, Vec<f32>> {
    let store = &library.store;
    let embedder = EmbedderRecord { fingerprint: FINGERPRINT.into(), dimensions: DIMENSIONS };
    let of = store.write(|edit| edit.use_embedder(&embedder)).unwrap();
    assert_eq!(of, Vectors::Active);
    let texts = store.read(|view| sentence_texts(&view, &view.unembedded(of, SentenceId(0), usize::MAX)?));
    let vectors: HashMap<SentenceId, Vec<f32>> =
        texts.unwrap().iter().map(|(id, text)| (*id, vector_of(text))).collect();
    store.write(|edit| vectors.iter().try_for_each(|(id, vector)| edit.put_vector(of, *id, vector))).unwrap();
    let ids: Vec<SentenceId> = vectors.keys().copied().collect();
    let kept = store.read(|view| view.vectors_of(&ids)).unwrap();
    ids.into_iter().zip(kept.into_iter().flatten()).collect()
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Corpus {
    /// Reads the corpus into a library, with vectors.
    pub(crate) fn new() -> Self {
        let place = TestLibrary::with(FILES);
        let vectors = embed(&place.library);
        let documents: HashMap<DocumentId, Excerpt> = place
            .library
            .store
            .read(|view| {
                let ids: Vec<DocumentId> = view.documents()?.map(|one| one.unwrap().0).collect();
                ids.into_iter()
                    .map(|id| Ok((id, whole_document(&view, id)?)))
                    .collect::<Result<_, EngineError>>()
            })
            .unwrap();
        let mut sentences = Vec::new();
        for (&document, excerpt) in &documents {
            let text = excerpt.text.with_line_breaks();
            let spans = excerpt.rows.iter().map(|(_, row)| row.span);
            let digests = digests(&excerpt.path, &text, &excerpt.outline, excerpt.kind, spans);
            for ((ordinal, row), digest) in excerpt.rows.iter().zip(digests) {
                let (position, vector) = ((document, ordinal), vectors[&row.id].clone());
                sentences.push(TrueSentence { position, id: row.id, vector, terms: digest.unwrap().terms });
            }
        }
        sentences.sort_by_key(|one| one.position);
        assert!(sentences.len() > 30, "{} sentences", sentences.len());
        Self { place, documents, sentences }
    }

    /// Every sentence as a candidate.
    pub(crate) fn candidates(&self) -> impl Iterator<Item = Candidate> {
        self.sentences.iter().map(unscored)
    }

    pub(crate) fn library(&self) -> &Library {
        &self.place.library
    }

    /// Checks an index of this library.
    pub(crate) fn check(&self, retriever: &AnyRetriever<'_>) {
        assert_eq!(retriever.embedder(&CancelToken::new()).unwrap().as_deref(), Some(FINGERPRINT));
        self.check_lists(retriever);
        self.check_filters(retriever);
        self.check_failures(retriever);
        self.check_rank(retriever);
        self.check_excerpts(retriever);
    }

    fn at(&self, position: (DocumentId, Ordinal)) -> &TrueSentence {
        &self.sentences[self.sentences.binary_search_by_key(&position, |one| one.position).unwrap()]
    }

    /// Both lists are correct, for one text and for several at once.
    fn check_lists(&self, retriever: &AnyRetriever<'_>) {
        let questions = [
            "the tide at noon",
            "gulls loud",
            "light light night",
            "Wann kommt die Flut?",
            "Curlew dues north",
            "xylophone",
        ];
        let prepared = questions.map(|question| (vector_of(question), question_terms(question)));
        for depth in [1, 5, 50] {
            let queries: Vec<TextQuery<'_>> =
                prepared.iter().map(|(vector, words)| TextQuery { vector: Some(vector), words }).collect();
            let together = find(retriever, &queries, &Filter::default(), depth);
            for (query, lists) in queries.iter().zip(&together) {
                let vector = query.vector.unwrap();
                self.check_list(&lists.dense, |one| Some(dot(&one.vector, vector)), depth, MAX_OCCURRENCES);
                self.check_list(&lists.sparse, |one| self.bm25(one, query.words), depth, usize::MAX);
                let alone = find(retriever, &[*query], &Filter::default(), depth);
                assert_eq!(scores(&alone[0].dense), scores(&lists.dense));
                assert_eq!(scores(&alone[0].sparse), scores(&lists.sparse));
            }
        }
        let (vector, words) = &prepared[0];
        let by_words = find(retriever, &[TextQuery { vector: None, words }], &Filter::default(), 9);
        let by_meaning = TextQuery { vector: Some(vector), words: &[] };
        let by_meaning = find(retriever, &[by_meaning], &Filter::default(), 9);
        assert!(by_words[0].dense.is_empty() && !by_words[0].sparse.is_empty());
        assert!(by_meaning[0].sparse.is_empty() && !by_meaning[0].dense.is_empty());
    }

    /// A list is best first, its scores are correct, and no better sentence is missing. Ties may be in any order.
    fn check_list(
        &self,
        list: &[Candidate],
        truth: impl Fn(&TrueSentence) -> Option<f32>,
        depth: usize,
        occurrences: usize,
    ) {
        let mut best: Vec<(f32, SentenceId)> =
            self.sentences.iter().filter_map(|one| Some((truth(one)?, one.id))).collect();
        best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut taken: HashMap<SentenceId, usize> = HashMap::new();
        best.retain(|(_, id)| {
            let count = taken.entry(*id).or_default();
            *count += 1;
            *count <= occurrences
        });
        best.truncate(depth);
        assert_eq!(list.len(), best.len(), "{list:?}");
        for (one, (score, _)) in list.iter().zip(&best) {
            let own = truth(self.at(one.position())).unwrap();
            assert!((one.score - own).abs() < TOLERANCE, "{one:?} has {own}");
            assert!((one.score - score).abs() < TOLERANCE, "{one:?} stands where {score} belongs");
        }
        let positions: HashSet<_> = list.iter().map(Candidate::position).collect();
        assert_eq!(positions.len(), list.len(), "a sentence stands twice");
    }

    /// BM25 of a sentence among all; `None` if it contains none of the words.
    fn bm25(&self, sentence: &TrueSentence, words: &[String]) -> Option<f32> {
        let (count, total) = (self.sentences.len() as f32, self.sentences.iter().map(|one| one.terms.len()));
        let mean_length = total.sum::<usize>() as f32 / count;
        let words: BTreeSet<&String> = words.iter().collect();
        let score = |word: &&String| {
            let times = sentence.terms.iter().filter(|term| term == word).count() as f32;
            let holding = self.sentences.iter().filter(|one| one.terms.contains(word)).count() as f32;
            let norm = K1 * (1.0 - B + B * sentence.terms.len() as f32 / mean_length);
            let weight = (1.0 + (count - holding + 0.5) / (holding + 0.5)).ln();
            (times > 0.0).then(|| weight * times * (K1 + 1.0) / (times + norm))
        };
        words.iter().filter_map(score).reduce(|a, b| a + b)
    }

    /// Exactly the documents that a filter accepts are searched, by meaning and by words.
    fn check_filters(&self, retriever: &AnyRetriever<'_>) {
        let folder = |name: &str| self.place.documents().join(name);
        let monday = 1_709_510_400_000_000_000; // 2024-03-04; files other than mails are a minute old.
        let all = Filter::default;
        let filters: &[(Filter, Admits<'_>)] = &[
            (all(), &|_, _| true),
            (Filter { within: vec![folder("letters")], ..all() }, &|path, _| {
                path.starts_with(folder("letters"))
            }),
            (Filter { within: vec![folder("mail"), folder("harbour/tides.md")], ..all() }, &|path, _| {
                path.starts_with(folder("mail")) || path.ends_with("tides.md")
            }),
            (Filter { without: vec![folder("letters")], ..all() }, &|path, _| {
                !path.starts_with(folder("letters"))
            }),
            (Filter { kinds: vec![Kind::Csv, Kind::Markdown], ..all() }, &|_, kind| {
                matches!(kind, Kind::Csv | Kind::Markdown)
            }),
            (Filter { from: vec!["raman priya".into()], ..all() }, &|path, _| path.ends_with("raman.eml")),
            (Filter { until: Some(monday), ..all() }, &|path, _| path.ends_with("raman.eml")),
            (Filter { since: Some(monday), ..all() }, &|path, _| !path.ends_with("raman.eml")),
            (
                Filter {
                    kinds: vec![Kind::Eml],
                    since: Some(monday),
                    without: vec![folder("letters")],
                    ..all()
                },
                &|path, _| path.ends_with("jonas.eml"),
            ),
            (Filter { kinds: vec![Kind::Pdf], ..all() }, &|_, _| false),
        ];
        let question = "The tide at the harbour is loud in the north, no ship waits.";
        let (vector, words) = (vector_of(question), question_terms(question));
        for (filter, admits) in filters {
            let admitted = |one: &&TrueSentence| {
                let document = &self.documents[&one.position.0];
                admits(&document.path, document.kind)
            };
            let query = TextQuery { vector: Some(&vector), words: &words };
            let lists = find(retriever, &[query], filter, 200).remove(0);
            let found = |list: &[Candidate]| list.iter().map(Candidate::position).collect::<BTreeSet<_>>();
            let sparse: BTreeSet<_> = self
                .sentences
                .iter()
                .filter(admitted)
                .filter(|one| one.terms.iter().any(|term| words.contains(term)))
                .map(|one| one.position)
                .collect();
            assert_eq!(found(&lists.sparse), sparse, "{filter:?}");
            // The list has only some occurrences of a sentence that occurs often.
            let ids: BTreeSet<SentenceId> =
                self.sentences.iter().filter(admitted).map(|one| one.id).collect();
            let dense = found(&lists.dense);
            assert!(dense.iter().all(|position| admitted(&self.at(*position))), "{filter:?}");
            assert_eq!(dense.iter().map(|position| self.at(*position).id).collect::<BTreeSet<_>>(), ids);
        }
    }

    fn check_failures(&self, retriever: &AnyRetriever<'_>) {
        let (vector, words) = (vector_of("the tide"), question_terms("the tide"));
        let query = TextQuery { vector: Some(&vector), words: &words };
        let (folder, cancel) = (self.place.documents(), CancelToken::new());
        let unknown = Filter { within: vec![folder.join("nowhere")], ..Filter::default() };
        let failed = retriever.find(&[query], &unknown, 9, &cancel).unwrap_err();
        assert!(matches!(failed, EngineError::UnknownDocument { .. }), "{failed}");
        let hidden = [folder.join("mail")];
        let hidden = Filter { within: hidden.to_vec(), without: hidden.to_vec(), ..Filter::default() };
        assert!(retriever.find(&[query], &hidden, 9, &cancel).is_err(), "hidden is as if it were not there");
        let short = TextQuery { vector: Some(&vector[1..]), words: &words };
        assert!(retriever.find(&[short], &Filter::default(), 9, &cancel).is_err(), "other dimensions");
        let absent = SentenceRange { document: DocumentId(9_999), first: 0, last: 0 };
        assert!(retriever.excerpts(&[absent], &cancel).is_err());
        cancel.cancel();
        let failed = retriever.find(&[query], &Filter::default(), 9, &cancel).unwrap_err();
        assert!(failed.is_cancelled(), "{failed}");
    }

    /// Given sentences are ordered by meaning; ties keep their order.
    fn check_rank(&self, retriever: &AnyRetriever<'_>) {
        let vector = vector_of("loud gulls at noon");
        let given: Vec<Candidate> = self.sentences.iter().rev().step_by(2).map(unscored).collect();
        let ranked = retriever.rank(&vector, &given, &CancelToken::new()).unwrap();
        let place = |one: &Candidate| given.iter().position(|other| other.position() == one.position());
        assert_eq!(ranked.len(), given.len());
        for one in &ranked {
            assert!((one.score - dot(&self.at(one.position()).vector, &vector)).abs() < TOLERANCE);
        }
        let order: Vec<_> = ranked.iter().map(|one| (one.score, Reverse(place(one)))).collect();
        assert!(order.windows(2).all(|pair| pair[0] >= pair[1]), "{order:?}");
        assert!(retriever.rank(&vector, &[], &CancelToken::new()).unwrap().is_empty());
    }

    /// Every range has its sentences with their text, headings and header rows at the document's own bytes.
    fn check_excerpts(&self, retriever: &AnyRetriever<'_>) {
        let read = |ranges: &[SentenceRange]| retriever.excerpts(ranges, &CancelToken::new()).unwrap();
        for (&document, whole) in &self.documents {
            let count = u32::try_from(whole.rows.iter().count()).unwrap();
            for first in 0..count {
                let last = (first + 2).min(count - 1);
                // There is nothing beyond the end of the document.
                let wanted = if last + 1 == count { last + 7 } else { last };
                let excerpts = read(&[SentenceRange { document, first, last: wanted }]);
                let [excerpt] = &excerpts[..] else { panic!("{} excerpts", excerpts.len()) };
                same_part(whole, excerpt, first, last);
            }
        }
        let mut ranges: Vec<SentenceRange> = Vec::new();
        for &document in self.documents.keys() {
            ranges.push(SentenceRange { document, first: 0, last: 0 });
            ranges.push(SentenceRange { document, first: 2, last: 3 });
        }
        let excerpts = read(&ranges);
        assert_eq!(excerpts.len(), self.documents.len(), "each document comes once");
        let mut ids: HashMap<SentenceId, SentenceId> = HashMap::new();
        for excerpt in &excerpts {
            let whole = &self.documents[&excerpt.document];
            let count = u32::try_from(whole.rows.iter().count()).unwrap();
            same_part(whole, excerpt, 0, 0);
            if count > 2 {
                same_part(whole, excerpt, 2, 3.min(count - 1));
            }
            for (ordinal, row) in excerpt.rows.iter() {
                let own = whole.rows.get(ordinal).unwrap().id;
                assert_eq!(
                    *ids.entry(own).or_insert(row.id),
                    row.id,
                    "sentences with the same text have one id"
                );
            }
        }
        let distinct: HashSet<_> = ids.values().collect();
        assert_eq!(distinct.len(), ids.len(), "other sentences have other ids");
        assert!(read(&[]).is_empty());
    }
}

/// An index that returns no more of a document than it must.
pub(crate) struct Frugal<'a>(pub &'a AnyRetriever<'a>);

impl Retriever for Frugal<'_> {
    type Error = EngineError;

    fn embedder(&self, cancel: &CancelToken) -> Result<Option<String>, EngineError> {
        self.0.embedder(cancel)
    }

    fn size(&self) -> Result<Option<u64>, EngineError> {
        self.0.size()
    }

    fn find(
        &self,
        queries: &[TextQuery<'_>],
        filter: &Filter,
        depth: usize,
        cancel: &CancelToken,
    ) -> Result<Retrieval, EngineError> {
        self.0.find(queries, filter, depth, cancel)
    }

    fn rank(
        &self,
        vector: &[f32],
        among: &[Candidate],
        cancel: &CancelToken,
    ) -> Result<Vec<Candidate>, EngineError> {
        self.0.rank(vector, among, cancel)
    }

    fn excerpts(&self, ranges: &[SentenceRange], cancel: &CancelToken) -> Result<Vec<Excerpt>, EngineError> {
        let cut = |whole: Excerpt| {
            let own = ranges.iter().filter(|range| range.document == whole.document);
            part_of(&whole, own)
        };
        Ok(self.0.excerpts(ranges, cancel)?.into_iter().map(cut).collect())
    }
}

/// The ranges of a document, with the headings above their sentences and the header rows of their tables.
fn part_of<'a>(whole: &Excerpt, ranges: impl Iterator<Item = &'a SentenceRange>) -> Excerpt {
    let (mut rows, mut spans, mut outline) = (Vec::new(), Vec::new(), Outline::default());
    for range in ranges {
        let inside = whole.rows.iter().filter(|(at, _)| (range.first..=range.last).contains(&at.0));
        let inside: Vec<_> = inside.map(|(at, row)| (at, *row)).collect();
        spans.extend(inside.iter().map(|(_, row)| row.span).reduce(ByteSpan::hull));
        for (_, row) in &inside {
            let own = whole.outline.headings.iter().filter(|heading| heading.span.start == row.span.start);
            outline.headings.extend(whole.outline.walk().path(row.span.start).iter().chain(own));
            let header = whole.outline.header_at(row.span.start);
            outline.tables.extend(whole.outline.tables.iter().filter(|table| Some(table.span) == header));
        }
        rows.extend(inside);
    }
    outline.headings.sort_by_key(|heading| heading.span);
    outline.headings.dedup();
    outline.tables.sort_by_key(|table| table.span);
    outline.tables.dedup();
    spans.extend(outline.headings.iter().map(|heading| heading.span));
    spans.extend(outline.tables.iter().map(|table| table.span));
    let piece = |span: ByteSpan| (span.start, whole.text.of(span).unwrap().to_owned());
    Excerpt {
        text: PartialText::of_pieces(spans.into_iter().map(piece).collect()),
        outline,
        rows: SentenceRuns::of_rows(rows),
        ..whole.clone()
    }
}

/// The excerpt agrees with the whole document on the sentences `first..=last`.
fn same_part(whole: &Excerpt, excerpt: &Excerpt, first: u32, last: u32) {
    let about = |one: &Excerpt| (one.document, one.path.clone(), one.kind, one.hash.clone());
    assert_eq!(about(excerpt), about(whole));
    let row = |excerpt: &Excerpt, ordinal| {
        let row = excerpt.rows.get(Ordinal(ordinal)).unwrap();
        (row.span, row.page)
    };
    let read = |excerpt: &Excerpt, span: ByteSpan| excerpt.text.of(span).map(str::to_owned);
    let headings = |excerpt: &Excerpt, at| {
        let heading = |heading: &Heading| (heading.level, read(excerpt, heading.span));
        excerpt.outline.walk().path(at).iter().map(heading).collect::<Vec<_>>()
    };
    let header = |excerpt: &Excerpt, at| excerpt.outline.header_at(at).map(|span| read(excerpt, span));
    let is_heading = |excerpt: &Excerpt, at| excerpt.outline.headings.iter().any(|one| one.span.start == at);
    for ordinal in first..=last {
        let (span, page) = row(whole, ordinal);
        assert_eq!(row(excerpt, ordinal), (span, page));
        assert_eq!(headings(excerpt, span.start), headings(whole, span.start));
        assert_eq!(header(excerpt, span.start), header(whole, span.start));
        assert_eq!(is_heading(excerpt, span.start), is_heading(whole, span.start));
    }
    let span = row(whole, first).0.hull(row(whole, last).0);
    assert!(read(whole, span).is_some());
    assert_eq!(read(excerpt, span), read(whole, span), "the text has no gap");
    assert_eq!(excerpt.rows.between(first, last).count(), (last - first) as usize + 1);
}

fn unscored(sentence: &TrueSentence) -> Candidate {
    Candidate { document: sentence.position.0, ordinal: sentence.position.1, score: 0.0 }
}

fn scores(list: &[Candidate]) -> Vec<f32> {
    list.iter().map(|one| one.score).collect()
}

fn find(
    retriever: &AnyRetriever<'_>,
    queries: &[TextQuery<'_>],
    filter: &Filter,
    depth: usize,
) -> Vec<HitLists> {
    let found = retriever.find(queries, filter, depth, &CancelToken::new()).unwrap();
    assert_eq!(found.lists.len(), queries.len(), "every text has its lists");
    found.lists
}
