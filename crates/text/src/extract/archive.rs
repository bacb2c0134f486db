//! ZIP archives: their files are members, read as documents of their own.

use oriel_core::{Extracted, Failure, Kind};

use super::members::{MAX_MEMBERS, Members, inside, too_many_members};
use super::package::Package;
use super::{Limits, json};

/// The files in an archive that Oriel may read; the text is the list of all names. A member that is damaged, locked
/// or too large fails by itself.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let limits = Limits { unpacked_bytes: limits.member_bytes, ..*limits };
    let mut package = Package::open(Kind::Zip, bytes, &limits)?;
    let names = package.names_as_written();
    if names.len() > MAX_MEMBERS {
        return Err(too_many_members());
    }
    let mut text = String::new();
    let mut members = Members::new(&limits);
    let users = users(&mut package, &names);
    for (index, name) in names.iter().enumerate() {
        text.extend(inside(name).map(|name| name + "\n"));
        let Some(name) = Members::name(name) else { continue };
        let bytes = package.bytes_at(index).map(|bytes| {
            let named = users
                .as_ref()
                .filter(|_| name.ends_with(".json"))
                .and_then(|users| json::with_names(&bytes, users));
            named.unwrap_or(bytes)
        });
        members.add(name, bytes)?;
    }
    Ok(Extracted { members: members.finish(), ..Extracted::new(Kind::Zip, text) })
}

/// The users of an export of Slack, whose messages name them by ids.
fn users(package: &mut Package<'_>, names: &[String]) -> Option<json::Users> {
    let has = |wanted: &str| names.iter().position(|name| name.rsplit('/').next() == Some(wanted));
    let index = has("users.json").filter(|_| has("channels.json").is_some())?;
    json::users(&package.bytes_at(index).ok()?)
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use oriel_core::FailureCode;
    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipWriter};

    use super::*;

    fn zipped(parts: &[(&str, &[u8])]) -> Vec<u8> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in parts {
            let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
            archive.start_file(*name, stored).unwrap();
            archive.write_all(content).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }

    #[test]
    fn files_are_members_and_none_leads_out() {
        let bytes = zipped(&[
            ("a/b.txt", b"B"),
            ("..\\..\\evil.txt", b"no"),
            ("/etc/passwd.txt", b"no"),
            ("c:/x.txt", b"no"),
            ("a/../../x.txt", b"no"),
            ("a/.hidden.txt", b"no"),
            ("photo.gif", b"no"),
            ("win\\c.md", b"C"),
        ]);
        let archive = extract(&bytes, &Limits::default()).unwrap();
        let members: Vec<_> =
            archive.members.iter().map(|one| (one.name.as_str(), one.bytes.clone().unwrap())).collect();
        assert_eq!(members, [("a/b.txt", b"B".to_vec()), ("win/c.md", b"C".to_vec())]);
        assert_eq!(archive.text, "a/b.txt\nphoto.gif\nwin/c.md\n");
    }

    #[test]
    fn the_users_of_slack_have_their_names() {
        let talk = br#"[{"type":"message","user":"U1","ts":"1767603600.1","text":"Yes."}]"#;
        let bytes = zipped(&[
            ("users.json", br#"[{"id":"U1","real_name":"Mei"}]"#),
            ("channels.json", b"[]"),
            ("general/2026-01-05.json", talk),
        ]);
        let members = extract(&bytes, &Limits::default()).unwrap().members;
        let talk = json::extract(members[2].bytes.as_ref().unwrap(), &Limits::default()).unwrap();
        assert_eq!(talk.text, "Mei, 2026-01-05 09:00 UTC: Yes.");
    }

    #[test]
    fn members_that_unpack_beyond_the_limit_fail() {
        let zeros = vec![b'0'; 1 << 16];
        let bytes = zipped(&[("a.txt", &zeros), ("b.txt", &zeros)]);
        let limits = Limits { member_bytes: 100_000, ..Limits::default() };
        let members = extract(&bytes, &limits).unwrap().members;
        assert!(members[0].bytes.is_ok());
        assert_eq!(members[1].bytes.as_ref().unwrap_err().code, FailureCode::TooLarge);
    }

    #[test]
    fn a_damaged_member_fails_by_itself() {
        let mut bytes = zipped(&[("a.txt", b"The tide is low."), ("b.txt", b"The tide is high.")]);
        let at = bytes.windows(4).position(|four| four == b"tide").unwrap();
        bytes[at] ^= 1;
        let archive = extract(&bytes, &Limits::default()).unwrap();
        assert_eq!(archive.members[0].bytes.as_ref().unwrap_err().code, FailureCode::Broken);
        assert_eq!(archive.members[1].bytes.as_deref().unwrap(), b"The tide is high.");
    }
}
