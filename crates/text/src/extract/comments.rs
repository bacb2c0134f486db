//! Removes the comments of text formats such as Markdown and LaTeX, which are not part of the rendered document.

/// Maximum number of backticks before inline code.
const MAX_TICKS: usize = 8;

/// Removes Markdown comments: `<!-- … -->`, Obsidian's `%% … %%` and `[//]: # (…)`, except in code.
pub(super) fn without_markdown(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    let mut fence: Option<String> = None;
    let mut missing = Missing::default();
    while !rest.is_empty() {
        let end = rest.find('\n').map_or(rest.len(), |end| end + 1);
        let line = &rest[..end];
        let sign = fence_of(line);
        let closes = fence
            .as_deref()
            .zip(sign)
            .is_some_and(|(open, sign)| sign.starts_with(open) && line.trim() == sign);
        if fence.is_some() || sign.is_some() {
            match &fence {
                Some(_) if closes => fence = None,
                Some(_) => {}
                None => fence = sign.map(str::to_owned),
            }
            kept.push_str(line);
            rest = &rest[end..];
        } else if is_reference(line) {
            rest = &rest[end..];
        } else {
            rest = line_of_markdown(rest, end, &mut kept, &mut missing);
        }
    }
    kept
}

/// Marks that do not occur in the rest of the text, so that it is not searched for them again.
#[derive(Default)]
struct Missing {
    arrow: bool,
    percents: bool,
}

/// Copies a line up to its end, or up to the end of a comment that begins in it. Returns the rest of the text.
fn line_of_markdown<'t>(text: &'t str, end: usize, kept: &mut String, missing: &mut Missing) -> &'t str {
    let line = &text[..end];
    let mut at = 0;
    while let Some(found) = line[at..].find(['`', '<', '%']) {
        let start = at + found;
        let here = &text[start..];
        if here.starts_with('`') {
            // Inline code ends with as many backticks as it begins with.
            let ticks = here.len() - here.trim_start_matches('`').len();
            let inside = &line[start + ticks..];
            let close = (ticks <= MAX_TICKS)
                .then(|| inside.find(&here[..ticks]))
                .flatten()
                .map_or(0, |close| close + ticks);
            at = start + ticks + close;
        } else if here.starts_with("<!--") && !missing.arrow {
            match here[4..].find("-->") {
                Some(close) => {
                    kept.push_str(&text[..start]);
                    return &here[4 + close + 3..];
                }
                None => missing.arrow = true,
            }
        } else if here.starts_with("%%")
            && !missing.percents
            && !line[..start].ends_with(char::is_alphanumeric)
        {
            match here[2..].find("%%") {
                Some(close) => {
                    kept.push_str(&text[..start]);
                    return &here[2 + close + 2..];
                }
                None => missing.percents = true,
            }
        } else {
            at = start + 1;
        }
    }
    kept.push_str(line);
    &text[end..]
}

/// The characters that begin or end a fenced code block.
fn fence_of(line: &str) -> Option<&str> {
    let line = line.trim_start_matches([' ', '>']).trim_end();
    let sign = line.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let count = line.len() - line.trim_start_matches(sign).len();
    let is_inline = sign == '`' && line[count..].contains('`');
    (count >= 3 && !is_inline).then(|| &line[..count])
}

/// Whether a line is a link definition without a target, which some people use for comments.
fn is_reference(line: &str) -> bool {
    let target = line
        .strip_prefix("[//]:")
        .or_else(|| line.strip_prefix("[comment]:"))
        .or_else(|| line.strip_prefix("[_]:"));
    target.is_some_and(|target| target.trim_start().starts_with(['#', '<']))
}

/// Removes the comments of Org mode: lines, blocks and trees.
pub(super) fn without_org(text: &str) -> String {
    let mut block = false;
    // The level of a heading whose tree is a comment.
    let mut tree: Option<usize> = None;
    let mut listing = false;
    kept(text, |line| {
        let bare = line.trim();
        let mark = bare.to_ascii_lowercase();
        if listing {
            listing = !mark.starts_with("#+end_");
            return tree.is_none();
        }
        listing = mark.starts_with("#+begin_src") || mark.starts_with("#+begin_example");
        if block {
            block = !mark.starts_with("#+end_comment");
            return false;
        }
        let words = line.trim_start_matches('*');
        let level = line.len() - words.len();
        if level > 0 && words.starts_with(' ') {
            tree = tree.filter(|above| level > *above);
            if tree.is_none() && words.split_whitespace().next() == Some("COMMENT") {
                tree = Some(level);
            }
        }
        block = mark.starts_with("#+begin_comment");
        !(block || tree.is_some() || bare == "#" || bare.starts_with("# "))
    })
}

/// Removes the comments of AsciiDoc: lines and blocks.
pub(super) fn without_asciidoc(text: &str) -> String {
    let mut block = false;
    // The delimiter of an open source code block.
    let mut listing: Option<&str> = None;
    kept(text, |line| {
        let bare = line.trim_end();
        if listing.is_some() {
            listing = listing.filter(|open| *open != bare);
            return true;
        }
        if bare.len() >= 4 && bare.bytes().all(|byte| byte == b'/') {
            block = !block;
            return false;
        }
        if !block
            && bare.len() >= 4
            && (bare.bytes().all(|byte| byte == b'-') || bare.bytes().all(|byte| byte == b'.'))
        {
            listing = Some(bare);
        }
        !(block || (line.starts_with("//") && !line.starts_with("///")))
    })
}

/// Removes the comments of reStructuredText: `.. ` without a directive, footnote or target, and the indented lines
/// below.
pub(super) fn without_rst(text: &str) -> String {
    let mut inside: Option<usize> = None;
    kept(text, |line| {
        let indent = line.len() - line.trim_start().len();
        let bare = line.trim();
        if let Some(above) = inside {
            if bare.is_empty() || indent > above {
                return bare.is_empty();
            }
            inside = None;
        }
        let said =
            bare.strip_prefix("..").filter(|said| said.is_empty() || said.starts_with(' ')).map(str::trim);
        let is_comment = said.is_some_and(|said| {
            !(said.starts_with(['[', '_', '|'])
                || said.split("::").next().is_some_and(|name| name.len() < said.len() && is_directive(name)))
        });
        inside = is_comment.then_some(indent);
        !is_comment
    })
}

fn is_directive(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.' | '+'))
}

/// Removes the comments of LaTeX: `%` to the end of the line, `\iffalse … \fi` and `comment`, except in verbatim text.
pub(super) fn without_latex(text: &str) -> String {
    const VERBATIM: [&str; 5] = ["verbatim", "lstlisting", "minted", "alltt", "Verbatim"];
    let mut printed: Option<&str> = None;
    let mut block = false;
    // The number of open conditions inside an `\iffalse`.
    let mut never = 0_usize;
    let mut kept = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if let Some(name) = printed {
            kept.push_str(line);
            printed = printed.filter(|_| !line.contains(&format!("\\end{{{name}}}")));
            continue;
        }
        if block {
            block = !line.contains("\\end{comment}");
            continue;
        }
        if line.trim_start().starts_with("\\begin{comment}") {
            block = !line.contains("\\end{comment}");
            continue;
        }
        printed = VERBATIM.into_iter().find(|name| {
            let begun = line
                .find(&format!("\\begin{{{name}}}"))
                .or_else(|| line.find(&format!("\\begin{{{name}*}}")));
            begun.is_some_and(|at| !line[..at].contains('%') && !line[at..].contains("\\end{"))
        });
        line_of_latex(line, &mut never, &mut kept);
    }
    kept
}

/// Commands that look like conditions but have no `\fi`.
const NO_CONDITIONS: [&str; 8] = [
    "\\iff",
    "\\ifthenelse",
    "\\iftoggle",
    "\\ifbool",
    "\\ifblank",
    "\\ifstrequal",
    "\\ifstrempty",
    "\\ifdef",
];

fn line_of_latex(line: &str, never: &mut usize, kept: &mut String) {
    let mut rest = line;
    while let Some(at) = rest.find(['\\', '%']) {
        let (before, here) = rest.split_at(at);
        if *never == 0 {
            kept.push_str(before);
        }
        if here.starts_with('%') {
            // A line that is only a comment is removed whole: an empty line would end the paragraph.
            let is_whole = before.trim().is_empty() && rest.len() == line.len();
            if *never == 0 && !is_whole && line.ends_with('\n') {
                kept.push('\n');
            }
            return;
        }
        let end = here[1..].find(|c: char| !c.is_ascii_alphabetic()).map_or(here.len(), |end| end + 1);
        let command = &here[..end];
        let is_condition = command.starts_with("\\if") && !NO_CONDITIONS.contains(&command);
        if *never > 0 {
            *never = match command {
                "\\fi" => *never - 1,
                "\\else" if *never == 1 => 0,
                _ if is_condition => *never + 1,
                _ => *never,
            };
            rest = &here[end + verbatim(command, &here[end..])..];
            continue;
        }
        if command == "\\iffalse" {
            *never = 1;
            rest = &here[end..];
            continue;
        }
        let printed = end + verbatim(command, &here[end..]);
        kept.push_str(&here[..printed]);
        rest = &here[printed..];
    }
    if *never == 0 {
        kept.push_str(rest);
    }
}

/// The number of bytes after a command that are copied verbatim.
fn verbatim(command: &str, after: &str) -> usize {
    match command {
        // An escaped character.
        "\\" => after.chars().next().map_or(0, char::len_utf8),
        "\\verb" | "\\lstinline" => {
            let Some(sign) = after.chars().next() else { return 0 };
            let start = sign.len_utf8();
            after[start..].find(sign).map_or(0, |end| start + end + start)
        }
        "\\url" | "\\href" | "\\path" => {
            after.strip_prefix('{').and_then(|inside| inside.find('}')).map_or(0, |end| end + 2)
        }
        _ => 0,
    }
}

/// The lines of a text for which `is_kept` is true.
fn kept<'t>(text: &'t str, mut is_kept: impl FnMut(&'t str) -> bool) -> String {
    text.split_inclusive('\n').filter(|line| is_kept(line.trim_end_matches(['\n', '\r']))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_of_markdown_go_and_code_stays() {
        let text = "A %% no\n\nno %% b <!-- no\n-->c\n[//]: # (no)\n`%% x` 5%% and 6%%\n```\n%% kept %%\n<!-- kept -->\n```\n%% alone\n";
        assert_eq!(
            without_markdown(text),
            "A  b c\n`%% x` 5%% and 6%%\n```\n%% kept %%\n<!-- kept -->\n```\n%% alone\n"
        );
        for plain in ["", "~~~\n%%\n", "``` a ``` <!-- b", "% % < ` ``"] {
            assert_eq!(without_markdown(plain), plain);
        }
        assert!(without_markdown(&"<!-- ".repeat(200_000)).starts_with("<!--"));
    }

    #[test]
    fn comments_of_other_markup_go() {
        assert_eq!(
            without_org(
                "* A\n# no\n#+TITLE: x\n#+BEGIN_COMMENT\nno\n#+END_COMMENT\n* COMMENT no\n** no\n* B\n- [ ] c\n"
            ),
            "* A\n#+TITLE: x\n* B\n- [ ] c\n"
        );
        assert_eq!(
            without_asciidoc("a\n// no\n////\nno\n////\n----\n// kept\n----\n/// b\n"),
            "a\n----\n// kept\n----\n/// b\n"
        );
        assert_eq!(
            without_rst(
                "a\n\n.. no\n   no\n\n.. note:: kept\n   kept\n\n.. [1] kept\n.. _t: x\n..\n   no\nb\n"
            ),
            "a\n\n\n.. note:: kept\n   kept\n\n.. [1] kept\n.. _t: x\nb\n"
        );
    }

    #[test]
    fn comments_of_latex_go() {
        let text = "5\\% here % no\n% no\nb\\iffalse no \\ifx no\\fi no\n\\fi c\n\\begin{comment}\nno\n\\end{comment}\n\\verb|%| \\url{a%20b} \\\\%no\n\\begin{verbatim}\n% kept\n\\end{verbatim}\n";
        assert_eq!(
            without_latex(text),
            "5\\% here \nb c\n\\verb|%| \\url{a%20b} \\\\\n\\begin{verbatim}\n% kept\n\\end{verbatim}\n"
        );
        without_latex("\\iffalse \\ä \\");
        without_latex("\\\u{e4}\\");
    }
}
