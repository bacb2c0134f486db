//! Function words of English.

use super::function_words::{FunctionWords, MoreWords};

pub(super) const WORDS: FunctionWords = FunctionWords {
    definite: "the",
    indefinite: "a an",
    determiners: "my our your his her its their this that these those all any some every each",
    negations: "no not never none nobody nothing neither nor without cannot hardly",
    who: "who whom whose",
    when: "when",
    which: "what which",
    numbers: "one two three four five six seven eight nine ten eleven twelve",
    weekdays: "monday tuesday wednesday thursday friday saturday sunday",
    stop_in_claims: "according document documents he her hers him his however instead it its itself passage question she their \
        them themselves these they this those though thus whereas answer stated approximately roughly around",
};

pub(super) const MORE: MoreWords = MoreWords {
    asking: "what which where why how",
    auxiliaries: "am are can could did do does had has have is may might must shall should was were will would",
    personal_pronouns: "they them their theirs themselves he him his himself she her hers herself",
    other_pronouns: "it its itself this these those",
    possessives: "its their his her",
    conjunctions: "and but or",
    prepositions: "in on at for from since until before after during by with without",
    stop: "about also and any are as at be been being but by can could did do does during either for from had has have how i if \
        in into is me my of on or our out over say says so some such than that then there to too was we were what when where \
        which while who whom whose why will with would yet you your",
    stop_in_questions: "after again all already am ask before doing each else ever exactly get gets give given having just \
        kind let like long many may mean means might more most much must now often only other please really said shall should \
        show since soon still tell under until up upon us well whether without yes",
};
