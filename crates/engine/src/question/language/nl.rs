//! Function words of Dutch.

use super::function_words::FunctionWords;

pub(super) const WORDS: FunctionWords = FunctionWords {
    definite: "de het",
    indefinite: "een",
    determiners: "mijn onze ons deze dit alle elk elke",
    negations: "geen niet nooit zonder",
    when: "wanneer",
    which: "welk welke",
    numbers: "- twee drie vier vijf zes zeven acht negen tien elf twaalf",
    weekdays: "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    stop_in_claims: "ongeveer",
    who: "",
};
