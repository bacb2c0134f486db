//! Selectors of style sheets: names, classes, ids and attributes, `:not()`, and descendants and children.

use html5ever::Attribute;
use markup5ever_rcdom::{Handle, NodeData};

use super::navigation::value;
use super::unquoted::find_unquoted;

/// A selector with more parts is ignored.
const MAX_PARTS: usize = 16;

/// How an element of a selector is related to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Combinator {
    Ancestor,
    Parent,
}

/// The conditions on one element.
#[derive(Debug, Default)]
struct Compound {
    name: Option<Box<str>>,
    id: Option<Box<str>>,
    classes: Vec<Box<str>>,
    attributes: Vec<AttributeTest>,
    not: Vec<Compound>,
    is_root: bool,
}

/// `[name]`, `[name=value]` and so on.
#[derive(Debug)]
struct AttributeTest {
    name: Box<str>,
    /// The character before `=`, or a space; and the value.
    test: Option<(u8, Box<str>)>,
}

/// The most specific part of a selector, under which its rule is stored.
#[derive(Debug, PartialEq, Eq, Hash, Clone)]
pub(super) enum Key {
    Id(Box<str>),
    Class(Box<str>),
    Name(Box<str>),
    Any,
}

/// Further selectors of a rule are ignored.
const MAX_SELECTORS: usize = 1000;
/// Maximum bytes of an attribute that is compared.
const MAX_VALUE: usize = 4096;

/// A selector, with its last element first.
#[derive(Debug)]
pub(super) struct Selector {
    last: Compound,
    above: Vec<(Combinator, Compound)>,
}

/// The selectors of a rule; `None` for each that is not understood.
pub(super) fn selectors(prelude: &str) -> Vec<Option<Selector>> {
    let mut found = Vec::new();
    let mut rest = prelude;
    loop {
        let end = find_unquoted(rest, b",");
        found.push(Selector::read(rest[..end].trim()));
        match rest.get(end + 1..).filter(|_| found.len() < MAX_SELECTORS) {
            Some(after) => rest = after,
            None => return found,
        }
    }
}

impl Selector {
    fn read(text: &str) -> Option<Self> {
        let mut parts: Vec<(Combinator, Compound)> = Vec::new();
        let (mut last, mut rest) = Compound::read(text)?;
        while !rest.is_empty() {
            let next = rest.trim_start();
            let (combinator, next) = match next.strip_prefix('>') {
                Some(next) => (Combinator::Parent, next.trim_start()),
                None if next.len() < rest.len() => (Combinator::Ancestor, next),
                None => return None,
            };
            let (compound, after) = Compound::read(next)?;
            parts.push((combinator, std::mem::replace(&mut last, compound)));
            rest = after;
            if parts.len() > MAX_PARTS {
                return None;
            }
        }
        parts.reverse();
        Some(Self { last, above: parts })
    }

    /// The most specific condition on the element.
    pub(super) fn key(&self) -> Key {
        let last = &self.last;
        match (&last.id, last.classes.first(), &last.name) {
            (Some(id), ..) => Key::Id(id.clone()),
            (_, Some(class), _) => Key::Class(class.clone()),
            (_, _, Some(name)) => Key::Name(name.clone()),
            _ => Key::Any,
        }
    }

    /// The specificity of the selector: ids, then classes, then names.
    pub(super) fn specificity(&self) -> u32 {
        let all = self.above.iter().map(|(_, compound)| compound).chain([&self.last]);
        all.map(Compound::specificity).sum()
    }

    /// Whether it matches an element; `ancestors` are given outermost first. Each comparison is subtracted from
    /// `budget`.
    pub(super) fn matches(&self, element: &Handle, ancestors: &[Handle], budget: &mut usize) -> bool {
        *budget = budget.saturating_sub(1);
        self.last.matches(element) && ancestors_match(&self.above, ancestors, budget)
    }
}

/// Whether the ancestors match. It recurses once per part, and there are few parts.
fn ancestors_match(parts: &[(Combinator, Compound)], ancestors: &[Handle], budget: &mut usize) -> bool {
    let Some(((combinator, compound), further)) = parts.split_first() else { return true };
    for at in (0..ancestors.len()).rev() {
        *budget = budget.saturating_sub(1);
        if *budget == 0 {
            return false;
        }
        if compound.matches(&ancestors[at]) && ancestors_match(further, &ancestors[..at], budget) {
            return true;
        }
        if *combinator == Combinator::Parent {
            return false;
        }
    }
    false
}

impl Compound {
    /// Reads it from the beginning of `text`. Returns it with the rest of the text.
    fn read(text: &str) -> Option<(Self, &str)> {
        let mut compound = Self::default();
        let mut rest = text;
        if let Some(after) = rest.strip_prefix('*') {
            rest = after;
        } else if let Some((name, after)) = identifier(rest) {
            compound.name = Some(name.to_ascii_lowercase().into());
            rest = after;
        }
        loop {
            let mut chars = rest.chars();
            match chars.next() {
                Some('.') => {
                    let (class, after) = identifier(chars.as_str())?;
                    compound.classes.push(class.into());
                    rest = after;
                }
                Some('#') => {
                    let (id, after) = identifier(chars.as_str())?;
                    compound.id = Some(id.into());
                    rest = after;
                }
                Some('[') => {
                    let (inside, after) = chars.as_str().split_once(']')?;
                    compound.attributes.push(AttributeTest::read(inside)?);
                    rest = after;
                }
                Some(':') => rest = compound.pseudo(chars.as_str())?,
                _ => break,
            }
        }
        (rest.len() < text.len()).then_some((compound, rest))
    }

    /// Reads a pseudo-class after its colon. Those that depend on what the user does are not understood.
    fn pseudo<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let (name, rest) = identifier(text)?;
        match (name.to_ascii_lowercase().as_str(), rest.strip_prefix('(')) {
            ("root", None) => self.is_root = true,
            ("link" | "any-link", None) => {
                self.attributes.push(AttributeTest { name: "href".into(), test: None });
            }
            ("not", Some(inside)) => {
                let end = inside.find(')')?;
                for one in inside[..end].split(',') {
                    let (compound, after) = Self::read(one.trim())?;
                    if !after.is_empty() || !compound.not.is_empty() {
                        return None;
                    }
                    self.not.push(compound);
                }
                return inside.get(end + 1..);
            }
            _ => return None,
        }
        Some(rest)
    }

    fn specificity(&self) -> u32 {
        let count = |many: usize| u32::try_from(many.min(255)).unwrap_or_default();
        let own = (count(usize::from(self.id.is_some())) << 16)
            + (count(self.classes.len() + self.attributes.len() + usize::from(self.is_root)) << 8)
            + count(usize::from(self.name.is_some()));
        own + self.not.iter().map(Self::specificity).max().unwrap_or_default()
    }

    fn matches(&self, element: &Handle) -> bool {
        let NodeData::Element { name, attrs, .. } = &element.data else { return false };
        let attributes = attrs.borrow();
        let has_class = |class: &str| {
            value(&attributes, "class")
                .filter(|all| all.len() <= MAX_VALUE)
                .is_some_and(|all| all.split_ascii_whitespace().any(|one| one == class))
        };
        self.name.as_deref().is_none_or(|wanted| wanted == &*name.local)
            && self.id.as_deref().is_none_or(|wanted| value(&attributes, "id") == Some(wanted))
            && self.classes.iter().all(|class| has_class(class))
            && self.attributes.iter().all(|test| test.matches(&attributes))
            && (!self.is_root || &*name.local == "html")
            && !self.not.iter().any(|not| not.matches(element))
    }
}

impl AttributeTest {
    fn read(text: &str) -> Option<Self> {
        let Some((name, value)) = text.split_once('=') else {
            return Some(Self { name: text.trim().to_ascii_lowercase().into(), test: None });
        };
        let (name, sign) = match name.as_bytes().last()? {
            sign @ (b'~' | b'|' | b'^' | b'$' | b'*') => (&name[..name.len() - 1], *sign),
            _ => (name, b' '),
        };
        let value = value.trim().trim_end_matches(" i").trim_matches(['"', '\'']);
        Some(Self { name: name.trim().to_ascii_lowercase().into(), test: Some((sign, value.into())) })
    }

    fn matches(&self, attributes: &[Attribute]) -> bool {
        let Some(found) = value(attributes, &self.name).filter(|found| found.len() <= MAX_VALUE) else {
            return false;
        };
        let Some((sign, wanted)) = &self.test else { return true };
        let wanted = &**wanted;
        match sign {
            b'~' => found.split_ascii_whitespace().any(|one| one == wanted),
            b'|' => found.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('-')),
            b'^' => !wanted.is_empty() && found.starts_with(wanted),
            b'$' => !wanted.is_empty() && found.ends_with(wanted),
            b'*' => !wanted.is_empty() && found.contains(wanted),
            _ => found == wanted,
        }
    }
}

/// The identifier at the beginning of `text` without its escapes, and the rest of the text.
fn identifier(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut chars = text.chars();
    let mut rest = text;
    while let Some(c) = chars.next() {
        match c {
            // Numeric escapes are rare in names that people write.
            '\\' => name.push(chars.next().filter(|c| !c.is_ascii_hexdigit())?),
            c if c.is_alphanumeric() || matches!(c, '-' | '_') || !c.is_ascii() => name.push(c),
            _ => break,
        }
        rest = chars.as_str();
    }
    (!name.is_empty()).then_some((name, rest))
}
