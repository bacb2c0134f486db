//! What is known of the function words of a language.

/// The function words of a language, each list in lower case with blanks between the words.
pub(super) struct FunctionWords {
    pub definite: &'static str,
    pub indefinite: &'static str,
    /// Words in place of an article: possessives, demonstratives, "all".
    pub determiners: &'static str,
    pub negations: &'static str,
}
