//! The words of a claim or a sentence, with what a comparison needs to know of each.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use oriel_text::numbers::extend_number;
use oriel_text::{list_contains, terms, words};

use crate::answer::grounding::dates::{self, Day};
use crate::answer::grounding::numbers::{Quantity, Writing, is_number, is_scale};
use crate::question::language::{ALL_NEGATIONS, CLAIM_STOP_WORDS, detect};
use crate::question::words::is_stop_word;

/// Verbs that only join a thing with its number.
const MEASURING: &str = "need needs require requires weigh weighs measure measures last lasts amount amounts total totals take takes \
    due payable braucht benötigt wiegt misst dauert beträgt fällig";
/// Verbs and nouns of prices: "costs 45 euros" is what a column "price" says.
const PRICE_VERBS: &str = "cost costs kostet kosten coûte cuesta costa kost custa";
const PRICE_NOUNS: &str = "price prices cost costs fee fees preis preise kosten gebühr gebühren prix tarif precio prezzo prijs preço";

/// Beginnings of months that are also English words.
const OTHER_MONTHS: [&str; 3] = ["may", "out", "set"];

/// Pairs of words of which a claim and its passage may not hold one each.
const OPPOSITES: &str = "all some,always never,always sometimes,always rarely,never sometimes,after before,above below,\
    accept reject,accepted rejected,adult child,agree disagree,agreed disagreed,allow forbid,allowed forbidden,allowed banned,\
    ancient modern,appointed dismissed,arrive depart,arrived departed,ascending descending,attack defend,back front,\
    begin end,began ended,beginning end,best worst,better worse,big small,bigger smaller,biggest smallest,black white,\
    both neither,bottom top,boy girl,boys girls,brother sister,buy sell,bought sold,cheap expensive,cheaper dearer,close open,\
    closed open,closed opened,cold hot,common rare,correct incorrect,create destroy,created destroyed,daughter son,day night,\
    decline rise,declined rose,decrease increase,decreased increased,decreases increases,decreasing increasing,deep shallow,\
    different same,difficult easy,domestic foreign,down up,dry wet,early late,earlier later,earliest latest,\
    east west,eastern western,easy hard,empty full,enemy ally,exclude include,excluded included,excludes includes,\
    expand shrink,expanded shrank,export import,exports imports,external internal,fail succeed,failed succeeded,failure success,\
    fall rise,fell rose,falling rising,false true,fast slow,faster slower,father mother,female male,few many,fewer more,\
    fewest most,final first,first last,found lost,gain lose,gained lost,good bad,great small,greater smaller,greater lesser,\
    greatest least,greatest smallest,grew shrank,growth decline,guilty innocent,happy sad,hate love,heavy light,heavier lighter,\
    high low,higher lower,highest lowest,husband wife,import export,improve worsen,improved worsened,inside outside,\
    join leave,joined left,king queen,large small,larger smaller,largest smallest,least most,left right,legal illegal,less more,\
    like unlike,long short,longer shorter,longest shortest,lose win,lost won,lower upper,major minor,majority minority,\
    man woman,married divorced,maximum minimum,may will,men women,most few,much little,natural artificial,near far,\
    negative positive,new old,newer older,newest oldest,north south,northern southern,old young,older younger,oldest youngest,\
    only also,optional mandatory,optional required,partly wholly,peace war,poor rich,possible impossible,private public,\
    profit loss,protected unprotected,publish withdraw,quick slow,rarely often,seldom often,never often,receive send,received sent,\
    refuse accept,refused accepted,remember forget,rural urban,safe dangerous,strong weak,stronger weaker,strongest weakest,\
    summer winter,support oppose,supported opposed,temporary permanent,thick thin,tight loose,victory defeat,wide narrow,\
    winner loser,agree refuse,agreed refused,income expense,income expenses,expense income,credit debit,height width,length width,\
    height length,buyer seller,departure arrival,sales purchases,assets liabilities,\
    erste letzte,erster letzter,ersten letzten,gestiegen gefallen,gestiegen gesunken,größer kleiner,größte kleinste,\
    größten kleinsten,hoch niedrig,höher niedriger,höchste niedrigste,immer nie,mehr weniger,meisten wenigsten,nach vor,\
    stieg fiel,stieg sank,süden norden,südlich nördlich,westen osten,westlich östlich,alt neu,älter jünger,früher später,\
    ajouté supprimé,augmenté diminué,avant après,dernier premier,dernière première,moins plus,plus grand,toujours jamais";

static STOP_TERMS: LazyLock<HashSet<String>> =
    LazyLock::new(|| terms(&CLAIM_STOP_WORDS).into_iter().collect());
static NEGATION_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| ALL_NEGATIONS.split_whitespace().collect());
static OPPOSITE_WORDS: LazyLock<HashMap<&str, HashSet<&str>>> = LazyLock::new(|| {
    let mut opposites: HashMap<&str, HashSet<&str>> = HashMap::new();
    for (one, other) in OPPOSITES.split(',').filter_map(|pair| pair.trim().split_once(' ')) {
        opposites.entry(one).or_default().insert(other);
        opposites.entry(other).or_default().insert(one);
    }
    opposites
});

/// What a word is to a claim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum WordKind {
    /// An article, a preposition, a pronoun and the like.
    Stop,
    /// It negates.
    Negation,
    /// A number, with its unit.
    Number(Quantity),
    /// It is capitalised inside a sentence.
    Name,
    /// Any other word.
    Content,
}

/// A word of a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    /// As it is written; a number with its unit.
    pub text: String,
    /// The same without case.
    pub lower: String,
    /// Its stem, without case and accents.
    pub term: String,
    pub kind: WordKind,
}

impl Word {
    /// The words of a text that stands alone, in order.
    pub(super) fn all(text: &str) -> Vec<Self> {
        Self::of(text, Writing::of(text))
    }

    /// The words of a sentence, in order, in a document whose numbers are written so.
    pub(super) fn of(sentence: &str, writing: Writing) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        let mut begins = true;
        let spans = joined(sentence, &words(sentence), writing);
        // Every noun of German has a capital.
        let is_german =
            spans.iter().filter(|span| detect::is_common_german(&sentence[(*span).clone()])).count() >= 2;
        let mut at = 0;
        // Where the sign of a number ends that is written as a word: "5 percent" is "5 %".
        let mut signed = 0;
        while let Some(span) = spans.get(at) {
            if let Some((day, used)) = dates::day(sentence, &spans[at..]) {
                all.extend(Self::of_day(&day));
                (at, begins) = (at + used, false);
                continue;
            }
            at += 1;
            if at <= signed {
                continue;
            }
            let text = &sentence[span.clone()];
            let lower = text.to_lowercase().replace('’', "'");
            let after = &sentence[span.end..];
            let before = &sentence[..span.start];
            let word_at = |at: usize| spans.get(at).map_or("", |span| &sentence[span.clone()]);
            let next = word_at(at);
            let follows_number = all.last().is_some_and(|last| last.number().is_some());
            // It is a part of the number before it.
            if is_scale(&lower) && follows_number {
                continue;
            }
            let is_dated = follows_number || next.starts_with(|c: char| c.is_ascii_digit());
            let month = oriel_text::dates::month(&lower)
                .filter(|_| is_dated && (is_capital(text) || !OTHER_MONTHS.contains(&lower.as_str())));
            let term = month.map_or_else(|| terms(text).join(" "), dates::term);
            let following = [next, word_at(at + 1), word_at(at + 2)];
            let quantity = Quantity::read(&lower, before, after, following, writing);
            let kind = if let Some((quantity, _)) = quantity {
                WordKind::Number(quantity)
            } else if is_negation(&lower) {
                WordKind::Negation
            } else if term.is_empty() || STOP_TERMS.contains(&term) {
                WordKind::Stop
            } else if month.is_none()
                && !is_german
                && is_capital(text)
                && (!begins || is_capital(next) && !opens(&lower))
            {
                WordKind::Name
            } else {
                WordKind::Content
            };
            begins = after.trim_start().starts_with(['.', '!', '?', ':', '“', '"', '(', '•']);
            let end = match quantity {
                Some((_, 0)) if after.starts_with('%') => span.end + 1,
                Some((_, following)) => spans[at - 1 + following].end,
                None => span.end,
            };
            if let Some((quantity, following)) = quantity
                && quantity.has_sign()
            {
                signed = at + following;
            }
            all.push(Self { text: sentence[span.start..end].to_owned(), lower, term, kind });
        }
        all
    }

    /// The words of a day that is written in figures, as if its month were named.
    fn of_day(day: &Day<'_>) -> [Self; 3] {
        let number = |text: &str| {
            let read = Quantity::read(text, "", "", [""; 3], Writing::default());
            let kind = read.map_or(WordKind::Content, |(quantity, _)| WordKind::Number(quantity));
            Self { text: text.to_owned(), lower: text.to_owned(), term: text.to_owned(), kind }
        };
        let month = dates::term(day.month);
        let month = Self { text: month.clone(), lower: month.clone(), term: month, kind: WordKind::Content };
        [number(day.day), month, number(day.year)]
    }

    /// The number that it is, if it is one.
    pub(super) fn number(&self) -> Option<Quantity> {
        match self.kind {
            WordKind::Number(quantity) => Some(quantity),
            _ => None,
        }
    }

    /// Whether it says something of its own.
    pub(super) fn tells(&self) -> bool {
        !matches!(self.kind, WordKind::Stop)
    }

    /// Whether the two are the same word, or the same number.
    pub(super) fn matches(&self, other: &Self) -> bool {
        match (self.kind, other.kind) {
            (WordKind::Number(one), WordKind::Number(other)) => one.equals(&other),
            _ => self.term == other.term && self.kind.negates() == other.kind.negates(),
        }
    }

    /// Whether it only joins a thing with its number.
    pub(super) fn measures(&self) -> bool {
        list_contains(&self.lower, MEASURING)
    }

    /// Whether it says of a thing what the other says of a number: "costs" and "price".
    pub(super) fn asks_price(&self, other: &Self) -> bool {
        list_contains(&self.lower, PRICE_VERBS) && list_contains(&other.lower, PRICE_NOUNS)
    }

    /// Whether the two say the opposite of each other.
    pub(super) fn opposes(&self, other: &Self) -> bool {
        let listed =
            OPPOSITE_WORDS.get(self.lower.as_str()).is_some_and(|all| all.contains(other.lower.as_str()));
        listed || negates_prefix(&self.lower, &other.lower) || negates_prefix(&other.lower, &self.lower)
    }
}

impl WordKind {
    fn negates(self) -> bool {
        self == Self::Negation
    }
}

/// The words with numbers such as `seventy-two` and `1 250,50` as one.
fn joined(sentence: &str, spans: &[Range<usize>], writing: Writing) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    let mut rest = spans;
    while let Some((span, after)) = rest.split_first() {
        rest = after;
        match all.last_mut() {
            Some(last)
                if sentence[last.end..span.start] == *"-"
                    && is_number(&sentence[last.start..span.end], writing) =>
            {
                last.end = span.end;
            }
            _ => {
                let more = extend_number(sentence, span.clone(), rest);
                let end = more.checked_sub(1).map_or(span.end, |last| rest[last].end);
                all.push(span.start..end);
                rest = &rest[more..];
            }
        }
    }
    all
}

fn is_capital(text: &str) -> bool {
    text.starts_with(char::is_uppercase)
}

/// Whether a word often opens a sentence, so that its capital tells nothing even before a name.
fn opens(lower: &str) -> bool {
    is_stop_word(lower) || lower.ends_with("ly")
}

fn is_negation(lower: &str) -> bool {
    NEGATION_WORDS.contains(lower) || lower.ends_with("n't")
}

/// Whether `word` is `other` with a prefix that negates it.
fn negates_prefix(word: &str, other: &str) -> bool {
    other.chars().count() > 3
        && ["un", "in", "im", "il", "ir", "dis", "non", "non-"]
            .iter()
            .any(|prefix| word.strip_prefix(prefix) == Some(other))
}
