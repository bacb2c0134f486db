//! Recognises descriptions of command line options in manuals: `-n, --num=N [default: 12]`.

/// Maximum characters of a row with an option.
const MAX_CHARACTERS: usize = 110;

/// Whether a row consists of a command line option and its value.
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
        // A row with more words is a sentence about the option: `-v prints the version`.
        && (rest.split_whitespace().count() <= 2 || rest.contains(['=', '[', '<', ',']))
}
