//! The visual style of an element: whether its text is visible, struck out or bold.

use std::collections::HashMap;

use html5ever::Attribute;
use markup5ever_rcdom::Handle;

use super::colour::Colour;
use super::css::{Declaration, Property, Sheet, declarations};
use super::length::{USUAL_SIZE, pixels};
use super::navigation::value;
use super::selector::Key;
use super::unquoted::find_unquoted;

/// Maximum number of comparisons of elements with rules in a page. After that, no rule matches and all text is visible.
const MAX_STEPS: usize = 50_000_000;
/// Text smaller than this many pixels is not readable.
const MIN_SIZE: f32 = 2.0;
/// An offset in pixels that moves an element off the screen.
const OFF_SCREEN: f32 = 999.0;
/// Text of at least this weight is bold.
const BOLD: u16 = 600;

/// The visual style of an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct ComputedStyle {
    is_visible: bool,
    size: f32,
    /// `None` if unknown.
    colour: Option<Colour>,
    background: Option<Colour>,
    is_clip: bool,
    pub(super) is_struck: bool,
    pub(super) is_bold: bool,
}

impl ComputedStyle {
    /// Whether its content, which may be an image, is visible.
    pub(super) fn is_visible(&self) -> bool {
        self.is_visible
    }

    /// Whether its text is readable.
    pub(super) fn is_readable(&self) -> bool {
        let is_invisible = match (self.colour, self.background) {
            // Text is transparent on purpose if the background is clipped to it.
            (Some(colour), _) if colour.is_transparent() => !self.is_clip,
            (Some(colour), Some(background)) => colour.is_indistinguishable_from(background),
            _ => false,
        };
        self.is_visible && self.size >= MIN_SIZE && !is_invisible
    }
}

/// The rules of a page, by the key of their selector.
pub(super) struct StyleRules {
    sheet: Sheet,
    by_key: HashMap<Key, Vec<usize>>,
    steps: usize,
}

/// Declarations with a higher weight win: by importance, style attribute, specificity, order.
type Weight = (bool, bool, u32, usize);

/// The winning value of each property.
struct Cascade<'a>([Option<(Weight, &'a str)>; Property::COUNT]);

impl<'a> Cascade<'a> {
    fn take(&mut self, declarations: &'a [Declaration], is_own: bool, specificity: u32, place: usize) {
        for one in declarations {
            let weight = (one.is_important, is_own, specificity, place);
            let slot = &mut self.0[one.property as usize];
            if slot.is_none_or(|(found, _)| found <= weight) {
                *slot = Some((weight, &one.value));
            }
        }
    }

    fn get(&self, property: Property) -> Option<&'a str> {
        self.0[property as usize].map(|(_, value)| value)
    }

    /// A length in pixels.
    fn pixels(&self, property: Property, size: f32) -> Option<f32> {
        self.get(property).and_then(|value| pixels(value, size))
    }

    /// Of two properties that override each other, the one with the higher weight, with its value.
    fn last(&self, one: Property, other: Property) -> Option<(Property, &'a str)> {
        let both = [one, other]
            .map(|property| self.0[property as usize].map(|(weight, value)| (weight, property, value)));
        both.into_iter()
            .flatten()
            .max_by_key(|(weight, ..)| *weight)
            .map(|(_, property, value)| (property, value))
    }
}

impl StyleRules {
    pub(super) fn new(sheet: Sheet) -> Self {
        let mut by_key: HashMap<Key, Vec<usize>> = HashMap::new();
        for (index, rule) in sheet.rules.iter().enumerate() {
            by_key.entry(rule.selector.key()).or_default().push(index);
        }
        Self { sheet, by_key, steps: MAX_STEPS }
    }

    /// The style of the page itself. Its background is unknown if external style sheets set one.
    pub(super) fn root(&self) -> ComputedStyle {
        ComputedStyle {
            is_visible: true,
            size: USUAL_SIZE,
            colour: Some(Colour::BLACK),
            background: (!self.sheet.has_unknown_backgrounds).then_some(Colour::WHITE),
            is_clip: false,
            is_struck: false,
            is_bold: false,
        }
    }

    /// The style of an element; `ancestors` are given outermost first. `None` if it is not displayed at all.
    pub(super) fn within(
        &mut self,
        above: &ComputedStyle,
        element: &Handle,
        name: &str,
        attributes: &[Attribute],
        ancestors: &[Handle],
    ) -> Option<ComputedStyle> {
        let own = value(attributes, "style").map(declarations).unwrap_or_default();
        let mut cascade = Cascade([None; Property::COUNT]);
        for index in self.rules_for(element, name, attributes, ancestors) {
            let rule = &self.sheet.rules[index];
            cascade.take(&rule.declarations, false, rule.selector.specificity(), index);
        }
        cascade.take(&own, true, 0, 0);
        let mut style = *above;
        let is_placed =
            matches!(cascade.get(Property::Position), Some("absolute" | "fixed" | "relative" | "sticky"));
        let is_named = value(attributes, "class").or_else(|| value(attributes, "id")).is_some();
        // The element may be on top of something other than its parent, or get a background from rules that are not
        // understood.
        if is_placed || (is_named && self.sheet.has_unknown_backgrounds) {
            style.background = None;
        }
        paint_by_attributes(&mut style, name, attributes);
        // A page that is hidden as a whole is shown by scripts, and readers for books show notes at their references.
        let can_hide = !matches!(name, "html" | "body") && !is_note(attributes);
        if can_hide && !is_displayed(&cascade, name, attributes) {
            return None;
        }
        set_size(&mut style, &cascade, above.size);
        if can_hide && is_out_of_sight(&cascade, style.size, name) {
            return None;
        }
        match cascade.get(Property::Visibility) {
            Some("visible") => style.is_visible = true,
            Some("hidden" | "collapse") => style.is_visible = !can_hide,
            _ => {}
        }
        paint(&mut style, &cascade, above);
        let line = cascade.get(Property::Decoration);
        style.is_struck |= line.map_or(matches!(name, "s" | "strike"), |line| line.contains("line-through"));
        style.is_bold = match cascade.get(Property::Weight) {
            Some("bold" | "bolder") => true,
            Some("normal" | "lighter" | "initial") => false,
            Some(weight) => weight.parse::<u16>().map_or(style.is_bold, |weight| weight >= BOLD),
            None => style.is_bold || matches!(name, "b" | "strong"),
        };
        Some(style)
    }

    /// The indices of the rules that match an element.
    fn rules_for(
        &mut self,
        element: &Handle,
        name: &str,
        attributes: &[Attribute],
        ancestors: &[Handle],
    ) -> Vec<usize> {
        const MAX_CLASSES: usize = 64;
        if self.by_key.is_empty() {
            return Vec::new();
        }
        let classes = value(attributes, "class").unwrap_or_default().split_ascii_whitespace();
        let keys = classes
            .take(MAX_CLASSES)
            .map(|class| Key::Class(class.into()))
            .chain(value(attributes, "id").map(|id| Key::Id(id.into())))
            .chain([Key::Name(name.into()), Key::Any]);
        let mut found = Vec::new();
        for key in keys {
            for &index in self.by_key.get(&key).into_iter().flatten() {
                if self.steps > 0
                    && self.sheet.rules[index].selector.matches(element, ancestors, &mut self.steps)
                {
                    found.push(index);
                }
            }
        }
        found
    }
}

/// Applies the rules for colours.
fn paint(style: &mut ComputedStyle, cascade: &Cascade<'_>, above: &ComputedStyle) {
    let image = cascade.last(Property::Background, Property::BackgroundImage);
    let is_picture = matches!(image, Some((Property::BackgroundImage, image)) if image != "none");
    match cascade.get(Property::Background) {
        _ if is_picture => style.background = None,
        Some(value) => style.background = background(value, style.background),
        None => {}
    }
    match cascade.get(Property::Color) {
        Some("inherit" | "currentcolor" | "unset") => style.colour = above.colour,
        Some(value) => style.colour = Colour::read(value),
        None => {}
    }
    style.is_clip |= cascade.get(Property::BackgroundClip).is_some_and(|clip| clip.contains("text"));
}

/// Applies the colours in attributes of old pages, and the browser's colour of links.
fn paint_by_attributes(style: &mut ComputedStyle, name: &str, attributes: &[Attribute]) {
    let colour = |name: &str| value(attributes, name).and_then(Colour::of_attribute);
    match name {
        "font" => style.colour = colour("color").or(style.colour),
        "a" if value(attributes, "href").is_some() => style.colour = Some(Colour::BLUE),
        "mark" | "button" | "input" | "select" | "textarea" => {
            (style.colour, style.background) = (Some(Colour::BLACK), None);
        }
        "body" => style.colour = colour("text").or(style.colour),
        _ => {}
    }
    if matches!(name, "body" | "table" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th") {
        style.background = colour("bgcolor").or(style.background);
        if value(attributes, "background").is_some() {
            style.background = None;
        }
    }
}

/// Whether an element is a footnote of a book.
fn is_note(attributes: &[Attribute]) -> bool {
    const NOTES: [&str; 6] = ["footnote", "endnote", "rearnote", "note", "doc-footnote", "doc-endnote"];
    let roles = value(attributes, "epub:type").into_iter().chain(value(attributes, "role"));
    roles.flat_map(str::split_ascii_whitespace).any(|role| NOTES.contains(&role))
}

/// Whether an element is displayed, wherever it is.
fn is_displayed(cascade: &Cascade<'_>, name: &str, attributes: &[Attribute]) -> bool {
    let is_hidden = value(attributes, "hidden").is_some_and(|how| !how.eq_ignore_ascii_case("until-found"));
    let is_closed = name == "dialog" && value(attributes, "open").is_none();
    match cascade.get(Property::Display) {
        Some("none") => return false,
        None if is_hidden || is_closed => return false,
        _ => {}
    }
    let opacity = cascade.get(Property::Opacity).and_then(|value| match value.strip_suffix('%') {
        Some(share) => share.trim().parse::<f32>().ok().map(|share| share / 100.0),
        None => value.parse().ok(),
    });
    // Elements that scripts fade in or move into place are visible in the end.
    let is_animated = [Property::Animation, Property::Transform]
        .into_iter()
        .any(|one| cascade.get(one).is_some_and(|how| !how.starts_with("none")));
    (is_animated || opacity.is_none_or(|opacity| opacity > 0.02))
        && cascade.get(Property::ContentVisibility) != Some("hidden")
}

/// Whether an element is off the screen, or is clipped to nothing.
fn is_out_of_sight(cascade: &Cascade<'_>, size: f32, name: &str) -> bool {
    use Property::{
        Bottom, Clip, ClipPath, Height, Indent, Left, MarginLeft, MarginTop, MaxHeight, Overflow, Padding,
        Right, Top, Transform, Width,
    };
    let length = |property| cascade.pixels(property, size);
    let is_below = |property, limit: f32| length(property).is_some_and(|length| length <= limit);
    let position = cascade.get(Property::Position).unwrap_or("static");
    let is_lifted = matches!(position, "absolute" | "fixed");
    let is_moved = is_lifted || position == "relative";
    // A box may get its height from its padding, and cells grow with their content.
    let is_cut = cascade.get(Overflow).is_some_and(|how| how.contains("hidden") || how.contains("clip"))
        && !cascade.get(Padding).is_some_and(|padding| padding.contains('%'))
        && !matches!(name, "td" | "th");
    let sides = [Left, Right, Top, Bottom];
    let is_wide_indent = cascade.get(Indent).is_some_and(|indent| indent == "100%")
        || length(Indent).is_some_and(|indent| indent >= OFF_SCREEN);
    (is_moved && sides.into_iter().any(|side| is_below(side, -OFF_SCREEN)))
        || [Indent, MarginLeft, MarginTop].into_iter().any(|one| is_below(one, -OFF_SCREEN))
        || (is_cut
            && (is_wide_indent || [Height, MaxHeight, Width].into_iter().any(|one| is_below(one, 1.0))))
        || (is_lifted && cascade.get(Clip).is_some_and(|clip| is_empty_rectangle(clip, size)))
        || cascade.get(ClipPath).is_some_and(|path| is_empty_path(path, size))
        || cascade.get(Transform).is_some_and(|transform| is_moved_away(transform, size))
}

/// Whether `rect(…)` shows at most one pixel.
fn is_empty_rectangle(clip: &str, size: f32) -> bool {
    let Some(inside) = clip.strip_prefix("rect(") else { return false };
    let lengths: Vec<_> = arguments(inside).map(|part| pixels(part, size)).collect();
    let &[top, right, bottom, left] = lengths.as_slice() else { return false };
    let is_thin =
        |from: Option<f32>, to: Option<f32>| to.zip(from).is_some_and(|(to, from)| to - from <= 1.0);
    is_thin(top, bottom) || is_thin(left, right)
}

fn is_empty_path(path: &str, size: f32) -> bool {
    let first = |inside: &str| arguments(inside).next().map(str::to_owned);
    if let Some(inset) = path.strip_prefix("inset(").and_then(first) {
        return inset
            .strip_suffix('%')
            .and_then(|share| share.parse::<f32>().ok())
            .is_some_and(|share| share >= 50.0);
    }
    let radius = path.strip_prefix("circle(").and_then(first);
    radius.and_then(|radius| pixels(&radius, size)).is_some_and(|radius| radius <= 0.0)
}

fn is_moved_away(transform: &str, size: f32) -> bool {
    transform.split_inclusive(')').any(|one| {
        let Some((function, inside)) = one.trim().split_once('(') else { return false };
        let mut lengths = arguments(inside).filter_map(|part| pixels(part, size));
        match function {
            // Carousels move their content sideways, so only vertical moves count.
            "translate" | "translatey" => lengths.any(|length| length <= -OFF_SCREEN),
            "scale" | "scalex" | "scaley" => lengths.any(|scale| scale == 0.0),
            _ => false,
        }
    })
}

/// The arguments of a function up to its closing bracket.
fn arguments(inside: &str) -> impl Iterator<Item = &str> {
    let inside = inside.split(')').next().unwrap_or_default();
    inside.split([',', ' ', '\t', '\n']).filter(|part| !part.is_empty())
}

fn set_size(style: &mut ComputedStyle, cascade: &Cascade<'_>, above: f32) {
    let size = match cascade.last(Property::FontSize, Property::Font) {
        Some((Property::FontSize, value)) => font_size(value, above),
        Some((_, font)) => {
            let mut parts = font.split_whitespace().map(|part| part.split('/').next().unwrap_or_default());
            parts
                .find(|part| part.starts_with(|c: char| c.is_ascii_digit() || c == '.') && !is_weight(part))
                .and_then(|part| font_size(part, above))
        }
        None => return,
    };
    style.size = size.unwrap_or(if above < MIN_SIZE { USUAL_SIZE } else { above });
}

/// Whether a part of a `font` value is a weight; `0` is a size.
fn is_weight(part: &str) -> bool {
    part.len() == 3 && part.parse::<u16>().is_ok()
}

fn font_size(value: &str, above: f32) -> Option<f32> {
    match value {
        "inherit" => Some(above),
        "smaller" => Some(above * 0.83),
        "larger" => Some(above * 1.2),
        _ => match value.strip_suffix('%') {
            Some(share) => share.trim().parse::<f32>().ok().map(|share| above * share / 100.0),
            None => pixels(value, above),
        },
    }
}

/// The colour of a `background`; `None` if it is an image or unknown.
fn background(value: &str, above: Option<Colour>) -> Option<Colour> {
    if value.contains("url(") || value.contains("gradient(") || value.contains("var(") {
        return None;
    }
    let mut rest = value;
    // Whether the value explicitly has no image or no colour.
    let mut is_empty = false;
    loop {
        let end = find_unquoted(rest, b" ");
        match &rest[..end] {
            "none" | "transparent" | "initial" | "inherit" | "unset" | "0" => is_empty = true,
            part => {
                if let Some(colour) = Colour::read(part) {
                    return if colour.is_transparent() {
                        above
                    } else {
                        Some(colour).filter(|one| one.is_opaque())
                    };
                }
            }
        }
        match rest.get(end + 1..) {
            Some(after) => rest = after,
            None => return above.filter(|_| is_empty),
        }
    }
}
