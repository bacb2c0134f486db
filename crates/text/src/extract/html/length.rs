//! Lengths of a style sheet in pixels.

/// The size of type in a browser.
pub(super) const USUAL_SIZE: f32 = 16.0;

/// A length in pixels; `None` for percentages, keywords and calculations.
pub(super) fn pixels(length: &str, size: f32) -> Option<f32> {
    let length = length.trim();
    let end = length.find(|c: char| c.is_ascii_alphabetic() || c == '%').unwrap_or(length.len());
    let number: f32 = length[..end].trim().parse().ok()?;
    let factor = match &length[end..] {
        "" | "px" => 1.0,
        "pt" => 4.0 / 3.0,
        "pc" => 16.0,
        "em" => size,
        "rem" => USUAL_SIZE,
        "ex" | "ch" => size / 2.0,
        "in" => 96.0,
        "cm" => 96.0 / 2.54,
        "mm" => 96.0 / 25.4,
        "vw" | "vh" | "vmin" | "vmax" => 10.0,
        _ => return None,
    };
    Some(number * factor)
}
