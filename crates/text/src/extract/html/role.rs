//! The meaning of the elements of a page.

/// The role of an element on the page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Inline,
    Block,
    Heading(u8),
    Break,
    List,
    Item,
    Definitions,
    Term,
    Definition,
    Preformatted,
    Table,
    Caption,
    TableHead,
    Row,
    Cell,
    Hidden,
}

impl Role {
    pub(super) fn of(name: &str) -> Self {
        match name {
            "h1" => Self::Heading(1),
            "h2" => Self::Heading(2),
            "h3" => Self::Heading(3),
            "h4" => Self::Heading(4),
            "h5" => Self::Heading(5),
            "h6" => Self::Heading(6),
            "br" => Self::Break,
            "ul" | "ol" | "menu" | "dir" => Self::List,
            "li" => Self::Item,
            // `details` is treated as a definition: the text that opens below its summary has no element of its own.
            "dl" | "details" => Self::Definitions,
            "dt" | "summary" => Self::Term,
            "caption" => Self::Caption,
            "dd" => Self::Definition,
            "pre" | "listing" | "plaintext" | "textarea" => Self::Preformatted,
            "table" => Self::Table,
            "thead" => Self::TableHead,
            "tr" => Self::Row,
            "td" | "th" => Self::Cell,
            // Elements that are never displayed, fallbacks for old browsers, the phonetic guide above a word, and
            // deleted text.
            "script" | "style" | "noscript" | "template" | "iframe" | "noframes" | "noembed" | "rt"
            | "rp" | "rtc" | "ix:header" | "datalist" | "del" | "video" | "audio" | "canvas"
            | "annotation" | "annotation-xml" | "desc" => Self::Hidden,
            "address" | "article" | "aside" | "blockquote" | "body" | "center" | "dialog" | "div"
            | "fieldset" | "figcaption" | "figure" | "footer" | "form" | "frameset" | "head" | "header"
            | "hgroup" | "hr" | "html" | "legend" | "main" | "nav" | "optgroup" | "option" | "p"
            | "search" | "section" | "tbody" | "text" | "tfoot" => Self::Block,
            _ => Self::Inline,
        }
    }
}
