//! Function words of Portuguese.

use super::function_words::FunctionWords;

pub(super) const WORDS: FunctionWords = FunctionWords {
    definite: "o os as",
    indefinite: "um uma",
    determiners: "meu minha nosso nossa nossos nossas seu sua este esta todos todas",
    negations: "não nunca nenhum nenhuma sem",
    who: "quem",
    numbers: "um dois/duas três quatro cinco seis sete oito nove dez onze doze",
    weekdays: "- - - - - sábado domingo",
    when: "",
    which: "qual quais",
    stop_in_claims: "",
};
