//! Colours of style sheets.

/// Red, green and blue, from 0 to 255, and the transparency, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Colour {
    rgb: [f32; 3],
    alpha: f32,
}

/// Named colours, as far as pages use them for backgrounds and for hidden text.
const NAMED: &[(&str, u32)] = &[
    ("aliceblue", 0xF0_F8FF),
    ("azure", 0xF0_FFFF),
    ("beige", 0xF5_F5DC),
    ("black", 0),
    ("blue", 0xFF),
    ("floralwhite", 0xFF_FAF0),
    ("fuchsia", 0xFF_00FF),
    ("ghostwhite", 0xF8_F8FF),
    ("gray", 0x80_8080),
    ("green", 0x80_00),
    ("grey", 0x80_8080),
    ("honeydew", 0xF0_FFF0),
    ("ivory", 0xFF_FFF0),
    ("lightgray", 0xD3_D3D3),
    ("lightgrey", 0xD3_D3D3),
    ("lime", 0xFF_00),
    ("linen", 0xFA_F0E6),
    ("magenta", 0xFF_00FF),
    ("maroon", 0x80_0000),
    ("mintcream", 0xF5_FFFA),
    ("navy", 0x80),
    ("olive", 0x80_8000),
    ("orange", 0xFF_A500),
    ("purple", 0x80_0080),
    ("red", 0xFF_0000),
    ("seashell", 0xFF_F5EE),
    ("silver", 0xC0_C0C0),
    ("snow", 0xFF_FAFA),
    ("teal", 0x80_80),
    ("white", 0xFF_FFFF),
    ("whitesmoke", 0xF5_F5F5),
    ("yellow", 0xFF_FF00),
];

/// Two colours look the same if no component differs by more than this.
const SAME: f32 = 8.0;

impl Colour {
    pub(super) const BLACK: Self = Self { rgb: [0.0; 3], alpha: 1.0 };
    pub(super) const BLUE: Self = Self { rgb: [0.0, 0.0, 255.0], alpha: 1.0 };
    pub(super) const WHITE: Self = Self { rgb: [255.0; 3], alpha: 1.0 };

    /// Reads a colour in lower case; `None` if it is invalid or not supported.
    pub(super) fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some(digits) = text.strip_prefix('#') {
            return Self::of_digits(digits);
        }
        if text == "transparent" {
            return Some(Self { alpha: 0.0, ..Self::BLACK });
        }
        if let Some((function, inside)) = text.split_once('(') {
            return Self::of_function(function, inside.trim_end_matches(')'));
        }
        NAMED.iter().find(|(name, _)| *name == text).map(|(_, rgb)| Self::of_number(*rgb))
    }

    /// Reads a colour in the form of old HTML attributes, where `#` may be missing.
    pub(super) fn of_attribute(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_lowercase();
        Self::read(&text).or_else(|| Self::of_digits(&text).filter(|_| text.len() == 6))
    }

    fn of_number(rgb: u32) -> Self {
        let [_, red, green, blue] = rgb.to_be_bytes();
        Self { rgb: [red, green, blue].map(f32::from), alpha: 1.0 }
    }

    fn of_digits(digits: &str) -> Option<Self> {
        let value = |text: &str| u8::from_str_radix(text, 16).ok().map(f32::from);
        let wide = digits.len() / 3 == 2 || digits.len() == 8;
        if !digits.is_ascii() || !matches!(digits.len(), 3 | 4 | 6 | 8) {
            return None;
        }
        let part = |index: usize| match digits.len() {
            3 | 4 => value(digits.get(index..=index)?).map(|part| part * 17.0),
            _ => value(digits.get(index * 2..index * 2 + 2)?),
        };
        let has_alpha = if wide { digits.len() == 8 } else { digits.len() == 4 };
        let alpha = if has_alpha { part(3)? / 255.0 } else { 1.0 };
        Some(Self { rgb: [part(0)?, part(1)?, part(2)?], alpha })
    }

    fn of_function(function: &str, inside: &str) -> Option<Self> {
        let is_gap = |c: char| c.is_whitespace() || matches!(c, ',' | '/');
        let parts: Vec<(f32, bool)> = inside
            .split(is_gap)
            .filter(|part| !part.is_empty())
            .map(|part| {
                let number = part.trim_end_matches('%').trim_end_matches("deg").parse().ok();
                number.map(|number: f32| (number, part.ends_with('%')))
            })
            .collect::<Option<_>>()?;
        let &[(a, a_share), (b, _), (c, _), ref rest @ ..] = parts.as_slice() else { return None };
        let alpha =
            rest.first().map_or(1.0, |(alpha, is_share)| if *is_share { alpha / 100.0 } else { *alpha });
        let rgb = match function {
            "rgb" | "rgba" if a_share => [a, b, c].map(|part| part * 2.55),
            "rgb" | "rgba" => [a, b, c],
            "hsl" | "hsla" => of_hue(a, b / 100.0, c / 100.0),
            _ => return None,
        };
        Some(Self { rgb, alpha })
    }

    pub(super) fn is_transparent(self) -> bool {
        self.alpha <= 0.05
    }

    pub(super) fn is_opaque(self) -> bool {
        self.alpha >= 0.95
    }

    /// Whether text in this colour cannot be distinguished from its background.
    pub(super) fn is_indistinguishable_from(self, background: Self) -> bool {
        let parts = self.rgb.iter().zip(background.rgb);
        parts.map(|(one, other)| (one - other).abs() * self.alpha).all(|difference| difference <= SAME)
    }
}

/// Converts a hue in degrees, a saturation and a lightness to red, green and blue.
fn of_hue(hue: f32, saturation: f32, lightness: f32) -> [f32; 3] {
    let spread = saturation * lightness.min(1.0 - lightness);
    [0.0, 8.0, 4.0].map(|offset| {
        let at = (offset + hue / 30.0).rem_euclid(12.0);
        255.0 * (lightness - spread * (at - 3.0).min(9.0 - at).clamp(-1.0, 1.0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_as_pages_write_them() {
        for white in [
            "#fff",
            "#FFFFFF",
            "white",
            "#ffff",
            "rgb(255, 255, 255)",
            "rgb(100% 100% 100% / 1)",
            "hsl(0,0%,100%)",
        ] {
            let colour = Colour::read(&white.to_ascii_lowercase()).unwrap();
            assert!(colour.is_indistinguishable_from(Colour::WHITE) && colour.is_opaque(), "{white}");
        }
        assert!(Colour::read("rgba(0,0,0,0)").unwrap().is_transparent());
        assert!(!Colour::read("#eee").unwrap().is_indistinguishable_from(Colour::WHITE));
        assert!(Colour::read("hsl(240, 100%, 50%)").unwrap().is_indistinguishable_from(Colour::BLUE));
        assert_eq!(Colour::of_attribute("FFFFFF"), Some(Colour::WHITE));
        for odd in ["", "#", "#12", "rgb(", "rgb(a)", "var(--x)", "inherit", "#äöü"] {
            assert_eq!(Colour::read(odd), None, "{odd}");
        }
    }
}
