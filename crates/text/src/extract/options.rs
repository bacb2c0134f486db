//! The options of programs, as manuals write them: `-n, --num=N [default: 12]`.

/// The row of an option has at most so many characters.
const MAX_CHARACTERS: usize = 110;

/// Whether a row is the option of a program with its value and nothing else.
pub(super) fn is_option(row: &str) -> bool {
    let name = row.trim_start_matches(['-', '−']);
    let dashes = row[..row.len() - name.len()].chars().count();
    let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_').unwrap_or(name.len());
    let is_name =
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && (dashes == 2 || (dashes == 1 && end <= 20));
    let rest = &name[end..];
    is_name
        && (1..=2).contains(&dashes)
        && !name[..end].ends_with('-')
        && (rest.is_empty() || rest.starts_with(['=', ' ', ',', '[', '<']))
        && row.chars().count() <= MAX_CHARACTERS
        && !row.ends_with(['.', ',', ';'])
        // Words between an option and the end of the row: `-v prints the version`.
        && (rest.split_whitespace().count() <= 2 || rest.contains(['=', '[', '<', ',']))
}
