//! Function words of Spanish.

use super::function_words::FunctionWords;

pub(super) const WORDS: FunctionWords = FunctionWords {
    definite: "el la los las lo",
    indefinite: "un una unos unas",
    determiners: "mi mis nuestro nuestra nuestros nuestras su sus este esta estos estas todos todas",
    negations: "nunca ningún ninguna sin",
};
