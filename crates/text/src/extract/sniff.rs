//! Detects a file's format by its first bytes, whatever its name.

use oriel_core::notice::FileLooks;
use oriel_core::{Failure, FailureCode, Kind, Notice};

/// A PDF header may follow this much junk.
const PDF_HEADER_WITHIN: usize = 1024;
const COMPOUND_FILE: &[u8] = &[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];

/// Rejects a file whose bytes contradict its kind.
pub(super) fn check(kind: Kind, bytes: &[u8]) -> Result<(), Failure> {
    let fits = match kind {
        Kind::Pdf => contains(&bytes[..bytes.len().min(PDF_HEADER_WITHIN)], b"%PDF-"),
        Kind::Docx => bytes.starts_with(b"PK"),
        Kind::Html | Kind::Markdown | Kind::Text => !is_binary_format(bytes),
    };
    if fits {
        return Ok(());
    }
    if kind == Kind::Docx && bytes.starts_with(COMPOUND_FILE) {
        return Err(compound_file(bytes));
    }
    let kind = kind.name().to_owned();
    Err(Failure::new(
        FailureCode::Broken,
        match looks(bytes) {
            Some(looks) => Notice::NamedOtherwise { kind, looks },
            None => Notice::NotWhatItIsNamed { kind },
        },
    ))
}

/// Password-protected Office files are packed into a compound file, and so are the old formats.
fn compound_file(bytes: &[u8]) -> Failure {
    let name: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
    if contains(bytes, &name) {
        return Failure::new(FailureCode::Encrypted, Notice::OfficeWantsPassword);
    }
    Failure::new(FailureCode::Broken, Notice::OldOfficeFormat)
}

fn is_binary_format(bytes: &[u8]) -> bool {
    bytes.starts_with(b"%PDF-") || bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(COMPOUND_FILE)
}

/// The format that the bytes suggest.
fn looks(bytes: &[u8]) -> Option<FileLooks> {
    let magic: [(&[u8], FileLooks); 9] = [
        (b"%PDF-", FileLooks::Pdf),
        (b"{\\rtf", FileLooks::Rtf),
        (b"PK\x03\x04", FileLooks::Zip),
        (COMPOUND_FILE, FileLooks::OldOffice),
        (b"\x89PNG", FileLooks::Picture),
        (b"\xFF\xD8\xFF", FileLooks::Picture),
        (b"GIF8", FileLooks::Picture),
        (b"%!PS", FileLooks::PostScript),
        (b"\x1F\x8B", FileLooks::Packed),
    ];
    if let Some(&(_, looks)) = magic.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Some(looks);
    }
    let head = bytes[..bytes.len().min(1024)].to_ascii_lowercase();
    if contains(&head, b"<html") || contains(&head, b"<!doctype html") {
        return Some(FileLooks::Html);
    }
    if head.starts_with(b"<?xml") {
        return Some(FileLooks::Xml);
    }
    let text = !bytes.is_empty() && !head.iter().any(|&byte| byte < 0x20 && !byte.is_ascii_whitespace());
    text.then_some(FileLooks::PlainText)
}

/// Whether `wanted` occurs in `bytes`.
pub(super) fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(kind: Kind, bytes: &[u8]) -> String {
        let failure = check(kind, bytes).unwrap_err();
        assert_eq!(failure.code, FailureCode::Broken);
        failure.reason.to_string()
    }

    #[test]
    fn a_wrong_ending_is_named() {
        assert!(reason(Kind::Pdf, b"<!DOCTYPE html><html></html>").contains("HTML"));
        assert!(reason(Kind::Docx, b"{\\rtf1 Hello}").contains("RTF"));
        assert!(reason(Kind::Pdf, b"just words").contains("plain text"));
        assert!(reason(Kind::Text, b"%PDF-1.4\n").contains("PDF"));
    }

    #[test]
    fn junk_before_a_pdf_header_is_fine() {
        assert_eq!(check(Kind::Pdf, b"\r\n\r\njunk %PDF-1.7\n"), Ok(()));
    }

    #[test]
    fn an_encrypted_office_document_is_told_from_an_old_one() {
        let mut bytes = COMPOUND_FILE.to_vec();
        assert_eq!(check(Kind::Docx, &bytes).unwrap_err().code, FailureCode::Broken);
        bytes.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
        assert_eq!(check(Kind::Docx, &bytes).unwrap_err().code, FailureCode::Encrypted);
    }
}
