//! The words by which a question asks for an answer of a kind, and those of such answers. `+` joins words that follow one another.

/// Words before which "how" asks for a number in English.
pub(super) const MEASURES: &str = "many much old tall high far fast deep wide large big heavy thick hot cold";
/// Questions for a number in one word, and in two that are joined.
pub(super) const COUNTS: &str = "wieviel wieviele combien cuánto cuánta cuántos cuántas quanto quanta quanti quante quantos quantas hoeveel";
pub(super) const PAIRS_OF_NUMBERS: &str = "wie+viel wie+viele wie+vielen wie+hoch wie+alt wie+groß wie+weit wie+schnell wie+tief wie+breit \
    wie+schwer wie+teuer hoe+veel hoe+hoog hoe+oud hoe+groot hoe+duur à+combien";
pub(super) const PAIRS_OF_TIMES: &str =
    "how+long how+soon wie+lange hoe+lang combien+de+temps cuánto+tiempo quanto+tempo";
/// What has a number or a code of its own, before that word.
pub(super) const NUMBERED: &str = "serial policy invoice order account part model registration reference case licence license customer contract batch \
    article item tracking member membership passport";
pub(super) const CODES: &str = "number numbers no code codes id ids";
/// The same as one word, by its ending, and what ends so and may be short.
pub(super) const NUMBERED_ENDINGS: [&str; 2] = ["nummer", "nummern"];
pub(super) const SHORT_NUMBERS: &str =
    "nummer nummern telefonnummer hausnummer zimmernummer seitennummer durchwahlnummer";
/// Digits of a code without letters, at least.
pub(super) const MIN_CODE_DIGITS: usize = 4;
/// Words of a name, at most, if there is a number among them: more are a row of a table.
pub(super) const MAX_WORDS_OF_NAME: usize = 4;
/// A question word and a noun that ask for a number, and for a day. In English the noun must end there: "what date format" asks for none.
pub(super) const PAIRS_OF_NUMBER_NOUNS: &str = "what+year which+year what+percentage which+percentage what+percent what+proportion what+fraction \
    welches+jahr welchem+jahr welchen+jahren welcher+prozentsatz welchem+prozentsatz quelle+année quel+pourcentage qué+año qué+porcentaje \
    quale+anno che+anno quale+percentuale welk+jaar welk+percentage qual+ano qual+porcentagem";
pub(super) const PAIRS_OF_DAY_NOUNS: &str = "what+date which+date what+day which+day what+month which+month what+time welcher+tag welchem+tag welchen+tag \
    welches+datum welchem+datum welcher+monat welchem+monat welchen+monat quelle+date quel+jour quel+mois quelle+heure qué+fecha qué+día \
    qué+mes qué+hora quale+data quale+giorno che+giorno quale+mese welke+dag welke+datum welke+maand qual+data qual+dia qual+mês";
/// A question begins so if it asks for the value of what it names, and so if it asks which one that is.
pub(super) const VALUE_QUESTIONS: &str = "what+is what+are what+was what+were wie+lautet wie+lauten wie+ist was+ist quel+est quelle+est quels+sont quelles+sont \
    cuál+es cuáles+son qual+è quali+sono wat+is qual+é";
pub(super) const PAIRS_OF_FREQUENCIES: &str =
    "how+often how+frequently wie+oft wie+häufig hoe+vaak à+quelle+fréquence con+qué+frecuencia quante+volte";
/// How often something happens, without a number. "Every ... seconds" needs one.
pub(super) const FREQUENCIES: &str = "hourly daily nightly weekly fortnightly biweekly monthly quarterly yearly annually never always seldom rarely occasionally regularly \
    continuously hour day night morning afternoon evening week fortnight month quarter year once twice spring summer autumn winter \
    stündlich täglich nächtlich wöchentlich vierzehntäglich monatlich vierteljährlich halbjährlich jährlich nie immer selten regelmäßig einmal zweimal stunde tag \
    nacht morgen abend woche monat quartal jahr jour semaine mois fois toujours jamais día semana año siempre nunca vez giorno \
    settimana mese anno sempre mai dag maand jaar altijd nooit keer";
pub(super) const TELEPHONE_NUMBERS: &str = "phone+number phone+numbers telephone+number telephone+numbers mobile+number mobile+numbers cell+number fax+number \
    numéro+de+téléphone numéros+de+téléphone numéro+de+fax número+de+teléfono numero+di+telefono número+de+telefone";
pub(super) const TELEPHONE_ENDINGS: [&str; 5] =
    ["telefonnummer", "telefonnummern", "handynummer", "rufnummer", "faxnummer"];
/// Digits of a telephone number, at least.
pub(super) const MIN_TELEPHONE_DIGITS: usize = 5;
pub(super) const MAIL_ADDRESSES: &str = "email+address email+addresses e-mail+address e-mail+addresses mail+address adresse+email adresse+e-mail adresse+mail \
    dirección+de+correo indirizzo+email indirizzo+e-mail";
pub(super) const MAIL_ENDINGS: [&str; 2] = ["mailadresse", "mail-adresse"];
/// Words that ask how heavy something is, and name that in its sentence or table.
pub(super) const WEIGHTS: &str = "weigh weighs weighed weighing weight weights wiegt wiegen wog wogen gewicht pèse pèsent poids pesa pesan peso pesano weegt wegen";
pub(super) const WEIGHT_NOUNS: &str = "weight weights gewicht poids peso";
pub(super) const PAIRS_OF_WEIGHTS: &str = "how+heavy hoe+zwaar";
/// Words before which a word for weight asks for an amount.
pub(super) const AMOUNTS: &str = "how+much wie+viel wie+hoch wie+groß hoe+veel";
pub(super) const UNITS_OF_WEIGHT: &str = "g kg mg t lb lbs oz gram grams gramme grammes gramm gramo gramos grammi gramas milligram milligrams milligramm kilo kilos kilogram kilograms \
    kilogramm kilogramme kilogrammes kilogramo kilogramos pound pounds ounce ounces ton tons tonne tonnes tonnen tonnellate toneladas stone pfund zentner livre livres";
/// Numbers that are also other words, and what is said where there is none; counted only among the first two words.
pub(super) const OTHER_NUMBERS: &str = "one zero no none all everything nothing quarter third double every alles nichts tout rien todo nada both half once twice ein eine einen einer kein keine keinen beide halb un une aucun \
    aucune uno una ninguno nessuno een geen um uma nenhum";
/// What says when something is, without a number.
pub(super) const TIMES: &str = "after before during since when while once at on in by every each next last following upon from then now soon later \
    today tomorrow yesterday daily weekly monthly quarterly yearly annually never morning noon afternoon evening night midnight dawn \
    spring summer autumn fall winter christmas easter week month quarter year end beginning nach vor während seit wenn sobald an am im in bei \
    jeden jede jedes jeder nächste nächsten letzte letzten ab heute morgen gestern täglich wöchentlich monatlich jährlich nie morgens mittags \
    abends nachts frühling frühjahr sommer herbst winter weihnachten ostern woche monat quartal jahr ende anfang \
    après avant pendant depuis en à le chaque después antes durante desde cada dopo prima ogni na voor \
    tijdens elke depois todo";
/// How long something lasts without a number.
pub(super) const OTHER_TIMES: &str = "until till forever indefinitely permanently overnight always lifetime life unlimited immediately bis unbefristet \
    immer dauerhaft lebenslang sofort jusqu jusqu'à toujours hasta siempre fino sempre tot altijd até";

/// Amounts that say nothing, and words that may stand beside them.
pub(super) const VAGUE: &str = "several multiple various many some more few different mehrere verschiedene einige viele manche plusieurs divers quelques varios varias \
    algunos algunas diversi diverse alcuni alcune verschillende enkele veel vários várias alguns algumas";
pub(super) const BESIDE_VAGUE: &str =
    "one two or and a an the ein eine oder und die un une ou et des uno una o y e een of en um uma";
