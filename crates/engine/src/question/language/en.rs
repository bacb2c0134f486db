//! Function words of English.

use super::function_words::FunctionWords;

pub(super) const WORDS: FunctionWords = FunctionWords {
    definite: "the",
    indefinite: "a an",
    determiners: "my our your his her its their this that these those all any some every each",
    negations: "no not never none nobody nothing neither nor without cannot hardly",
};
