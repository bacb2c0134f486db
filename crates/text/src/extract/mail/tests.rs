//! Mails and mailboxes, and the text read from them.

use super::*;

const MAIL: &str = "From: =?utf-8?q?J=C3=B6rg?= <j@example.org>\r\nTo: Ann <ann@example.org>, b@example.org\r\n\
    Date: Fri, 1 Mar 2024 11:00:00 +0100\r\nSubject: The =?utf-8?b?RMOkbW1l?=\r\nMIME-Version: 1.0\r\n\
    Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/html; charset=utf-8\r\n\r\n\
    <p>It <b>holds</b>.</p>\r\n--x\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=\"../a.txt\"\r\n\r\nno\r\n\
    --x\r\nContent-Type: application/pdf; name=plan.pdf\r\nContent-Disposition: attachment; filename=plan.pdf\r\n\
    Content-Transfer-Encoding: base64\r\n\r\nJVBERi0=\r\n--x\r\nContent-Type: message/rfc822\r\n\r\n\
    From: c@example.org\r\nSubject: Inner\r\n\r\nInner text.\r\n--x--\r\n";

#[test]
fn a_mail_has_its_head_its_text_and_its_attachments() {
    let mail = extract(MAIL.as_bytes(), &Limits::default()).unwrap().validated().unwrap();
    assert_eq!(
        mail.text,
        "From: Jörg <j@example.org>\nTo: Ann <ann@example.org>, b@example.org\nDate: Fri, 1 Mar 2024 11:00:00 +0100\n\
         Subject: The Dämme\n\nIt holds.\n\nAttachments: ../a.txt, plan.pdf, Inner.eml"
    );
    assert_eq!(mail.outline.headings[0].span.of(&mail.text), Some("Subject: The Dämme"));
    assert_eq!((mail.about.date, mail.about.to.len()), (Some(1_709_287_200), 2));
    let names: Vec<_> = mail.members.iter().map(|member| member.name.as_str()).collect();
    assert_eq!(names, ["plan.pdf", "Inner.eml"]);
    assert_eq!(mail.members[0].bytes.as_deref().unwrap(), b"%PDF-");
    let inner = extract(mail.members[1].bytes.as_ref().unwrap(), &Limits::default()).unwrap();
    assert_eq!(inner.text, "From: c@example.org\nSubject: Inner\n\nInner text.");
}

#[test]
fn the_mails_of_a_mailbox_are_members() {
    let text = format!(
        "From nobody\n\nNo head.\n\nFrom a@b.c Fri Mar  1 11:00:00 2024\nFrom: a@b.c\nSubject: One/two\n\n>From here on.\n\n\
         From there, too.\n\nFrom 2024 on: two.\nReason: good.\n\nFrom x Sat\nTo: a@b.c\n\nBare.\n\nFrom x Sat\n{MAIL}"
    );
    let mailbox = extract_box(text.as_bytes(), &Limits::default()).unwrap().validated().unwrap();
    assert_eq!(mailbox.text, "One two.eml\nmail.eml\nThe Dämme.eml\n");
    let mails: Vec<_> = mailbox.members.iter().map(|mail| mail.bytes.as_deref().unwrap()).collect();
    assert_eq!(mails[0], b"From: a@b.c\nSubject: One/two\n\nFrom here on.\n\nFrom there, too.\n\nFrom 2024 on: two.\nReason: good.\n\n");
    assert_eq!(mails[2], MAIL.as_bytes());
}

#[test]
fn a_mail_in_an_undeclared_encoding_is_guessed() {
    let bytes = b"From: a@b.c\nSubject: x\n\nDie sch\xF6ne M\xFCllerin geht \xFCber die Stra\xDFe.\n";
    let text = extract(bytes, &Limits::default()).unwrap().text;
    assert!(text.ends_with("Die schöne Müllerin geht über die Straße."), "{text}");
    let wrong = "Subject: x\nContent-Type: text/plain; charset=us-ascii\nContent-Transfer-Encoding: quoted-printable\n\nGr=C3=B6=C3=9Fe\n";
    assert!(extract(wrong.as_bytes(), &Limits::default()).unwrap().text.ends_with("Größe"));
}

#[test]
fn an_attachment_is_decoded_where_the_mail_ends_in_it() {
    let cut = MAIL.split_inclusive("JVBERi0=").next().unwrap();
    let members = extract(cut.as_bytes(), &Limits::default()).unwrap().members;
    assert_eq!((members.len(), members[0].bytes.as_deref().unwrap()), (1, &b"%PDF-"[..]));
}

#[test]
fn mails_in_mails_have_a_limit() {
    let nested = "Content-Type: message/rfc822\n\n".repeat(100_000) + "Subject: x\n\nText";
    let failure = extract(nested.as_bytes(), &Limits::default()).unwrap_err();
    assert_eq!(failure.reason, Notice::NestedTooDeeply);
}

#[test]
fn attachments_beyond_the_limit_fail() {
    let large = MAIL.replace("JVBERi0=", &"JVBERi0=".repeat(100));
    let limits = Limits { member_bytes: 300, ..Limits::default() };
    let members = extract(large.as_bytes(), &limits).unwrap().members;
    assert_eq!(members[0].bytes.as_ref().unwrap_err().code, FailureCode::TooLarge);
    assert!(members[1].bytes.is_ok());
}

#[test]
fn a_saved_page_is_read() {
    let page = "From: <Saved>\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n--x\n\
        Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n<h1>Gr=C3=B6=C3=9Fe</h1>\n--x--\n";
    let page = extract_page(page.as_bytes(), &Limits::default()).unwrap();
    assert_eq!((page.text.as_str(), page.outline.headings.len()), ("Größe", 1));
}

#[test]
fn dates_are_read_with_and_without_time() {
    assert_eq!(date("1970-01-02"), Some(86_400));
    assert_eq!(date("1970-01-01T01:00:00+01:00"), Some(0));
    assert_eq!(date("1970-01-01T00:00:01.123"), Some(1));
    assert_eq!(date("1912"), None);
}

#[test]
fn the_page_of_a_mail_is_read_with_its_quotes() {
    let mail = |plain: &str, page: &str| {
        let mail = format!(
            "From: Greta <g@b.c>\nDate: Wed, 5 Jun 2024 09:30:00 +0200\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n\
             --b\nContent-Type: text/plain; charset=utf-8\n\n{plain}\n--b\nContent-Type: text/html; charset=utf-8\n\n{page}\n--b--\n"
        );
        let text = extract(mail.as_bytes(), &Limits::default()).unwrap().validated().unwrap().text;
        text.split_once("Subject: x\n\n").unwrap().1.to_owned()
    };
    let page = "<p>Taken down on <b>Friday</b>.</p><div style='display:none'>It stays.</div>";
    assert_eq!(mail("Open it in a browser.", page), "Taken down on Friday.");
    assert_eq!(mail("Taken down on Friday.", page), "Taken down on Friday.");
    let reply = "<p>No.</p><div class=gmail_quote><div>On Tue, 4 Jun 2024 at 17:05, Tom &lt;<a href='mailto:t@b.c'>t@b.c</a>&gt; wrote:<br></div>\
        <blockquote><p>Yes?</p></blockquote></div><p>Never.</p>";
    assert_eq!(
        mail("", reply),
        "No.\n\nTom <t@b.c>, Tue, 4 Jun 2024 at 17:05:\n\nYes?\n\nGreta <g@b.c>, Wed, 5 Jun 2024 09:30:00 +0200:\n\nNever."
    );
}

#[test]
fn an_invitation_is_part_of_the_text() {
    let mail = "From: a@b.c\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nCome!\n\
        --b\nContent-Type: text/calendar; charset=utf-8; method=REQUEST\n\nBEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Feast\nDTSTART:20240612T093000Z\nEND:VEVENT\nEND:VCALENDAR\n\
        --b\nContent-Type: image/png; name=logo.png\nContent-ID: <l>\n\nx\n--b--\n";
    let text = extract(mail.as_bytes(), &Limits::default()).unwrap().text;
    assert_eq!(text, "From: a@b.c\nSubject: x\n\nCome!\n\nFeast\n\nWhen: Wednesday, 12 June 2024, 9:30 UTC");
}

#[test]
fn a_mail_of_apple_is_read() {
    let mail = "38\nFrom: a@b.c\nSubject: x\n\nThe well is.\n\n<?xml version='1.0'?><plist/>";
    let text = extract(mail.as_bytes(), &Limits::default()).unwrap().text;
    assert_eq!(text, "From: a@b.c\nSubject: x\n\nThe well is.");
}

#[test]
fn a_saved_page_has_its_style_sheets() {
    let page = "From: <Saved>\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n--x\n\
        Content-Type: text/html; charset=utf-8\n\n<link rel=stylesheet href='https://a.b/s.css'><p>Seen.<p class=x>Not.\n--x\n\
        Content-Type: text/css\nContent-Location: https://a.b/s.css\n\n.x { display: none }\n--x--\n";
    assert_eq!(extract_page(page.as_bytes(), &Limits::default()).unwrap().text, "Seen.");
}
