//! Mailboxes: mails one after another in one file.

/// The mails of a mailbox. Each begins with a line `From ` that is followed by a header. Within mails such lines should
/// be quoted, but not every program does so.
pub(super) fn mails(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').peekable();
    let mut after_blank = true;
    let mut is_begun = false;
    std::iter::from_fn(move || {
        let mut mail = Vec::new();
        while let Some(line) = lines.next() {
            let begins = after_blank && lines.peek().is_some_and(|next| is_beginning(line, next));
            after_blank = line.trim_ascii().is_empty();
            if begins {
                if std::mem::replace(&mut is_begun, true) {
                    return Some(mail);
                }
                mail.clear();
                continue;
            }
            let bare = line.iter().position(|byte| *byte != b'>').unwrap_or(0);
            let is_quoted = bare > 0 && line[bare..].starts_with(b"From ");
            mail.extend_from_slice(&line[usize::from(is_quoted)..]);
        }
        (!mail.is_empty()).then_some(mail)
    })
}

/// Whether a line begins a mail, and is not a sentence with "From": a header follows, and the line has a date in C's
/// format, or the header is one that mails have.
fn is_beginning(line: &[u8], next: &[u8]) -> bool {
    const USUAL: [&str; 14] = [
        "from",
        "to",
        "cc",
        "subject",
        "date",
        "received",
        "return-path",
        "message-id",
        "mime-version",
        "delivered-to",
        "sender",
        "reply-to",
        "status",
        "envelope-to",
    ];
    const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    let Some(said) = line.strip_prefix(b"From ").filter(|_| is_header(next)) else { return false };
    let said = String::from_utf8_lossy(&said[..said.len().min(1000)]);
    let words: Vec<&str> = said.split_whitespace().collect();
    let is_time = |word: &&str| {
        word.split(':').count() >= 2 && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b':')
    };
    let is_dated = words.iter().any(|word| DAYS.contains(word)) && words.iter().any(is_time);
    let name = String::from_utf8_lossy(next.split(|byte| *byte == b':').next().unwrap_or_default())
        .to_ascii_lowercase();
    let is_number = words.first().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    let is_usual = USUAL.contains(&name.as_str()) || name.starts_with("x-") || name.starts_with("content-");
    is_dated || (is_usual && !is_number)
}

/// Whether a line has a header's name and a colon.
fn is_header(line: &[u8]) -> bool {
    let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
    !name.is_empty() && name.len() < line.len() && name.iter().all(u8::is_ascii_graphic)
}
