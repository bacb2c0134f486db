//! ZIP archives: their files are members, read as documents of their own.

use oriel_core::{Extracted, Failure, Kind, Member};

use super::package::Package;
use super::{Limits, too_large};

/// An archive with more files is too large.
pub(super) const MAX_MEMBERS: usize = 10_000;

/// The files in an archive that Oriel may read; the text is the list of all names.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let mut package = Package::open(Kind::Zip, bytes, limits)?;
    let names = package.names_as_written();
    if names.len() > MAX_MEMBERS {
        return Err(too_large());
    }
    let mut text = String::new();
    let mut members = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let Some(name) = inside(name) else { continue };
        text.push_str(&name);
        text.push('\n');
        if Kind::of_path(name.as_ref()).is_some() {
            members.push(Member { bytes: package.bytes_at(index)?, name });
        }
    }
    Ok(Extracted { members, ..Extracted::new(Kind::Zip, text) })
}

/// The name of a member with `/` between folders; `None` for folders, for names that lead out of the archive, and for
/// what systems put beside the files.
pub(super) fn inside(name: &str) -> Option<String> {
    let name = name.replace('\\', "/");
    let is_outside = name.starts_with('/') || name.as_bytes().get(1) == Some(&b':');
    let mut parts = name.split('/');
    let is_odd = parts
        .any(|part| part.is_empty() || part.starts_with('.') || part == "__MACOSX" || part.contains('\0'));
    (!is_outside && !is_odd).then_some(name)
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use oriel_core::FailureCode;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn zipped(parts: &[(&str, &[u8])]) -> Vec<u8> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in parts {
            archive.start_file(*name, SimpleFileOptions::default()).unwrap();
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
            ("photo.jpg", b"no"),
            ("win\\c.md", b"C"),
        ]);
        let archive = extract(&bytes, &Limits::default()).unwrap();
        let members: Vec<_> = archive.members.iter().map(|one| (one.name.as_str(), &*one.bytes)).collect();
        assert_eq!(members, [("a/b.txt", &b"B"[..]), ("win/c.md", b"C")]);
        assert_eq!(archive.text, "a/b.txt\nphoto.jpg\nwin/c.md\n");
    }

    #[test]
    fn members_that_unpack_beyond_the_limit_are_refused() {
        let zeros = vec![b'0'; 1 << 16];
        let bytes = zipped(&[("a.txt", &zeros), ("b.txt", &zeros)]);
        let limits = Limits { unpacked_bytes: 100_000, ..Limits::default() };
        assert_eq!(extract(&bytes, &limits).unwrap_err().code, FailureCode::TooLarge);
    }
}
