//! Function words of French.

use super::function_words::FunctionWords;

pub(super) const WORDS: FunctionWords = FunctionWords {
    definite: "le la les l",
    indefinite: "un une",
    determiners: "mon ma mes notre nos votre vos leur leurs ce cet cette ces tous toutes",
    negations: "pas jamais aucun aucune sans rien",
    who: "qui",
    when: "quand",
    which: "quel quelle quels quelles",
    numbers: "un/une deux trois quatre cinq six sept huit neuf dix onze douze",
    weekdays: "lundi mardi mercredi jeudi vendredi samedi dimanche",
    stop_in_claims: "le la les un une des du de et ou est sont était ont avec pour par dans sur au aux ce cette ces il elle ils elles nous vous \
        que qui se sa son ses leur environ",
};
