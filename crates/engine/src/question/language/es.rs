//! Function words of Spanish.

use super::function_words::FunctionWords;

pub(super) const WORDS: FunctionWords = FunctionWords {
    definite: "el la los las lo",
    indefinite: "un una unos unas",
    determiners: "mi mis nuestro nuestra nuestros nuestras su sus este esta estos estas todos todas",
    negations: "nunca ningún ninguna sin",
    who: "quién quiénes",
    when: "cuándo",
    which: "qué cuál cuáles",
    numbers: "un/una dos tres cuatro cinco seis siete ocho nueve diez once doce",
    weekdays: "lunes martes miércoles jueves viernes sábado domingo",
    stop_in_claims: "el la los las un una y o es son fue con por para en al del su sus lo aproximadamente unos",
};
