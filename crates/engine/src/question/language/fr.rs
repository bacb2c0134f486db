//! Function words of French.

use super::function_words::FunctionWords;

pub(super) const WORDS: FunctionWords = FunctionWords {
    definite: "le la les l",
    indefinite: "un une",
    determiners: "mon ma mes notre nos votre vos leur leurs ce cet cette ces tous toutes",
    negations: "pas jamais aucun aucune sans rien",
};
