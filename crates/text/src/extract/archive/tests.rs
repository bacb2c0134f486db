//! Archives of every format, made by other programs, and hostile ones.

use std::io::{Cursor, Write};

use ::tar::{Builder, EntryType, Header};
use ::zip::write::SimpleFileOptions;
use ::zip::{CompressionMethod, ZipWriter};

use super::*;
use crate::extract;
use crate::extract::json;

/// A GNU TAR archive with these files and their types.
fn tarred(files: &[(&str, EntryType, &[u8])]) -> Vec<u8> {
    let mut archive = Builder::new(Vec::new());
    for (name, kind, content) in files {
        let mut header = Header::new_gnu();
        // The builder refuses names that lead out of the archive, so the name is written directly.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(*kind);
        header.set_size(content.len() as u64);
        header.set_cksum();
        archive.append(&header, *content).unwrap();
    }
    archive.into_inner().unwrap()
}

fn zipped(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        archive.start_file(*name, stored).unwrap();
        archive.write_all(content).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn read(bytes: &[u8]) -> Result<Extracted, Failure> {
    extract(Kind::Archive, bytes, &Limits::default())
}

/// The names of the members, each with its text or with the reason why it has none.
fn members(archive: &Extracted) -> Vec<(&str, String)> {
    let each = archive.members.iter().map(|member| {
        let text = member.bytes.as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        (member.name.as_str(), text.unwrap_or_else(|failure| failure.code.name().to_owned()))
    });
    each.collect()
}

/// A seed of the fuzz targets, made by other programs: `tide.txt` and, in archives, `deep/turn.md`.
fn seed(name: &str) -> Vec<u8> {
    let path = format!("{}/../../fuzz/seeds/read/{name}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).unwrap();
    bytes.strip_prefix(b"zip\n").unwrap().to_vec()
}

const ODD: [&str; 6] =
    ["..\\..\\evil.txt", "/etc/passwd.txt", "c:/x.txt", "a/../../x.txt", "a/.hidden.txt", "photo.gif"];

#[test]
fn files_are_members_and_none_leads_out() {
    let kept: [(&str, &[u8]); 2] = [("./a/b.txt", b"B"), ("win\\c.md", b"C")];
    let odd = ODD.map(|name| (name, &b"no"[..]));
    let all: Vec<_> = kept.into_iter().chain(odd).collect();
    let files: Vec<_> = all.iter().map(|(name, content)| (*name, EntryType::Regular, *content)).collect();
    for bytes in [zipped(&all), tarred(&files)] {
        let archive = read(&bytes).unwrap();
        assert_eq!(members(&archive), [("a/b.txt", "B".to_owned()), ("win/c.md", "C".to_owned())]);
        assert_eq!(archive.text, "a/b.txt\nwin/c.md\nphoto.gif\n");
    }
}

#[test]
fn links_and_devices_are_left_out() {
    let kinds =
        [EntryType::Symlink, EntryType::Link, EntryType::Fifo, EntryType::Block, EntryType::Directory];
    let mut files: Vec<(&str, EntryType, &[u8])> = kinds.map(|kind| ("link.txt", kind, &b""[..])).into();
    files.push(("a.txt", EntryType::Regular, b"The tide is low."));
    assert_eq!(members(&read(&tarred(&files)).unwrap()), [("a.txt", "The tide is low.".to_owned())]);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    archive.add_symlink("link.txt", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    let bytes = archive.finish().unwrap().into_inner();
    assert!(members(&read(&bytes).unwrap()).is_empty());
}

#[test]
fn archives_of_every_format_are_read() {
    let files = [("tide.txt", "The tide is low.\n".to_owned()), ("deep/turn.md", "# It turns\n".to_owned())];
    for name in
        ["7z", "7z-stored", "rar", "rar4", "rar-solid", "tar", "tar-gz", "tar-xz", "tar-bz2", "tar-zst"]
    {
        let archive = read(&seed(name)).unwrap();
        let mut found = members(&archive);
        found.sort_by_key(|(name, _)| std::cmp::Reverse(*name));
        assert_eq!(found, files, "{name}");
        assert_eq!(archive.kind, Kind::Archive, "{name}");
    }
}

#[test]
fn a_packed_file_is_the_one_member() {
    let file = |name| vec![(name, "The tide is low.\n".to_owned())];
    assert_eq!(members(&read(&seed("gz")).unwrap()), file("tide.txt"), "it says its name");
    for packed in [gzipped(b"The tide is low.\n"), [gzipped(b"The tide "), gzipped(b"is low.\n")].concat()] {
        assert_eq!(members(&read(&packed).unwrap()), file(""));
    }
    // Several frames, with one to skip between them.
    let frame = seed("tide-zst");
    let skipped = b"\x50\x2A\x4D\x18\x03\x00\x00\x00abc";
    let twice = "The tide is low.\n".repeat(2);
    assert_eq!(members(&read(&[&frame[..], &skipped[..], &frame[..]].concat()).unwrap()), [("", twice)]);
}

#[test]
fn encrypted_archives_say_so() {
    for name in ["7z-locked", "7z-locked-names", "rar-locked", "rar-locked-names"] {
        let failures = match read(&seed_found(name)) {
            Ok(archive) => archive.members.into_iter().map(|member| member.bytes.unwrap_err()).collect(),
            Err(failure) => vec![failure],
        };
        assert!(!failures.is_empty(), "{name}");
        for failure in failures {
            assert_eq!(failure, needs_password(), "{name}");
        }
    }
}

/// A seed that cannot be read.
fn seed_found(name: &str) -> Vec<u8> {
    seed(&format!("found-{name}"))
}

#[test]
fn members_that_unpack_beyond_the_limit_fail() {
    let zeros = vec![b'0'; 1 << 16];
    let limits = Limits { member_bytes: 100_000, ..Limits::default() };
    let files = [("a.txt", &zeros[..]), ("b.txt", &zeros)];
    let tar = tarred(&files.map(|(name, content)| (name, EntryType::Regular, content)));
    for bytes in [zipped(&files), gzipped(&tar), tar] {
        let members = extract(Kind::Archive, &bytes, &limits).unwrap().members;
        assert!(members[0].bytes.is_ok());
        assert_eq!(members[1].bytes.as_ref().unwrap_err().code, FailureCode::TooLarge);
    }
    let failure = extract(Kind::Archive, &gzipped(&[b'0'; 200_000]), &limits).unwrap_err();
    assert_eq!(failure.code, FailureCode::TooLarge);
}

#[test]
fn what_never_ends_is_too_large() {
    let video = vec![0; 1 << 20];
    let packed = gzipped(&tarred(&[("video.xyz", EntryType::Regular, &video)]));
    let limits = Limits { unpacked_bytes: 100_000, ..Limits::default() };
    assert_eq!(extract(Kind::Archive, &packed, &limits).unwrap_err(), too_many_members());
}

#[test]
fn an_archive_that_breaks_off_fails() {
    for name in ["7z", "rar", "tar", "tar-gz", "tar-xz", "tar-bz2", "tar-zst", "gz"] {
        let bytes = seed(name);
        let half = &bytes[..bytes.len() / 2];
        let is_said = match read(half) {
            Ok(archive) => archive.members.iter().any(|member| member.bytes.is_err()),
            Err(failure) => failure.code == FailureCode::Broken,
        };
        assert!(is_said, "{name}");
    }
}

#[test]
fn a_damaged_member_fails_by_itself() {
    let files: [(&str, &[u8]); 2] = [("a.txt", b"The tide is low."), ("b.txt", b"The tide is high.")];
    let mut bytes = zipped(&files);
    let at = bytes.windows(4).position(|four| four == b"tide").unwrap();
    bytes[at] ^= 1;
    let found = read(&bytes).unwrap();
    assert_eq!(members(&found), [("a.txt", "broken".to_owned()), ("b.txt", "The tide is high.".to_owned())]);
    // In one block of a 7z archive, nothing after the damage can be unpacked.
    let mut bytes = seed("7z-stored");
    let at = bytes.windows(4).position(|four| four == b"tide").unwrap();
    bytes[at] ^= 1;
    let lost = ["tide.txt", "deep/turn.md"].map(|name| (name, "broken".to_owned()));
    assert_eq!(members(&read(&bytes).unwrap()), lost);
}

#[test]
fn the_users_of_slack_have_their_names() {
    let talk = br#"[{"type":"message","user":"U1","ts":"1767603600.1","text":"Yes."}]"#;
    let bytes = zipped(&[
        ("users.json", br#"[{"id":"U1","real_name":"Mei"}]"#),
        ("channels.json", b"[]"),
        ("general/2026-01-05.json", talk),
    ]);
    let members = read(&bytes).unwrap().members;
    let talk = json::extract(members[2].bytes.as_ref().unwrap(), &Limits::default()).unwrap();
    assert_eq!(talk.text, "Mei, 2026-01-05 09:00 UTC: Yes.");
}
