//! Function words of Dutch.

use super::function_words::FunctionWords;

pub(super) const WORDS: FunctionWords = FunctionWords {
    definite: "de het",
    indefinite: "een",
    determiners: "mijn onze ons deze dit alle elk elke",
    negations: "geen niet nooit zonder",
};
