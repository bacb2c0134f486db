//! What is known of the function words of a language. Lists are in lower case with blanks between the words.

/// The function words of a language.
pub(super) struct FunctionWords {
    pub definite: &'static str,
    pub indefinite: &'static str,
    /// Words in place of an article: possessives, demonstratives, "all".
    pub determiners: &'static str,
    pub negations: &'static str,
    /// Words that ask for a person, and for a time.
    pub who: &'static str,
    pub when: &'static str,
    /// Words that ask for one of several.
    pub which: &'static str,
    /// One to twelve. Slashes separate the forms of one number; a dash replaces a number that is also another word.
    pub numbers: &'static str,
    /// From Monday on; a dash replaces a day that is not known.
    pub weekdays: &'static str,
    /// Further words without content in claims.
    pub stop_in_claims: &'static str,
}

/// More of them, of a language in which questions of every kind are understood.
pub(super) struct MoreWords {
    /// Question words that ask neither for a person nor for a time.
    pub asking: &'static str,
    /// Verbs with which a text is a whole sentence.
    pub auxiliaries: &'static str,
    /// Pronouns for persons. A name before them in the same question may be their antecedent.
    pub personal_pronouns: &'static str,
    /// Words that refer to a thing or a place named before.
    pub other_pronouns: &'static str,
    /// Possessive pronouns of both lists: their antecedent is usually in the same question.
    pub possessives: &'static str,
    /// Those that may begin a follow-up question.
    pub conjunctions: &'static str,
    /// Those that begin a place, a time or a condition.
    pub prepositions: &'static str,
    /// Other words without content, and those that have none in a question alone.
    pub stop: &'static str,
    pub stop_in_questions: &'static str,
}
