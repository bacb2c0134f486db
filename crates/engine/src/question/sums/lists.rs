//! The words of questions for a number over the rows of a table. Phrases are separated by semicolons; an asterisk stands for any
//! ending.

use crate::library::table_query::Operator;

pub(crate) const COUNT: &str = "how many; count of; count the; count all; wie viele*; wieviele*; anzahl; combien de; cuántos; cuántas; quanti; \
    quante; hoeveel; quantos; quantas";
pub(crate) const SHARE: &str = "what percentage; which percentage; percentage; what percent; percent of; what share; share of; what proportion; \
    proportion of; wie viel prozent; wieviel prozent; welcher anteil; anteil; prozentsatz";
pub(crate) const MUCH: &str = "how much; wie viel; wieviel; wie hoch";
pub(crate) const SUM: &str = "in total; sum total; sum; sums; total; totals; altogether; overall; combined; summe; gesamtsumme; insgesamt; \
    zusammen; gesamt*; somme; suma; somma; totaal; totale; soma";
pub(crate) const AVERAGE: &str = "on average; average; averages; mean; im schnitt; im durchschnitt; durchschnitt*; mittelwert; mittlere*; moyen*; \
    promedio; media; gemiddeld*; média";
pub(crate) const HIGHEST: &str = "most common; most frequent; häufigste*; highest; largest; biggest; greatest; maximum; max; top; the most; most; höchste*; größte*; grösste*; am meisten; \
    meisten; maximal*; plus élevé*; más alto; más alta; mayor; più alto; più alta; hoogste; grootste; maior";
pub(crate) const LOWEST: &str = "lowest; smallest; the least; least; minimum; min; fewest; niedrigste*; kleinste*; geringste*; am wenigsten; \
    wenigsten; minimal*; moins élevé*; más bajo; más baja; menor; più basso; più bassa; laagste";
/// Those of them that ask for a count or a sum.
pub(crate) const MOST: &str = "most meisten least fewest wenigsten wenigste";
/// Those that ask for the most frequent cell.
pub(crate) const COMMON: &str = "common frequent häufigste häufigster häufigsten";
/// First words of questions that are answered by yes or no.
pub(crate) const CHECKING: &str =
    "is are was were do does did has have ist sind war waren hat haben wird werden gibt";
/// German words of such questions.
pub(crate) const GERMAN: [&str; 5] = ["durchschnitt", "summe", "insgesamt", "anzahl", "wieviel"];
pub(crate) const DIFFERENCE: &str = "difference between; unterschied zwischen; differenz zwischen";
pub(crate) const DIFFERENT: &str = "different; distinct; unique; verschiedene*; unterschiedliche*";
/// Phrases before the number of a comparison.
pub(crate) const BEFORE: &[(Operator, &str)] = &[
    (Operator::AtMost, "no more than; not more than; at most; up to; höchstens; bis zu"),
    (
        Operator::Over,
        "more than; greater than; higher than; larger than; older than; over; above; exceeding; mehr als; höher als; größer als; älter als; über",
    ),
    (Operator::AtLeast, "at least; no less than; mindestens"),
    (
        Operator::Under,
        "less than; fewer than; lower than; smaller than; younger than; under; below; weniger als; niedriger als; kleiner als; jünger als; unter",
    ),
    (Operator::Equals, "exactly; equal to; genau"),
];
/// Phrases after the number of a comparison.
pub(crate) const BEHIND: &[(Operator, &str)] = &[
    (Operator::AtLeast, "or more; or over; or older; and over; oder mehr; oder älter"),
    (Operator::AtMost, "or less; or fewer; or under; or younger; and under; oder weniger; oder jünger"),
];

/// The kind of column that words mean without naming its head: "oldest" means an age.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sense {
    /// Its words, those for the highest number, and those for the lowest.
    words: &'static str,
    pub highest: &'static str,
    pub lowest: &'static str,
    /// Heads of such columns.
    pub heads: &'static str,
}

pub(crate) const AGE: Sense = Sense {
    words: "old; aged; alt",
    highest: "oldest; älteste*",
    lowest: "youngest; jüngste*",
    heads: "age ages alter âge edad età leeftijd idade",
};
pub(crate) const SENSES: [Sense; 7] = [
    AGE,
    Sense {
        words: "cost; costs; kostet; kosten",
        highest: "most expensive; dearest; priciest; teuerste*",
        lowest: "cheapest; least expensive; billigste*; günstigste*",
        heads: "price prices cost costs preis preise kosten prix precio prezzo prijs preço",
    },
    Sense {
        words: "weigh; weighs; wiegt; wiegen",
        highest: "heaviest; schwerste*",
        lowest: "lightest; leichteste*",
        heads: "weight gewicht poids peso gewicht",
    },
    Sense {
        words: "",
        highest: "longest; längste*",
        lowest: "shortest; kürzeste*",
        heads: "length duration länge dauer",
    },
    Sense { words: "", highest: "tallest", lowest: "", heads: "height höhe" },
    Sense {
        words: "earn; earns; earned; verdient; verdienen",
        highest: "",
        lowest: "",
        heads: "salary salaries wage wages pay income gehalt lohn einkommen",
    },
    Sense {
        words: "pay; pays; paid; spend; spends; spent; zahlt; zahlen; bezahlt; gezahlt; ausgegeben",
        highest: "",
        lowest: "",
        heads: "amount amounts betrag beträge price cost fee fees payment payments rent sum preis kosten gebühr miete",
    },
];
/// Verbs for where people live, and the heads of such columns.
pub(crate) const LIVING: (&str, &str) = (
    "live lives living lived wohnen wohnt lebt leben kommen kommt come comes",
    "city town place residence location country stadt ort wohnort land village address",
);

impl Sense {
    /// Whether a word is one of its words.
    pub(crate) fn has(self, word: &str) -> bool {
        self.words.split("; ").any(|one| one == word)
    }

    /// Whether a word may ask for one price, not for a sum: "How much does paint cost?"
    pub(crate) fn is_price(word: &str) -> bool {
        matches!(word, "cost" | "costs" | "kostet" | "kosten" | "price" | "prices" | "preis" | "preise")
    }

    /// The senses of a word.
    pub(crate) fn of(word: &str) -> impl Iterator<Item = Self> {
        SENSES.into_iter().filter(move |sense| sense.has(word))
    }
}

/// Whether a word means money.
pub(crate) fn is_currency(word: &str) -> bool {
    matches!(
        word,
        "euro" | "euros" | "eur" | "dollar" | "dollars" | "pound" | "pounds" | "franken" | "money" | "geld"
    )
}
