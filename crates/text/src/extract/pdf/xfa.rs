//! Forms that only XFA describes: a template with labels, and data with values (XML Forms Architecture 3.3).
//!
//! Adobe's programs build the pages of such a form when they open it. The page in the file is only a placeholder, so
//! its text is dropped.

use std::collections::{HashMap, HashSet};

use hayro_syntax::Pdf;
use hayro_syntax::object::{Dict, Object};
use oriel_core::{Extracted, Failure, Kind};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::fields::labelled;
use crate::extract::Limits;
use crate::extract::writer::{Writer, one_line};
use crate::extract::xml::{attributes, character};

/// Maximum number of elements read.
const MAX_NODES: usize = 200_000;
/// Maximum nesting of elements read.
const MAX_DEPTH: usize = 200;
/// Maximum bytes of the XML.
const MAX_BYTES: usize = 64 << 20;

/// The XML of a form.
pub(super) struct Form {
    xml: String,
    /// Whether the file asks the viewer to build its pages from the form (`NeedsRendering`).
    pub(super) needs_rendering: bool,
}

impl Form {
    /// The form of a file, if XFA describes it.
    pub(super) fn of(pdf: &Pdf) -> Option<Self> {
        let xref = pdf.xref();
        let catalog = xref.get::<Dict<'_>>(xref.root_id())?;
        let needs_rendering = catalog.get::<bool>("NeedsRendering").unwrap_or(false);
        let mut bytes = Vec::new();
        let mut add = |packet: Object<'_>| {
            if let Object::Stream(stream) = packet
                && let Ok(data) = stream.decoded_data()
                && bytes.len() + data.len() <= MAX_BYTES
            {
                bytes.extend_from_slice(&data);
            }
        };
        match catalog.get::<Dict<'_>>("AcroForm")?.get::<Object<'_>>("XFA")? {
            // The array alternates between names and packets.
            Object::Array(packets) => packets.iter::<Object<'_>>().for_each(&mut add),
            whole => add(whole),
        }
        Some(Self { xml: String::from_utf8_lossy(&bytes).into_owned(), needs_rendering })
    }

    /// The labels and values in reading order; `None` if there are none.
    pub(super) fn text(&self, limits: &Limits) -> Result<Option<Extracted>, Failure> {
        let tree = Tree::read(&self.xml);
        // The settings may also contain a template.
        let is_form = |at: &usize| tree.0[*at].name == "template" && tree.child(*at, "subform").is_some();
        let Some(template) = (0..tree.0.len()).find(is_form) else { return Ok(None) };
        let data = tree.find("datasets").and_then(|sets| tree.child(sets, "data"));
        let mut filled = Filled::new(&tree, data, limits);
        filled.writer.page();
        filled.children(template, data, 0);
        let made = filled.writer.finish(Kind::Pdf)?;
        Ok((!made.text.is_empty()).then_some(made))
    }
}

/// An element, or a text, which has no name.
#[derive(Default)]
struct Node {
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
    children: Vec<usize>,
}

/// Elements in the order of the file; the first is the root.
struct Tree(Vec<Node>);

impl Tree {
    /// Reads XML. Of damaged XML, everything before the damage is used.
    fn read(xml: &str) -> Self {
        let mut nodes = vec![Node::default()];
        let mut open = vec![0];
        let mut reader = Reader::from_str(xml);
        while nodes.len() < MAX_NODES {
            let node = match reader.read_event() {
                Ok(Event::Start(element)) => {
                    let node = Node::of(&element);
                    add(&mut nodes, &open, node);
                    open.push(nodes.len() - 1);
                    continue;
                }
                Ok(Event::Empty(element)) => Node::of(&element),
                Ok(Event::Text(text)) => Node::of_text(&text.xml10_content()),
                Ok(Event::CData(text)) => Node::of_text(&text.xml10_content()),
                Ok(Event::GeneralRef(reference)) => Node::of_text(&character(&reference)),
                Ok(Event::End(_)) if open.len() > 1 => {
                    open.pop();
                    continue;
                }
                Ok(Event::Eof) | Err(_) => break,
                Ok(_) => continue,
            };
            if !(node.name.is_empty() && node.text.is_empty()) {
                add(&mut nodes, &open, node);
            }
        }
        Self(nodes)
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|node| node.name == name)
    }

    fn child(&self, at: usize, name: &str) -> Option<usize> {
        self.0[at].children.iter().copied().find(|child| self.0[*child].name == name)
    }

    /// The element at a path of names.
    fn below(&self, at: usize, path: &[&str]) -> Option<usize> {
        path.iter().try_fold(at, |at, name| self.child(at, name))
    }

    fn attribute(&self, at: usize, name: &str) -> Option<&str> {
        self.0[at].attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// All text in an element, on one line.
    fn text(&self, at: usize) -> String {
        let mut text = String::new();
        let mut open = vec![(at, 0)];
        while let Some((at, depth)) = open.pop() {
            if !matches!(self.0[at].name.as_str(), "" | "b" | "i" | "span" | "sub" | "sup") {
                text.push(' ');
            }
            text.push_str(&self.0[at].text);
            if depth < MAX_DEPTH {
                open.extend(self.0[at].children.iter().rev().map(|child| (*child, depth + 1)));
            }
        }
        one_line(&text)
    }

    /// The position from the top and from the left, in millimetres.
    fn place(&self, at: usize) -> (f64, f64) {
        let measure = |name| {
            let value = self.attribute(at, name).unwrap_or_default().trim();
            let unit = value.trim_start_matches(|c: char| c.is_ascii_digit() || "+-.".contains(c));
            let number: f64 = value[..value.len() - unit.len()].parse().unwrap_or(0.0);
            number
                * match unit {
                    "mm" => 1.0,
                    "cm" => 10.0,
                    "pt" => 25.4 / 72.0,
                    _ => 25.4,
                }
        };
        (measure("y"), measure("x"))
    }
}

/// Adds a node to the innermost open element.
fn add(nodes: &mut Vec<Node>, open: &[usize], node: Node) {
    let (at, last) = (nodes.len(), open.last().copied().unwrap_or_default());
    nodes.push(node);
    nodes[last].children.push(at);
}

impl Node {
    fn of_text(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }

    fn of(element: &BytesStart<'_>) -> Self {
        const KEPT: [&str; 9] = ["name", "layout", "x", "y", "presence", "ref", "match", "save", "max"];
        let kept = attributes(element).filter_map(|one| {
            let key = one.key.local_name();
            let value = quick_xml::escape::unescape(&one.value).ok()?;
            KEPT.contains(&key.as_ref()).then(|| (key.as_ref().to_owned(), value.into_owned()))
        });
        Self { name: element.local_name().as_ref().to_owned(), attributes: kept.collect(), ..Self::default() }
    }
}

/// A template that is filled with data.
struct Filled<'t> {
    tree: &'t Tree,
    /// Elements of the data by parent and name, and by name alone; the last one comes first.
    inside: HashMap<(usize, &'t str), Vec<usize>>,
    anywhere: HashMap<&'t str, Vec<usize>>,
    used: HashSet<usize>,
    writer: Writer,
    /// Elements that may still be visited: a part of a form may repeat.
    left: usize,
}

impl<'t> Filled<'t> {
    fn new(tree: &'t Tree, data: Option<usize>, limits: &Limits) -> Self {
        let (mut inside, mut anywhere) = (HashMap::<_, Vec<usize>>::new(), HashMap::<_, Vec<usize>>::new());
        let mut open: Vec<usize> = data.into_iter().collect();
        while let Some(at) = open.pop() {
            for &child in tree.0[at].children.iter().rev() {
                let name = tree.0[child].name.as_str();
                inside.entry((at, name)).or_default().push(child);
                anywhere.entry(name).or_default().push(child);
                open.push(child);
            }
        }
        Self {
            tree,
            inside,
            anywhere,
            used: HashSet::new(),
            writer: Writer::new(limits.text_bytes),
            left: 10 * MAX_NODES,
        }
    }

    /// The next unused element of this name in `data`.
    fn next(&mut self, data: Option<usize>, name: &'t str) -> Option<usize> {
        Self::unused(self.inside.get_mut(&(data?, name))?, &mut self.used)
    }

    fn unused(all: &mut Vec<usize>, used: &mut HashSet<usize>) -> Option<usize> {
        std::iter::from_fn(|| all.pop()).find(|one| used.insert(*one))
    }

    /// The data of a field: by its binding, otherwise by its name.
    fn data_of(&mut self, field: usize, data: Option<usize>) -> Option<usize> {
        let tree = self.tree;
        let bind = tree.child(field, "bind");
        let bound = |name| bind.and_then(|bind| tree.attribute(bind, name));
        if bound("match") == Some("none") {
            return None;
        }
        let named = bound("ref").and_then(|path| path.rsplit('.').next()?.split('[').next());
        let name = named.or_else(|| tree.attribute(field, "name"))?;
        self.next(data, name).or_else(|| Self::unused(self.anywhere.get_mut(name)?, &mut self.used))
    }

    fn children(&mut self, at: usize, data: Option<usize>, depth: usize) {
        let tree = self.tree;
        self.left = self.left.saturating_sub(tree.0[at].children.len());
        if self.left == 0 {
            return;
        }
        let mut children = tree.0[at].children.clone();
        if matches!(tree.attribute(at, "layout"), None | Some("position")) {
            children.sort_by(|a, b| {
                let ((top, left), (other_top, other_left)) = (tree.place(*a), tree.place(*b));
                top.total_cmp(&other_top).then(left.total_cmp(&other_left))
            });
        }
        for child in children {
            if depth > MAX_DEPTH || self.writer.is_full() {
                return;
            }
            if !matches!(tree.attribute(child, "presence"), Some("hidden" | "inactive" | "invisible")) {
                self.element(child, data, depth + 1);
            }
        }
    }

    fn element(&mut self, at: usize, data: Option<usize>, depth: usize) {
        let tree = self.tree;
        match tree.0[at].name.as_str() {
            "subform" => {
                let is_unbound =
                    tree.child(at, "bind").and_then(|bind| tree.attribute(bind, "match")) == Some("none");
                let Some(name) = tree.attribute(at, "name").filter(|_| !is_unbound) else {
                    return self.children(at, data, depth);
                };
                let most = tree.child(at, "occur").and_then(|occur| tree.attribute(occur, "max"));
                let repeats = most.is_some_and(|most| most != "1");
                let mut own = self.next(data, name);
                // A part without data shows its labels.
                loop {
                    self.children(at, own.or(data), depth);
                    own = if repeats && own.is_some() { self.next(data, name) } else { None };
                    if own.is_none() || self.writer.is_full() || self.left == 0 {
                        return;
                    }
                }
            }
            "area" | "subformSet" => self.children(at, data, depth),
            "draw" => {
                if let Some(value) = tree.child(at, "value") {
                    self.writer.block(&tree.text(value));
                }
            }
            "exclGroup" => {
                self.caption(at);
                let chosen = self.data_of(at, data).map(|at| tree.text(at)).unwrap_or_default();
                for field in tree.0[at].children.iter().copied().filter(|one| tree.0[*one].name == "field") {
                    self.tick(field, &chosen);
                }
            }
            "field" => self.field(at, data),
            _ => {}
        }
    }

    fn field(&mut self, at: usize, data: Option<usize>) {
        let tree = self.tree;
        let is = |kind| tree.below(at, &["ui", kind]).is_some();
        if ["button", "signature", "passwordEdit", "imageEdit"].into_iter().any(is) {
            return;
        }
        let own = tree.child(at, "value").map(|value| tree.text(value));
        let value = self.data_of(at, data).map(|at| tree.text(at)).filter(|value| !value.is_empty());
        let value = value.or(own).unwrap_or_default();
        if is("checkButton") {
            return self.tick(at, &value);
        }
        let shown = self.shown(at, &value);
        self.line(at, &shown);
    }

    /// Writes a box, which is ticked if it has this value.
    fn tick(&mut self, field: usize, value: &str) {
        let items = self.items(field, false);
        let on = items.first().map_or("1", String::as_str);
        self.line(field, if value == on { "☑ yes" } else { "☐ no" });
    }

    /// The text that a field displays for a value: a choice list may have other words for it.
    fn shown(&self, field: usize, value: &str) -> String {
        let (displayed, saved) = (self.items(field, false), self.items(field, true));
        let at = saved.iter().position(|one| one == value);
        at.and_then(|at| displayed.get(at)).cloned().unwrap_or_else(|| value.to_owned())
    }

    /// The items of a field: those that are displayed, or those that are saved.
    fn items(&self, field: usize, are_saved: bool) -> Vec<String> {
        let tree = self.tree;
        let lists = tree.0[field].children.iter().copied().filter(|one| tree.0[*one].name == "items");
        let mut lists = lists.filter(|one| (tree.attribute(*one, "save") == Some("1")) == are_saved);
        let items = lists.next().map(|list| &tree.0[list].children);
        items.into_iter().flatten().map(|item| tree.text(*item)).collect()
    }

    fn label(&self, at: usize) -> String {
        let tree = self.tree;
        let caption =
            tree.below(at, &["caption", "value"]).or_else(|| tree.below(at, &["assist", "toolTip"]));
        let label = caption.map(|caption| tree.text(caption)).filter(|label| !label.is_empty());
        label.or_else(|| tree.attribute(at, "name").map(str::to_owned)).unwrap_or_default()
    }

    fn caption(&mut self, at: usize) {
        if let Some(caption) = self.tree.below(at, &["caption", "value"]) {
            self.writer.block(&self.tree.text(caption));
        }
    }

    /// Writes a value after its label, or only the printed label.
    fn line(&mut self, at: usize, value: &str) {
        if value.is_empty() {
            return self.caption(at);
        }
        let label = self.label(at);
        self.writer.block(&labelled(&label, value));
    }
}

#[cfg(test)]
mod tests {
    use lopdf::{Object, Stream, dictionary};

    use super::super::extract;
    use super::super::tests::{document, saved};
    use super::*;

    const TEMPLATE: &str = "<template><subform name='form1' layout='tb'><pageSet><pageArea/></pageSet>\
        <subform name='head'><field name='city' y='20mm'><caption><value><text>City</text></value></caption></field>\
        <draw y='0'><value><exData><body><p>Request for <b>leave</b></p></body></exData></value></draw>\
        <field name='who' y='0.5in'><ui><textEdit/></ui><caption><value><text>Name:</text></value></caption></field>\
        <field name='go'><ui><button/></ui><caption><value><text>Send</text></value></caption></field>\
        <field name='old' presence='hidden'><caption><value><text>Old</text></value></caption></field></subform>\
        <subform name='day' layout='tb'><occur max='-1'/><field name='date'><assist><toolTip>Day off</toolTip></assist></field>\
        <field name='kind'><ui><choiceList/></ui><caption><value><text>Kind</text></value></caption>\
        <items><text>Paid</text><text>Unpaid</text></items><items save='1'><text>P</text><text>U</text></items></field></subform>\
        <field name='sure'><ui><checkButton/></ui><caption><value><text>Agreed</text></value></caption><items><integer>1</integer></items></field>\
        <exclGroup name='unit'><field><caption><value><text>Hours</text></value></caption><items><text>h</text></items></field>\
        <field><caption><value><text>Days</text></value></caption><items><text>d</text></items></field></exclGroup></subform></template>";
    const DATA: &str = "<xfa:datasets xmlns:xfa='x'><xfa:data><form1><head><who>Ada &amp; Bo</who><old>no</old></head>\
        <day><date>2024-03-01</date><kind>P</kind></day><day><date>2024-03-04</date><kind>U</kind></day>\
        <sure>1</sure><unit>d</unit></form1></xfa:data></xfa:datasets>";

    fn read(packets: &[&str], page: &str) -> String {
        let mut file = document(&[vec![(50, 700, page)]]);
        let streams: Vec<Object> = packets
            .iter()
            .flat_map(|packet| {
                let stream = file.add_object(Stream::new(dictionary! {}, packet.as_bytes().to_vec()));
                [Object::string_literal("packet"), stream.into()]
            })
            .collect();
        let form = file.add_object(dictionary! { "XFA" => streams, "Fields" => Vec::<Object>::new() });
        file.catalog_mut().unwrap().set("AcroForm", form);
        extract(&saved(file), &Limits::default()).unwrap().validated().unwrap().text
    }

    #[test]
    fn labels_and_values_stand_in_reading_order_and_the_placeholder_is_gone() {
        let text = read(&["<xdp:xdp xmlns:xdp='x'>", TEMPLATE, DATA, "</xdp:xdp>"], "Please wait...");
        assert_eq!(
            text.replace("\n\n", "|"),
            "Request for leave|Name: Ada & Bo|City|Day off: 2024-03-01|Kind: Paid|Day off: 2024-03-04|Kind: Unpaid|\
             Agreed: ☑ yes|Hours: ☐ no|Days: ☑ yes"
        );
    }

    #[test]
    fn pages_that_show_the_form_are_read_as_pages() {
        assert_eq!(read(&[TEMPLATE, DATA], "Request of Ada"), "Request of Ada");
        assert_eq!(read(&["<template><subf"], "Please wait..."), "Please wait...", "there is nothing else");
    }
}
