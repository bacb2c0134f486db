//! What sentences say as they stand: without what is struck out, and without boxes that nobody ticked.
//!
//! Every reader writes struck text between `~~` and `~~`, and a box before its label: `☑` or `☐`, in Markdown `[x]` or `[ ]`.

/// What is struck begins and ends with this.
const STRIKE: &str = "~~";
const TICKED: [&str; 3] = ["☑", "[x]", "[X]"];
const UNTICKED: [&str; 2] = ["☐", "[ ]"];
/// A box of a form that is not ticked says so itself: "Badge: ☐ no".
const DENIES: &str = "no";

/// The sentences of a passage without what does not hold; one of which nothing holds is empty.
pub(super) fn standing<'s>(sentences: impl Iterator<Item = &'s str>) -> Vec<String> {
    let mut is_struck = false;
    sentences.map(|sentence| chosen(&unstruck(sentence, &mut is_struck))).collect()
}

/// The task of a list that a sentence is, if its box is not ticked.
pub(super) fn open_task(sentence: &str) -> Option<&str> {
    let task = UNTICKED
        .iter()
        .find_map(|sign| sentence.trim_start_matches(['-', '*', '+', ' ']).strip_prefix(sign))?;
    (!TICKED.iter().chain(&UNTICKED).any(|sign| task.contains(sign))).then(|| task.trim())
}

/// A sentence without its struck parts. `is_struck` says whether one goes on from the sentence before, and into the next.
fn unstruck(sentence: &str, is_struck: &mut bool) -> String {
    let mut kept = String::new();
    let mut rest = sentence;
    while let Some(at) = rest.find(STRIKE) {
        let (before, after) = (&rest[..at], &rest[at + STRIKE.len()..]);
        // The passage may begin within a struck part.
        let ends =
            before.ends_with(|c: char| !c.is_whitespace()) && !after.starts_with(char::is_alphanumeric);
        if *is_struck || ends && kept.is_empty() {
            *is_struck = false;
        } else {
            kept.push_str(before);
            *is_struck = true;
        }
        rest = after;
    }
    if !*is_struck {
        kept.push_str(rest);
    }
    kept
}

/// A sentence without the boxes that are not ticked, up to the next box, and without the signs of those that are. A form's
/// "Badge: ☐ no" is read as "no Badge".
fn chosen(sentence: &str) -> String {
    if let Some((label, end)) = sentence.split_once(UNTICKED[0])
        && end.trim_end_matches('.').trim().eq_ignore_ascii_case(DENIES)
        && !TICKED.iter().chain(&UNTICKED).any(|sign| label.contains(sign))
    {
        return format!("{DENIES} {}", label.trim().trim_end_matches(':'));
    }
    let mut kept = String::new();
    let mut rest = sentence;
    let mut holds = true;
    loop {
        let next = TICKED.iter().chain(&UNTICKED).filter_map(|sign| Some((rest.find(sign)?, *sign))).min();
        let (part, sign) = next.map_or((rest, None), |(at, sign)| (&rest[..at], Some(sign)));
        if holds {
            kept.push_str(part);
        }
        let Some(sign) = sign else { return kept.trim().to_owned() };
        holds = TICKED.contains(&sign);
        rest = rest[part.len() + sign.len()..].trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::standing;

    #[test]
    fn what_is_struck_or_not_ticked_does_not_hold() {
        for (sentences, held) in [
            (&["~~The pump was sold.~~ The pump is kept."][..], &["The pump is kept."][..]),
            (&["~~One is sold.", "Two is sold.~~", "Three is kept."], &["", "", "Three is kept."]),
            (&["Two is sold.~~ Three is kept."], &["Three is kept."]),
            (&["The fee is ~~6~~ 8 euros."], &["The fee is  8 euros."]),
            (&["[ ] Call the glazier", "[x] Order the putty"], &["", "Order the putty"]),
            (&["☐ Pets allowed", "☑ Garden"], &["", "Garden"]),
            (&["Heating: ☐ gas ☑ oil"], &["Heating: oil"]),
            (&["Badge: ☐ no", "Car: ☑ yes"], &["no Badge", "Car: yes"]),
        ] {
            assert_eq!(standing(sentences.iter().copied()), held, "{sentences:?}");
        }
    }
}
