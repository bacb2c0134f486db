//! A copy of a PDF without its password.

use lopdf::{Document, LoadOptions};
use oriel_core::{Failure, FailureCode, Notice};

/// Removes the encryption of a PDF. The text is read from this copy, and its pages are drawn.
///
/// # Errors
/// [`Notice::PdfPasswordWrong`], or [`Notice::PdfProtected`] for an unsupported encryption.
pub(in crate::extract) fn unlock(bytes: &[u8], password: &str) -> Result<Vec<u8>, Failure> {
    let failed = |reason| Failure::new(FailureCode::Encrypted, reason);
    let opened =
        Document::load_mem_with_options(bytes, LoadOptions::with_password(password)).map_err(|error| {
            match error {
                lopdf::Error::InvalidPassword => failed(Notice::PdfPasswordWrong),
                _ => failed(Notice::PdfProtected),
            }
        });
    let mut document = opened?;
    // The document is decrypted; the library keeps this state only for encrypting it again.
    document.encryption_state = None;
    let mut copy = Vec::new();
    document.save_to(&mut copy).map_err(|_| failed(Notice::PdfProtected))?;
    Ok(copy)
}

#[cfg(test)]
mod tests {
    use oriel_core::Kind;

    use super::*;
    use crate::{Limits, extract};

    const LOCKED: &[u8] = include_bytes!("../../../../../tests/fixtures/locked.pdf");

    #[test]
    fn the_right_password_opens_a_pdf_and_another_does_not() {
        let refused = extract(Kind::Pdf, LOCKED, &Limits::default()).unwrap_err();
        assert_eq!(refused.reason, Notice::PdfWantsPassword);
        assert_eq!(unlock(LOCKED, "wrong").unwrap_err().reason, Notice::PdfPasswordWrong);
        let copy = unlock(LOCKED, "high water").unwrap();
        let text = extract(Kind::Pdf, &copy, &Limits::default()).unwrap().text;
        assert!(text.contains("lighthouse on Gannet Rock"), "{text}");
    }
}
