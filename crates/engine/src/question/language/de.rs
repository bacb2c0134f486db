//! Function words of German.

use super::function_words::FunctionWords;

pub(super) const WORDS: FunctionWords = FunctionWords {
    definite: "der die das den dem des",
    indefinite: "ein eine einen einem einer eines",
    determiners: "mein meine meinen meiner meinem unser unsere unseren unserer unserem ihr ihre ihren ihrer ihrem sein \
        seine seinen seiner seinem dieser diese dieses diesen diesem alle aller allen sämtliche jede jeden \
        jedes jedem jeder jeweils",
    negations: "kein keine keinen keinem keiner keines nicht nie niemals ohne weder",
};
