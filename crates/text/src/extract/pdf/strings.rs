//! Text strings of a PDF.

/// Decodes a text string of the file.
pub(super) fn decoded(bytes: &[u8]) -> Option<String> {
    lopdf::decode_text_string(&lopdf::Object::string_literal(bytes)).ok()
}
