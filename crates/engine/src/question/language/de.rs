//! Function words of German.

use super::function_words::{FunctionWords, MoreWords};

pub(super) const WORDS: FunctionWords = FunctionWords {
    definite: "der die das den dem des",
    indefinite: "ein eine einen einem einer eines",
    determiners: "mein meine meinen meiner meinem unser unsere unseren unserer unserem ihr ihre ihren ihrer ihrem sein \
        seine seinen seiner seinem dieser diese dieses diesen diesem alle aller allen sämtliche jede jeden \
        jedes jedem jeder jeweils",
    negations: "kein keine keinen keinem keiner keines nicht nie niemals ohne weder",
    who: "wer wen wem wessen",
    when: "wann",
    which: "welcher welche welches welchem welchen",
    numbers: "ein/einem/einer/einen zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    weekdays: "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    stop_in_claims: "es er sie ihr seine ihre durch rund ungefähr circa ca",
};

pub(super) const MORE: MoreWords = MoreWords {
    asking: "was wo warum wie wieso weshalb",
    auxiliaries: "darf dürfen gab gibt habe haben hat hatte hatten ist kann kannst können könnte muss müssen sind soll sollen \
        sollte war waren wird werden wurde wurden",
    personal_pronouns: "er ihn ihm ihnen sie ihr ihre ihrem ihren ihrer ihres seine seinem seinen seiner seines deren dessen",
    other_pronouns: "es dies diese diesem diesen dieser dieses jene jenem jenen jener jenes dort dabei dadurch dafür dagegen \
        damals daran darauf daraus darin darüber davon dazu",
    possessives: "ihre ihrem ihren ihrer ihres seine seinem seinen seiner seines",
    conjunctions: "und aber oder",
    prepositions: "im am für seit ab bis vor nach bei mit ohne",
    stop: "als am an auch auf aus bei dass etwa für haben hat hatte im in ist mit nach oder sein sich sind um und vom von war \
        waren werden wie wir wird wurde wurden zu zum zur über",
    stop_in_questions: "aber alle also beim bis bitte da dann denn doch du dürfen erzähl etwas gab geht genau gewesen gib \
        gibt hab habe hast hoch hatten ich ins jetzt kann kannst können könnte man mehr mein meine meinen mich mir muss noch nun \
        nur ob ohne sag sagt schon sehr seit so soll sollen sollte uns unser unsere unter viel viele vor wann warum was welche \
        welchem welchen welcher welches wem wen wenn wer weshalb wessen wieso wieviel wo wofür woher wohin womit worüber",
};
