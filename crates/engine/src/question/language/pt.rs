//! Function words of Portuguese.

use super::function_words::FunctionWords;

pub(super) const WORDS: FunctionWords = FunctionWords {
    definite: "o os as",
    indefinite: "um uma",
    determiners: "meu minha nosso nossa nossos nossas seu sua este esta todos todas",
    negations: "não nunca nenhum nenhuma sem",
};
