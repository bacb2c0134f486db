use proptest::prelude::*;

use super::*;
use crate::answer::grounding::words::Word;

/// The first number of a text.
fn read(text: &str) -> Quantity {
    Word::all(text).iter().find_map(Word::number).unwrap_or_else(|| panic!("no number in {text}"))
}

/// Whether two texts begin with the same number, whichever of them is the claim.
fn are_same(one: &str, other: &str) -> bool {
    read(one).equals(&read(other))
}

#[test]
fn a_number_is_the_same_in_every_form() {
    for (one, other) in [
        // English
        ("12,512 people", "12512 people"),
        ("1.5 million people", "1,500,000 people"),
        ("2.4m customers", "2.4 million customers"),
        ("twelve hours", "12 hours"),
        ("seventy-two hours", "72 hours"),
        ("the 135th meridian", "the 135 meridian"),
        ("5 % of it", "5 percent of it"),
        ("5 per cent of it", "5%"),
        ("$20 million", "20 million dollars"),
        ("USD 20", "$20"),
        ("$1.2bn", "1,200,000,000 dollars"),
        ("12,34,567 rupees", "1234567 rupees"),
        ("more than 12,000 people", "12,512 people"),
        ("about 12,500 people", "12,512 people"),
        ("nearly 13,000", "12,512"),
        ("more than $ 12,000", "$12,512"),
        ("a dam of 1.200 m", "a dam of 1,200 m"),
        ("a gate of 1.250 t", "a gate of 1.25 t"),
        ("0.5 percentage points", "0.5 percentage point"),
        ("20,000", "20 000"),
        // German
        ("1.250 Euro", "1,250 euros"),
        ("1250 Euro", "1.250,00 Euro"),
        ("die Miete von 1.250,- Euro", "1250 Euro"),
        ("3.000,– Euro", "3000 Euro"),
        ("2,4 Prozent", "2.4 percent"),
        ("rund 12,3 Millionen Euro", "12.345.678,90 Euro"),
        ("mehr als 12.000 Leute", "12.512 Leute"),
        ("1,5 Mio. Euro", "1.500.000 Euro"),
        ("3 Mrd. Euro", "3.000.000.000 Euro"),
        ("die Frist von drei Monaten und das Ende", "die Frist von 3 Monaten"),
        ("das sind zweiundsiebzig Stunden", "72 Stunden"),
        ("0,5 Prozentpunkte", "0,5 %-Punkte"),
        ("Fr. 4'800.50", "4800,50 Franken"),
        ("Fr. 4’800.50", "4800.50 Franken"),
        ("das Gewicht ist 1.250 kg", "1250 kg"),
        // French
        ("1\u{202f}250,50 euros", "1250,50 euros"),
        ("1\u{a0}250,50 euros", "1250.50 euros"),
        ("1 250 000 euros", "1,25 million euros"),
        ("2 milliards d'euros", "2.000.000.000"),
        ("dans les douze mois et pour une dame", "dans les 12 mois"),
        ("il est dans la rue depuis vingt-deux ans", "22 ans"),
        ("5 pour cent", "5 %"),
        // Spanish
        ("1.250.000 euros", "1,25 millones de euros"),
        ("12 por ciento", "12 %"),
        ("los doce meses de la casa y el pan", "los 12 meses"),
        ("más de 12.000 personas", "12.512 personas"),
        // Italian
        ("1.250,50 euro", "1250,50 euro"),
        ("3 milioni di euro", "3.000.000 euro"),
        ("il 12 per cento", "il 12%"),
        ("è la casa che ha due mesi", "è la casa che ha 2 mesi"),
        // Dutch
        ("€ 1.250,-", "1250 euro"),
        ("2,5 miljoen euro", "2.500.000 euro"),
        ("het huis van de man met twee maanden", "het huis van 2 maanden"),
        ("12 procent", "12%"),
        // Portuguese
        ("1.250,50 euros", "1250.50 euros"),
        ("2 milhões de euros", "2.000.000 euros"),
        ("12 por cento", "12%"),
    ] {
        assert!(are_same(one, other), "{one} / {other}: {:?} {:?}", read(one), read(other));
    }
}

#[test]
fn another_number_is_another() {
    for (one, other) in [
        ("12,512 people", "12,513 people"),
        ("5 km", "5 miles"),
        ("5%", "15%"),
        ("more than 13,000 people", "12,512 people"),
        ("12,000 people", "12,512 people"),
        ("$20", "€20"),
        ("20 francs", "20 euros"),
        ("5pm", "5am"),
        ("10GB", "10TB"),
        ("-5 degrees", "5 degrees"),
        ("12,5 Prozent", "125 Prozent"),
        ("over 500 people", "under 500 people"),
        ("1,25 Euro", "1.250 Euro"),
        ("1,25 Euro", "1.250,00 Euro"),
        ("3 Euro", "3.000,- Euro"),
        ("250,50 euros", "1 250,50 euros"),
        ("0.5 %", "0.5 percentage points"),
        ("0,5 %", "0,5 Prozentpunkte"),
        ("125 Euro", "1.250 Euro"),
        ("1,250 t of the load", "1.25 t of the load"),
        ("12.345.678,90 Euro", "12.345.678,91 Euro"),
    ] {
        assert!(!are_same(one, other), "{one} / {other}: {:?} {:?}", read(one), read(other));
    }
}

#[test]
fn what_is_no_number_is_none() {
    for text in ["version 3.14.1", "192.168.0.1", "3a4", "1,2,3"] {
        let words = Word::all(text);
        assert!(!words.iter().any(|word| word.number().is_some()), "{text}: {words:?}");
    }
}

/// The ways to write an amount of cents whose reading is not open.
fn forms(cents: u64) -> Vec<String> {
    let (whole, rest) = (cents / 100, cents % 100);
    let grouped = |separator: &str| {
        let digits = whole.to_string();
        let groups: Vec<&str> = digits
            .as_bytes()
            .rchunks(3)
            .rev()
            .map(|group| std::str::from_utf8(group).expect("digits are ASCII"))
            .collect();
        groups.join(separator)
    };
    let separated = [
        (",", "."),
        (".", ","),
        ("'", "."),
        ("’", "."),
        ("\u{a0}", ","),
        ("\u{202f}", ","),
        (" ", ","),
        ("", ","),
        ("", "."),
    ];
    let mut forms: Vec<String> = separated
        .iter()
        .flat_map(|(thousands, decimals)| {
            let number = format!("{}{decimals}{rest:02}", grouped(thousands));
            [format!("{number} euros"), format!("€{number}"), format!("EUR {number}")]
        })
        .collect();
    if rest == 0 {
        forms.extend([",", ".", "'", "\u{a0}"].map(|separator| format!("{} Euro", grouped(separator))));
        forms.extend([",-", ".–"].map(|end| format!("{}{end} €", grouped("."))));
    }
    forms
}

proptest! {
    #[test]
    fn a_number_equals_itself_in_any_form_and_no_other(
        cents in prop_oneof![0..200_000_u64, 0..100_000_000_000_u64, (0..10_000_000_u64).prop_map(|whole| whole * 100)],
        by in 1..1000_u64,
    ) {
        let read_all = |forms: Vec<String>| forms.into_iter().map(|form| (read(&form), form)).collect::<Vec<_>>();
        let (same, others) = (read_all(forms(cents)), read_all(forms(cents + by)));
        for (one, form) in &same {
            for (other, other_form) in &same {
                prop_assert!(one.equals(other), "{form} / {other_form}");
            }
            for (other, other_form) in &others {
                prop_assert!(!one.equals(other), "{form} / {other_form}");
            }
        }
    }
}
