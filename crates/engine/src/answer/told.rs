//! What a document says, in few sentences: those that are central to it or to its sections, without a model.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use oriel_core::{ByteSpan, CancelToken, Candidate, DocumentId, Excerpt, Heading, Ordinal, SentenceRow};
use oriel_store::View;
use oriel_text::{list_contains, plain, terms};

use crate::answer::central::{centrality, choose, nearness, word_vector};
use crate::error::EngineError;
use crate::library::furniture::Furniture;
use crate::library::source::store_state::whole_document;
use crate::question::time::names_of;
use crate::question::words::{Word, content_words};
use crate::search::loaded::LoadedDocument;

/// A summary of a document with at most so many sentences has all of them.
const SHORT: usize = 8;
/// Sentences of a document without sections.
const MAX_SENTENCES: usize = 7;
/// A summary of a longer document goes by its sections.
const LONG: usize = 15;
/// Sentences of a section that is asked for.
const MAX_OF_SECTION: usize = 5;
/// Sections that stand in the answer; all are below it.
const MAX_SECTIONS: usize = 12;
/// A document with fewer headings has no sections.
const MIN_SECTIONS: usize = 3;
/// With fewer sections each has two sentences.
const FEW_SECTIONS: usize = 6;
/// Sentences of a document that are read; with more, the vectors would take hundreds of megabytes.
const MAX_READ: usize = 20_000;
/// Characters of a sentence that can stand alone.
const CHARACTERS: std::ops::RangeInclusive<usize> = 25..=450;
/// Words of a sentence.
const MIN_WORDS: usize = 4;
/// What a sentence gains that begins a section, that has words of its heading, and that stands before a tenth of the text.
const BEGINS: f32 = 0.25;
const NAMED_ABOVE: f32 = 0.2;
const EARLY: f32 = 0.15;
/// What the sentence gains that is nearest to the whole document.
const WHOLE: f32 = 0.4;
/// What one loses that needs the sentence before it, that does not end as sentences do (a title, an entry), and that is short.
const LEANS: f32 = 0.3;
const UNENDED: f32 = 0.5;
const BRIEF: f32 = 0.15;
/// What a decision gains in minutes.
const DECIDES: f32 = 0.4;
const DECISIONS: &str = "decided decides decision resolved agreed approved beschlossen beschließt beschluss vereinbart genehmigt \
    entschieden angenommen décidé convenu adopté decidido acordado aprobado deciso approvato besloten goedgekeurd aprovado";
/// Characters of a short one.
const FEW_CHARACTERS: usize = 50;
const LEANING: &str =
    "it its this that these those they he she however therefore es dies diese dieser sie er";
/// Characters of a heading in the answer.
const MAX_HEADING: usize = 70;

/// The sentences that say most of a document.
pub(crate) struct Told {
    pub loaded: LoadedDocument,
    /// In reading order.
    pub picks: Vec<Pick>,
    /// The sections of a long document; 0 of a short one.
    pub sections: usize,
}

/// A sentence that was chosen.
pub(crate) struct Pick {
    pub candidate: Candidate,
    pub span: ByteSpan,
    /// Its plain text.
    pub text: String,
    /// The heading of its section, if the summary goes by sections.
    pub heading: Option<String>,
    /// Whether it stands in the answer.
    pub is_shown: bool,
}

/// A sentence that can be chosen.
struct Sentence {
    ordinal: Ordinal,
    span: ByteSpan,
    text: String,
    vector: Vec<f32>,
    /// What it has besides its place in the graph.
    prior: f32,
}

impl Told {
    /// Reads a document; of several only the `limit` best sentences. `None` if it has no sentence.
    pub(crate) fn of(
        view: &View<'_>,
        document: DocumentId,
        limit: usize,
        cancel: &CancelToken,
    ) -> Result<Option<Self>, EngineError> {
        cancel.check()?;
        let loaded = LoadedDocument { excerpt: whole_document(view, document)? };
        let sentences = sentences(view, &loaded, 0..u32::MAX, cancel)?;
        if sentences.is_empty() {
            return Ok(None);
        }
        let places =
            if sentences.len() > LONG && limit > 1 { sections(&loaded, &sentences) } else { Vec::new() };
        let per_section = if places.len() < FEW_SECTIONS { 2 } else { 1 };
        let mut sections = Vec::new();
        for (heading, place) in places {
            if cancel.is_cancelled() && !sections.is_empty() {
                break;
            }
            let own = &sentences[place];
            sections.push((own.len(), chosen(&loaded, own, heading.as_ref(), per_section)));
        }
        if sections.is_empty() {
            let count = if sentences.len() <= SHORT { SHORT } else { MAX_SENTENCES };
            let picks = chosen(&loaded, &sentences, None, count.min(limit));
            return Ok(Some(Self { loaded, picks, sections: 0 }));
        }
        // The longest stand in the answer.
        let mut longest: Vec<usize> = (0..sections.len()).collect();
        longest.sort_by_key(|&at| Reverse(sections[at].0));
        longest.truncate(MAX_SECTIONS);
        let count = sections.len();
        let picks = sections.into_iter().enumerate().flat_map(|(at, (_, picks))| {
            let is_shown = longest.contains(&at);
            picks.into_iter().map(move |pick| Pick { is_shown, ..pick })
        });
        let picks = picks.collect();
        Ok(Some(Self { loaded, picks, sections: count }))
    }

    /// Reads the section of a document whose heading is `thing`. `None` if there is none, or several.
    pub(crate) fn section(
        view: &View<'_>,
        document: DocumentId,
        thing: &str,
        cancel: &CancelToken,
    ) -> Result<Option<Self>, EngineError> {
        let loaded = LoadedDocument { excerpt: whole_document(view, document)? };
        let excerpt = &loaded.excerpt;
        let wanted = words_of(thing);
        let is_it = |heading: &&Heading| {
            let text =
                excerpt.text.of(heading.span).map(|text| plain(text, excerpt.kind)).unwrap_or_default();
            words_of(text.trim_start_matches(|c: char| !c.is_alphabetic())) == wanted
        };
        let headings = &excerpt.outline.headings;
        let mut found = headings.iter().filter(is_it);
        let (Some(heading), None) = (found.next().filter(|_| !wanted.is_empty()), found.next()) else {
            return Ok(None);
        };
        let mut after = headings.iter().skip_while(|one| one.span.start <= heading.span.start);
        let next = || after.find(|one| one.level <= heading.level).map(|next| next.span.start);
        let end = heading.end.or_else(next).unwrap_or(u32::MAX);
        let sentences = sentences(view, &loaded, heading.span.end..end, cancel)?;
        let picks = chosen(&loaded, &sentences, Some(heading), MAX_OF_SECTION);
        Ok((!picks.is_empty()).then_some(Self { loaded, picks, sections: 0 }))
    }
}

/// The terms of the words with content.
fn words_of(text: &str) -> BTreeSet<String> {
    content_words(text).into_iter().flat_map(terms).collect()
}

/// The sentences in a part of the text that can be chosen, in reading order: no headings, no furniture, no rows of tables, no scraps. If
/// none can, all that have words. Of very many some, evenly.
fn sentences(
    view: &View<'_>,
    loaded: &LoadedDocument,
    part: Range<u32>,
    cancel: &CancelToken,
) -> Result<Vec<Sentence>, EngineError> {
    let excerpt = &loaded.excerpt;
    let mut furniture = Furniture::of(view);
    let (mut told, mut scraps): (Vec<(Ordinal, SentenceRow, String)>, Vec<_>) = (Vec::new(), Vec::new());
    let of_part = || excerpt.rows.iter().filter(|(_, row)| part.contains(&row.span.start));
    let step = of_part().count().div_ceil(MAX_READ).max(1);
    for (ordinal, row) in of_part().step_by(step) {
        cancel.check()?;
        let tables = &excerpt.outline.tables;
        let is_header = tables.binary_search_by_key(&row.span.start, |table| table.span.start).is_ok();
        if is_header || loaded.is_heading(row.span) || furniture.holds(excerpt.document, ordinal)? {
            continue;
        }
        let text = plain(excerpt.text.of(row.span).unwrap_or_default(), excerpt.kind);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let in_table = excerpt.outline.header_at(row.span.start).is_some();
        if stands_alone(&text) && !in_table {
            told.push((ordinal, *row, text));
        } else if told.is_empty() && text.contains(char::is_alphanumeric) {
            scraps.push((ordinal, *row, text));
        }
    }
    let told = if told.is_empty() { scraps } else { told };
    let ids: Vec<_> = told.iter().map(|(_, row, _)| row.id).collect();
    // Until all have a vector by meaning, words are compared.
    let vectors: Option<Vec<Vec<f32>>> = view.vectors_of(&ids)?.into_iter().collect();
    let vectors = vectors.unwrap_or_else(|| told.iter().map(|(.., text)| word_vector(text)).collect());
    let early = told.len() / 10;
    let are_minutes = are_minutes(excerpt);
    let nearness = nearness(&vectors);
    let sentence = |(at, ((ordinal, row, text), vector))| {
        let (ordinal, row, text): (Ordinal, SentenceRow, String) = (ordinal, row, text);
        let decides =
            are_minutes && Word::all(&text).iter().any(|word| list_contains(&word.lower, DECISIONS));
        let gains = [(at <= early, EARLY), (decides, DECIDES)];
        let gained: f32 = gains.iter().filter(|(is_so, _)| *is_so).map(|(_, gain)| gain).sum();
        let prior = prior(&text) + WHOLE * nearness[at] + gained;
        Sentence { ordinal, span: row.span, text, vector, prior }
    };
    Ok(told.into_iter().zip(vectors).enumerate().map(sentence).collect())
}

/// Whether a document is called minutes.
fn are_minutes(excerpt: &Excerpt) -> bool {
    let names = names_of("minutes").map(terms).unwrap_or_default();
    let title = excerpt.outline.headings.first().and_then(|heading| excerpt.text.of(heading.span));
    let name = excerpt.path.file_stem().unwrap_or_default().to_string_lossy();
    [&*name, title.unwrap_or_default()].iter().any(|text| terms(text).iter().any(|term| names.contains(term)))
}

/// What a sentence gains or loses by its form.
fn prior(text: &str) -> f32 {
    let first = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
    let faults = [
        (list_contains(&first, LEANING), LEANS),
        (!is_ended(text), UNENDED),
        (text.chars().count() < FEW_CHARACTERS, BRIEF),
    ];
    -faults.iter().filter(|(is_fault, _)| *is_fault).map(|(_, loss)| loss).sum::<f32>()
}

/// Whether a text ends as sentences do.
fn is_ended(text: &str) -> bool {
    text.trim_end_matches(['"', '\'', '”', '’', '“', '»', ')']).ends_with(['.', '!', '…', '。', '।', '؟'])
}

/// Whether most words of a text begin with a capital, as in titles, names of parties and forms. A whole sentence may be in capitals.
fn is_title(text: &str) -> bool {
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.contains(char::is_alphabetic))
        .collect();
    let is_ended = is_ended(text);
    let is_capital = |word: &&&str| {
        word.starts_with(char::is_uppercase) && (!is_ended || word.contains(char::is_lowercase))
    };
    words.iter().filter(is_capital).count() * 4 >= words.len() * 3
}

/// Whether a text is a sentence that says something by itself: of some length, mostly of words, and no title.
fn stands_alone(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let count = text.chars().count();
    CHARACTERS.contains(&count)
        && letters * 2 >= count
        && (text.split(' ').count() >= MIN_WORDS || !text.is_ascii())
        && !text.ends_with([':', '?'])
        && !is_title(text)
        // A line that goes on from another.
        && (is_ended(text) || !text.starts_with(char::is_lowercase))
}

/// The sections of a document with the places of their sentences: those of the highest level at which there are several and none holds
/// most of the text, else of the lowest with several; none if no level has several.
fn sections(loaded: &LoadedDocument, sentences: &[Sentence]) -> Vec<(Option<Heading>, Range<usize>)> {
    let headings: Vec<&Heading> =
        loaded.excerpt.outline.headings.iter().filter(|heading| heading.end.is_none()).collect();
    let levels: BTreeSet<u8> = headings.iter().map(|heading| heading.level).collect();
    let mut several = Vec::new();
    for level in levels {
        let own: Vec<&Heading> = headings.iter().copied().filter(|one| one.level <= level).collect();
        let at = |start: u32| sentences.partition_point(|one| one.span.start < start);
        let start = |n: usize| own.get(n).map_or(sentences.len(), |heading| at(heading.span.start));
        let below = own.iter().enumerate().map(|(n, heading)| (Some(**heading), start(n)..start(n + 1)));
        // What stands before the first heading is a section, too.
        let of_level = std::iter::once((None, 0..start(0))).chain(below);
        let of_level: Vec<_> = of_level.filter(|(_, place)| !place.is_empty()).collect();
        let longest = of_level.iter().map(|(_, place)| place.len()).max().unwrap_or_default();
        if of_level.len() >= MIN_SECTIONS {
            several = of_level;
            if 2 * longest <= sentences.len() {
                break;
            }
        }
    }
    several
}

/// The sentences of a section, or of a whole document, that say most of it.
fn chosen(
    loaded: &LoadedDocument,
    sentences: &[Sentence],
    heading: Option<&Heading>,
    limit: usize,
) -> Vec<Pick> {
    let excerpt = &loaded.excerpt;
    let heading = heading.and_then(|heading| excerpt.text.of(heading.span));
    let heading = heading.map(|text| plain(text, excerpt.kind));
    let above = terms(heading.as_deref().unwrap_or_default());
    let vectors: Vec<&[f32]> = sentences.iter().map(|sentence| &*sentence.vector).collect();
    let mut scores = centrality(&vectors);
    for (at, (score, sentence)) in scores.iter_mut().zip(sentences).enumerate() {
        let own = terms(&sentence.text);
        let named = above.iter().filter(|term| own.contains(term)).count() as f32 / above.len().max(1) as f32;
        *score +=
            sentence.prior + NAMED_ABOVE * named + if at == 0 && heading.is_some() { BEGINS } else { 0.0 };
    }
    let heading: Option<String> = heading.map(|text| text.chars().take(MAX_HEADING).collect());
    let pick = |at: usize| {
        let Sentence { ordinal, span, ref text, .. } = sentences[at];
        let candidate = Candidate { document: excerpt.document, ordinal, score: scores[at] };
        Pick { candidate, span, text: text.clone(), heading: heading.clone(), is_shown: true }
    };
    choose(&vectors, &scores, limit).into_iter().map(pick).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestLibrary;

    #[test]
    fn parties_are_no_sentence_and_minutes_tell_what_was_decided() {
        for text in [
            "Trevanion Quay Estates Limited (Landlord)",
            "Present: Hester Pellow (chair), Morwenna Pellow, Idris Vaughan, Anneke de Wit Apologies: none.",
            "Crew Injuries: 1 Fatal Aircraft Damage: Destroyed",
            "relating to workshop premises on the first floor",
        ] {
            assert!(!stands_alone(text), "{text}");
        }
        for text in [
            "The Tenant must pay the Rent to the Landlord.",
            "Die Firma Pellow hat einen Mangel an Uhrwerken der Bauart B-62 angezeigt.",
            "THE SELLER GIVES NO WARRANTY OF ANY KIND.",
        ] {
            assert!(stands_alone(text), "{text}");
        }
        let text =
            "The members spoke of the roof for an hour.\n\nAgreed to buy a van for the workshop in May.\n";
        let place = TestLibrary::with(&[
            ("board.md", &format!("# Board meeting\n\n{text}")),
            ("report.md", &format!("# Report\n\n{text}")),
        ]);
        let prior = |name: &str| {
            let id = place.id(name);
            let read = place.library.store.read(|view| {
                let loaded = LoadedDocument { excerpt: whole_document(&view, id)? };
                sentences(&view, &loaded, 0..u32::MAX, &CancelToken::new())
            });
            read.unwrap().iter().find(|one| one.text.starts_with("Agreed")).unwrap().prior
        };
        assert!(prior("board.md") > prior("report.md"));
    }

    #[test]
    fn of_very_many_sentences_some_are_read() {
        let line = |n: usize| format!("The pump of hall {n} ran for {} hours today.\n\n", n % 24);
        let text: String = (0..=MAX_READ).map(line).collect();
        let place = TestLibrary::with(&[("log.md", &text)]);
        let log = place.id("log.md");
        let read = |cancel: &CancelToken| {
            place.library.store.read(|view| {
                let loaded = LoadedDocument { excerpt: whole_document(&view, log)? };
                sentences(&view, &loaded, 0..u32::MAX, cancel)
            })
        };
        let cancel = CancelToken::new();
        let sentences = read(&cancel).unwrap();
        assert!(sentences.len() > MAX_READ / 3 && sentences.len() <= MAX_READ, "{}", sentences.len());
        assert!(sentences.last().unwrap().span.start as usize > text.len() * 9 / 10);
        cancel.cancel();
        assert!(read(&cancel).is_err_and(|error| error.is_cancelled()));
    }
}
