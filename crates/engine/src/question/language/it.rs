//! Function words of Italian.

use super::function_words::FunctionWords;

pub(super) const WORDS: FunctionWords = FunctionWords {
    definite: "il lo la i gli le",
    indefinite: "un uno una",
    determiners: "mio mia nostro nostra nostri nostre suo sua questo questa questi queste tutti tutte",
    negations: "non nessun nessuna senza",
    who: "chi",
    numbers: "un/una due tre quattro cinque sei sette otto nove dieci undici dodici",
    weekdays: "lunedì martedì mercoledì giovedì venerdì sabato domenica",
    when: "",
    which: "quale quali che",
    stop_in_claims: "",
};
