//! Style sheets, as far as they decide what is visible: rules with simple selectors, and declarations that hide, colour
//! or strike text.
//!
//! A rule whose selector is not understood is ignored, so that text is visible in doubt.

use super::selector::{Selector, selectors};
use super::unquoted::find_unquoted;

/// Further rules are ignored.
const MAX_RULES: usize = 20_000;
/// Maximum nesting of blocks.
const MAX_DEPTH: usize = 16;
/// The assumed width of the window, in CSS pixels.
const WINDOW_WIDTH: f32 = 1280.0;

macro_rules! properties {
    ($($property:ident $($name:literal)|+,)*) => {
        /// The properties that decide what is visible.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Property { $($property,)* }

        impl Property {
            pub(super) const COUNT: usize = [$(Self::$property),*].len();

            fn of(name: &str) -> Option<Self> {
                match name { $($($name)|+ => Some(Self::$property),)* _ => None }
            }
        }
    };
}

properties! {
    Animation "animation" | "animation-name" | "-webkit-animation",
    Background "background" | "background-color",
    BackgroundClip "background-clip" | "-webkit-background-clip",
    BackgroundImage "background-image",
    Bottom "bottom",
    Clip "clip",
    ClipPath "clip-path" | "-webkit-clip-path",
    Color "color",
    ContentVisibility "content-visibility",
    Decoration "text-decoration" | "text-decoration-line",
    Display "display",
    Font "font",
    FontSize "font-size",
    Height "height",
    Indent "text-indent",
    Left "left",
    MarginLeft "margin-left",
    MarginTop "margin-top",
    MaxHeight "max-height",
    Opacity "opacity",
    Overflow "overflow" | "overflow-x" | "overflow-y",
    Padding "padding" | "padding-bottom" | "padding-top",
    Position "position",
    Right "right",
    Top "top",
    Transform "transform" | "-webkit-transform",
    Visibility "visibility",
    Weight "font-weight",
    Width "width",
}

/// The value of a property, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Declaration {
    pub(super) property: Property,
    pub(super) value: Box<str>,
    pub(super) is_important: bool,
}

/// The declarations for the elements that match a selector.
pub(super) struct Rule {
    pub(super) selector: Selector,
    pub(super) declarations: std::rc::Rc<[Declaration]>,
}

/// The rules of all style sheets read so far.
#[derive(Default)]
pub(super) struct Sheet {
    pub(super) rules: Vec<Rule>,
    /// Whether there are background rules that are not understood.
    pub(super) has_unknown_backgrounds: bool,
}

impl Sheet {
    /// Reads a further style sheet.
    pub(super) fn read(&mut self, sheet: &str) {
        let sheet = without_comments(sheet);
        let mut rest = sheet.as_str();
        // For each open block, whether its rules apply.
        let mut open: Vec<bool> = Vec::new();
        while self.rules.len() < MAX_RULES {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ';');
            rest = rest.trim_start_matches("<!--").trim_start_matches("-->").trim_start();
            if let Some(after) = rest.strip_prefix('}') {
                open.pop();
                rest = after;
                continue;
            }
            let end = find_unquoted(rest, b"{};");
            let (prelude, after) = rest.split_at(end);
            let Some(after) = after.strip_prefix('{') else {
                self.has_unknown_backgrounds |= prelude.trim_start().starts_with("@import");
                match after.strip_prefix(';') {
                    Some(after) => rest = after,
                    None if after.is_empty() => return,
                    None => rest = after,
                }
                continue;
            };
            let applies = open.iter().all(|applies| *applies);
            match group(prelude.trim()) {
                Some(is_group) if open.len() < MAX_DEPTH => {
                    open.push(is_group);
                    rest = after;
                }
                Some(_) => return,
                None => {
                    let end = block_end(after);
                    if applies && !prelude.starts_with('@') {
                        self.rule(prelude, &after[..end]);
                    }
                    rest = after.get(end + 1..).unwrap_or_default();
                }
            }
        }
    }

    fn rule(&mut self, prelude: &str, body: &str) {
        let declarations: std::rc::Rc<[Declaration]> = declarations(body).into();
        if declarations.is_empty() {
            return;
        }
        let paints = declarations
            .iter()
            .any(|one| matches!(one.property, Property::Background | Property::BackgroundImage));
        for selector in selectors(prelude) {
            match selector {
                Some(selector) => {
                    self.rules.push(Rule { selector, declarations: std::rc::Rc::clone(&declarations) });
                }
                None => self.has_unknown_backgrounds |= paints,
            }
        }
    }
}

/// The declarations in a rule or in a `style` attribute.
pub(super) fn declarations(body: &str) -> Vec<Declaration> {
    let mut found = Vec::new();
    let mut rest = body;
    loop {
        let end = find_unquoted(rest, b";");
        found.extend(declaration(&rest[..end]));
        match rest.get(end + 1..) {
            Some(after) => rest = after,
            None => return found,
        }
    }
}

fn declaration(text: &str) -> Option<Declaration> {
    let (name, value) = text.split_once(':')?;
    let property = Property::of(name.trim().to_ascii_lowercase().as_str())?;
    let value = value.trim().to_ascii_lowercase();
    let (value, is_important) = match value.rsplit_once('!') {
        Some((value, mark)) if mark.trim() == "important" => (value.trim_end(), true),
        _ => (value.as_str(), false),
    };
    // Browsers ignore what they do not understand. Hacks for old browsers are ignored too.
    let is_sound = !value.is_empty() && !value.contains(['\\', '{', '}']);
    is_sound.then(|| Declaration { property, value: value.into(), is_important })
}

/// For a rule that contains rules, whether these apply; `None` for other rules.
fn group(prelude: &str) -> Option<bool> {
    let rule = prelude.strip_prefix('@')?;
    let (name, condition) =
        rule.split_at(rule.find(|c: char| c.is_whitespace() || c == '(').unwrap_or(rule.len()));
    match name.to_ascii_lowercase().as_str() {
        "media" => Some(is_for_screen(condition)),
        "supports" => Some(!condition.trim_start().to_ascii_lowercase().starts_with("not")),
        "layer" | "document" | "-moz-document" | "scope" => Some(true),
        // The size of a container is unknown.
        "container" => Some(false),
        _ => None,
    }
}

/// Whether a media query matches the screen of a desktop.
pub(super) fn is_for_screen(query: &str) -> bool {
    let query = query.to_ascii_lowercase();
    query.trim().is_empty() || query.split(',').any(|one| fits(one.trim()))
}

fn fits(query: &str) -> bool {
    let (is_inverted, query) = match query.strip_prefix("not ") {
        Some(query) => (true, query),
        None => (false, query.strip_prefix("only ").unwrap_or(query)),
    };
    let fits = query.split(" and ").all(|part| match part.trim() {
        "screen" | "all" => true,
        feature if feature.starts_with('(') => has_feature(feature.trim_matches(['(', ')', ' '])),
        _ => false,
    });
    fits != is_inverted
}

fn has_feature(feature: &str) -> bool {
    let (name, value) = feature.split_once(':').unwrap_or((feature, ""));
    let width = super::length::pixels(value.trim(), 16.0);
    match (name.trim(), value.trim()) {
        ("min-width" | "min-device-width", _) => width.is_some_and(|width| width <= WINDOW_WIDTH),
        ("max-width" | "max-device-width", _) => width.is_some_and(|width| width >= WINDOW_WIDTH),
        ("min-height", _) | ("color" | "hover" | "pointer", "" | "hover" | "fine") => true,
        ("orientation", value) => value == "landscape",
        ("prefers-color-scheme", value) => value == "light",
        _ => false,
    }
}

fn without_comments(sheet: &str) -> String {
    let mut text = String::with_capacity(sheet.len());
    let mut rest = sheet;
    while let Some((before, after)) = rest.split_once("/*") {
        text.push_str(before);
        text.push(' ');
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    text
}

/// The position of the brace that closes a block; the block begins with `text`.
fn block_end(text: &str) -> usize {
    let (mut at, mut depth) = (0, 0_usize);
    loop {
        let rest = &text[at..];
        let stop = find_unquoted(rest, b"{}");
        match rest.as_bytes().get(stop) {
            Some(b'{') => depth += 1,
            Some(_) if depth > 0 => depth -= 1,
            _ => return at + stop,
        }
        at += stop + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(sheet: &str) -> Vec<(usize, String)> {
        let mut read = Sheet::default();
        read.read(sheet);
        read.rules
            .iter()
            .map(|rule| (rule.declarations.len(), rule.declarations[0].value.to_string()))
            .collect()
    }

    #[test]
    fn rules_for_the_screen_are_read() {
        let sheet = "@charset 'utf-8'; /* p { display: none } */ @import url(a;b.css);\n\
            .a { color: RED !important; background: url('x;}') } @font-face { font: 1px/1 a }\n\
            @media print { .b { display: none } }\n@media screen and (min-width: 40em) { .c { display:none; } @supports (x) { .d{opacity:0} } }\n\
            @media (max-width: 600px) { .e { display:none } } .f::before { display: none } .g { x: y } .h{display:block";
        let values: Vec<_> = read(sheet).into_iter().map(|(_, value)| value).collect();
        assert_eq!(values, ["red", "none", "0", "block"]);
    }

    #[test]
    fn damaged_sheets_end() {
        for sheet in
            ["{", "}", "}}{", "a{b{c", "@media", "@media {", "a{color:red;\"", ";;", "/*", "a(b{color:red}"]
        {
            read(sheet);
        }
        read(&"@media all{".repeat(1000));
        read(&"a{".repeat(100_000));
    }
}
