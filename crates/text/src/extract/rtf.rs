//! Rich text to text: a tokeniser of groups, control words and characters, and the control words that matter.
//!
//! It follows the RTF specification 1.9.1 and never fails: damaged files are read as far as possible.

use std::collections::HashMap;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use oriel_core::{About, Extracted, Failure, Kind};

use super::Limits;
use super::flow::Flows;
use super::writer::{Writer, one_line};
use super::xml::Script;

/// Maximum nesting of groups; deeper ones count as this deep.
const MAX_DEPTH: usize = 10_000;

/// Reads a document.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let (writer, about) = read(bytes, limits);
    Ok(Extracted { about, ..writer.finish(Kind::Rtf)? })
}

/// The text of a document, and what it says about itself.
pub(super) fn read(bytes: &[u8], limits: &Limits) -> (Writer, About) {
    let mut reader = Reader::new(limits);
    let mut tokens = Tokens { bytes, at: 0 };
    while let Some(token) = tokens.next() {
        reader.token(&token, &mut tokens);
        if reader.flows.is_full() {
            break;
        }
    }
    reader.finish()
}

/// The encoding of a Windows code page.
pub(super) fn code_page(page: u16) -> Option<&'static Encoding> {
    let label = match page {
        65001 => return Some(UTF_8),
        874 | 1250..=1258 => format!("windows-{page}"),
        932 => "shift_jis".to_owned(),
        936 => "gbk".to_owned(),
        949 | 1361 => "euc-kr".to_owned(),
        950 => "big5".to_owned(),
        866 => "ibm866".to_owned(),
        10000 => "macintosh".to_owned(),
        20866 => "koi8-r".to_owned(),
        28591..=28605 => format!("iso-8859-{}", page - 28590),
        _ => return None,
    };
    Encoding::for_label(label.as_bytes())
}

/// The encoding of a font's character set; `None` for the document's own.
fn character_set(set: i32) -> Option<&'static Encoding> {
    let page = match set {
        0 => 1252,
        77 => 10000,
        128 => 932,
        129 => 949,
        130 => 1361,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        _ => return None,
    };
    code_page(page)
}

enum Token<'a> {
    Open,
    Close,
    /// A control word, and its number.
    Word(&'a str, Option<i32>),
    Symbol(u8),
    Byte(u8),
}

struct Tokens<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Tokens<'a> {
    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            match byte {
                b'{' => return Some(Token::Open),
                b'}' => return Some(Token::Close),
                b'\\' => {
                    if let Some(token) = self.control() {
                        return Some(token);
                    }
                }
                b'\r' | b'\n' | 0 => {}
                byte => return Some(Token::Byte(byte)),
            }
        }
    }

    /// The token after a backslash; `None` for an invalid character, and at the end.
    fn control(&mut self) -> Option<Token<'a>> {
        let rest = &self.bytes[self.at..];
        let letters = rest.iter().take(32).take_while(|byte| byte.is_ascii_alphabetic()).count();
        if letters == 0 {
            let symbol = *rest.first()?;
            self.at += 1;
            if symbol != b'\'' {
                return Some(Token::Symbol(symbol));
            }
            let digits = rest.get(1..3).and_then(|digits| std::str::from_utf8(digits).ok());
            let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
            self.at += byte.map_or(0, |_| 2);
            return byte.map(Token::Byte);
        }
        let word = std::str::from_utf8(&rest[..letters]).unwrap_or_default();
        let signs = usize::from(rest.get(letters) == Some(&b'-'));
        let digits = rest[letters + signs..].iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
        let end = if digits > 0 { letters + signs + digits } else { letters };
        let number = std::str::from_utf8(&rest[letters..end]).ok().and_then(|number| number.parse().ok());
        self.at += end + usize::from(rest.get(end) == Some(&b' '));
        Some(Token::Word(word, number))
    }

    /// Skips bytes that are not text, such as an image.
    fn skip(&mut self, count: usize) {
        self.at = self.at.saturating_add(count).min(self.bytes.len());
    }
}

/// The destination of characters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Destination {
    Text,
    Skipped,
    Fonts,
    Styles,
    /// A value of [`About`].
    Title,
    Author,
}

/// The state that ends with its group.
#[derive(Clone, Copy)]
struct State {
    destination: Destination,
    font: i32,
    /// The number of characters that replace a Unicode character in old readers.
    fallback: usize,
    is_hidden: bool,
    is_struck: bool,
    is_bold: bool,
    script: Script,
    /// Whether the group contains a note, which is written after its paragraph.
    is_box: bool,
    /// Whether the rich text repeats the HTML inside it.
    is_repeated: bool,
}

struct Reader {
    flows: Flows,
    states: Vec<State>,
    /// The number of open groups beyond [`MAX_DEPTH`].
    deeper: usize,
    /// Bytes that wait for the rest of their character.
    bytes: Vec<u8>,
    units: Vec<u16>,
    /// Characters to skip after a Unicode character.
    to_skip: usize,
    page: &'static Encoding,
    /// Encodings by font.
    fonts: HashMap<i32, Option<&'static Encoding>>,
    /// Heading levels by style.
    styles: HashMap<i32, u8>,
    /// The number of the style that is being described, and its name.
    style: (i32, String),
    /// Whether readers that do not know the next group may skip it.
    is_optional: bool,
    in_table: bool,
    is_row_open: bool,
    /// The heading level of the current paragraph.
    level: Option<u8>,
    title: String,
    author: String,
}

impl Reader {
    fn new(limits: &Limits) -> Self {
        let state = State {
            destination: Destination::Text,
            font: -1,
            fallback: 1,
            is_hidden: false,
            is_struck: false,
            is_bold: false,
            script: Script::Normal,
            is_box: false,
            is_repeated: false,
        };
        Self {
            flows: Flows::new(limits.text_bytes),
            states: vec![state],
            deeper: 0,
            bytes: Vec::new(),
            units: Vec::new(),
            to_skip: 0,
            page: WINDOWS_1252,
            fonts: HashMap::new(),
            styles: HashMap::new(),
            style: (0, String::new()),
            is_optional: false,
            in_table: false,
            is_row_open: false,
            level: None,
            title: String::new(),
            author: String::new(),
        }
    }

    fn state(&mut self) -> &mut State {
        let last = self.states.len() - 1;
        &mut self.states[last]
    }

    fn token(&mut self, token: &Token<'_>, tokens: &mut Tokens<'_>) {
        match *token {
            Token::Byte(_) | Token::Symbol(b'~' | b'_' | b'-' | b'{' | b'}' | b'\\') | Token::Word(..)
                if self.to_skip > 0 && !matches!(token, Token::Word("u", _)) =>
            {
                self.to_skip -= 1;
                if !matches!(token, Token::Word(..)) {
                    return;
                }
            }
            _ => {}
        }
        match *token {
            Token::Byte(byte) => {
                self.flush_units();
                self.bytes.push(byte);
            }
            Token::Open => {
                self.flush();
                self.to_skip = 0;
                self.open();
            }
            Token::Close => {
                self.flush();
                self.to_skip = 0;
                self.close();
            }
            Token::Symbol(symbol) => {
                self.flush();
                match symbol {
                    b'*' => self.is_optional = true,
                    b'~' => self.write("\u{A0}"),
                    b'_' => self.write("-"),
                    b'{' => self.write("{"),
                    b'}' => self.write("}"),
                    b'\\' => self.write("\\"),
                    b'\r' | b'\n' => self.end_paragraph(),
                    _ => {}
                }
            }
            Token::Word("u", number) => {
                self.flush_bytes();
                // Numbers above 32767 are written as negative numbers.
                let unit = number.unwrap_or(0) & 0xFFFF;
                self.units.push(u16::try_from(unit).unwrap_or(0xFFFD));
                self.to_skip = self.state().fallback;
            }
            Token::Word("bin", number) => {
                tokens.skip(number.and_then(|count| usize::try_from(count).ok()).unwrap_or(0));
            }
            Token::Word(word, number) => {
                self.flush();
                self.word(word, number);
                self.is_optional = false;
            }
        }
    }

    fn open(&mut self) {
        if self.states.len() >= MAX_DEPTH {
            self.deeper += 1;
            return;
        }
        let state = State { is_box: false, ..*self.state() };
        self.states.push(state);
        self.is_optional = false;
    }

    fn close(&mut self) {
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        if self.state().destination == Destination::Styles {
            self.end_style();
        }
        if self.states.len() > 1
            && let Some(state) = self.states.pop()
            && state.is_box
        {
            self.flows.close_box();
        }
    }

    fn word(&mut self, word: &str, number: Option<i32>) {
        let is_on = number != Some(0);
        match word {
            // Destinations.
            "fonttbl" => self.state().destination = Destination::Fonts,
            "stylesheet" => self.state().destination = Destination::Styles,
            "title" if self.state().destination == Destination::Skipped => {
                self.state().destination = Destination::Title;
            }
            "author" if self.state().destination == Destination::Skipped => {
                self.state().destination = Destination::Author;
            }
            "info" | "colortbl" | "pict" | "objdata" | "fldinst" | "header" | "headerl" | "headerr"
            | "headerf" | "footer" | "footerl" | "footerr" | "footerf" | "listtext" | "pntext" | "sp"
            | "datafield" | "ftnsep" | "ftnsepc" | "aftnsep" | "aftnsepc" | "themedata" | "revtbl"
            | "rsidtbl" | "xe" | "tc" | "bkmkstart" | "bkmkend" | "atnid" | "atnauthor" | "annotation"
            | "objclass" | "nonshppict" | "listtable" | "listoverridetable" | "generator"
            | "nonesttables" => {
                self.state().destination = Destination::Skipped;
            }
            // Shapes may be skipped, but contain text.
            "shpinst" | "shptxt" | "shprslt" | "do" | "dptxbxtext" => {}
            "footnote" if self.is_text() => {
                self.state().is_box = true;
                self.flows.open();
            }
            "htmltag" => self.state().destination = Destination::Skipped,
            "htmlrtf" => self.state().is_repeated = is_on,
            _ if self.is_optional => self.state().destination = Destination::Skipped,
            // Encodings.
            "ansicpg" => {
                if let Some(page) = number.and_then(|page| u16::try_from(page).ok()).and_then(code_page) {
                    self.page = page;
                }
            }
            "mac" => self.page = code_page(10000).unwrap_or(self.page),
            "uc" => {
                self.state().fallback =
                    number.and_then(|count| usize::try_from(count).ok()).unwrap_or(1).min(100);
            }
            "f" => {
                self.state().font = number.unwrap_or(0);
            }
            "fcharset" if self.state().destination == Destination::Fonts => {
                let font = self.state().font;
                self.fonts.insert(font, number.and_then(character_set));
            }
            // Styles.
            "s" if self.state().destination == Destination::Styles => self.style.0 = number.unwrap_or(0),
            "s" => {
                let style = number.unwrap_or(0);
                self.level = self.styles.get(&style).copied();
            }
            "outlinelevel" if self.is_text() => {
                self.level = number
                    .and_then(|level| u8::try_from(level).ok())
                    .filter(|level| *level < 9)
                    .map(|level| level + 1);
            }
            "pard" => {
                self.level = None;
                self.in_table = false;
            }
            "plain" => {
                let state = self.state();
                (state.is_hidden, state.is_struck, state.is_bold) = (false, false, false);
                state.script = Script::Normal;
            }
            "strike" | "striked" => self.state().is_struck = is_on,
            "b" => self.state().is_bold = is_on,
            "super" => self.state().script = if is_on { Script::Super } else { Script::Normal },
            "sub" => self.state().script = if is_on { Script::Sub } else { Script::Normal },
            "nosupersub" => self.state().script = Script::Normal,
            "v" | "deleted" => self.state().is_hidden = is_on,
            // Text.
            "par" | "sect" | "page" | "column" => self.end_paragraph(),
            "line" => self.write("\n"),
            "tab" | "nestcell" => self.write("\t"),
            "emdash" => self.write("—"),
            "endash" => self.write("–"),
            "bullet" => self.write("•"),
            "lquote" => self.write("‘"),
            "rquote" => self.write("’"),
            "ldblquote" => self.write("“"),
            "rdblquote" => self.write("”"),
            "emspace" | "enspace" | "qmspace" => self.write(" "),
            "intbl" => self.in_table = true,
            "cell" if self.is_text() => {
                self.begin_row();
                self.flows.close_cell();
                self.flows.open();
            }
            "row" if self.is_text() => self.end_row(),
            "trowd" if self.is_text() => self.in_table = true,
            _ => {}
        }
    }

    fn is_text(&mut self) -> bool {
        self.state().destination == Destination::Text
    }

    /// Begins a row with its first cell. Text already in the paragraph belongs to the cell.
    fn begin_row(&mut self) {
        if !self.is_row_open {
            let paragraph = self.flows.take_paragraph();
            if !self.flows.has_table() {
                self.flows.open_table();
            }
            self.flows.open();
            self.flows.write(&paragraph);
            self.is_row_open = true;
        }
    }

    fn end_row(&mut self) {
        if std::mem::take(&mut self.is_row_open) {
            // There is no cell after the last one.
            self.flows.drop_cell();
            self.flows.close_row();
        }
    }

    fn end_paragraph(&mut self) {
        if !self.is_text() {
            return;
        }
        if self.in_table {
            self.begin_row();
        } else {
            self.end_row();
            self.end_table();
            if let Some(level) = self.level {
                self.flows.set_heading(level);
            }
        }
        self.flows.end_paragraph();
    }

    fn end_table(&mut self) {
        let paragraph = self.flows.take_paragraph();
        while self.flows.has_table() {
            self.flows.close_table();
        }
        self.flows.write(&paragraph);
    }

    fn end_style(&mut self) {
        let (number, name) = std::mem::take(&mut self.style);
        let name = name.trim_end_matches(';').trim().to_ascii_lowercase();
        let level = if name == "title" {
            Some(1)
        } else {
            name.strip_prefix("heading ").and_then(|level| level.parse().ok())
        };
        if let Some(level) = level.filter(|level| (1..=9).contains(level)) {
            self.styles.entry(number).or_insert(level);
        }
    }

    fn flush(&mut self) {
        self.flush_bytes();
        self.flush_units();
    }

    fn flush_bytes(&mut self) {
        if self.bytes.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut self.bytes);
        let font = self.state().font;
        let own = self.fonts.get(&font).copied().flatten();
        let text = own.unwrap_or(self.page).decode_without_bom_handling(&bytes).0;
        self.write(&text);
    }

    fn flush_units(&mut self) {
        if !self.units.is_empty() {
            let text = String::from_utf16_lossy(&std::mem::take(&mut self.units));
            self.write(&text);
        }
    }

    fn write(&mut self, text: &str) {
        let state = *self.state();
        let kept = match state.destination {
            Destination::Text if !state.is_hidden && !state.is_repeated => {
                let text = state.script.apply(text);
                self.flows.set_bold(state.is_bold);
                return self.flows.write_struck(&text, state.is_struck, Flows::write);
            }
            Destination::Styles => &mut self.style.1,
            Destination::Title => &mut self.title,
            Destination::Author => &mut self.author,
            _ => return,
        };
        kept.push_str(text);
        self.flows.count(text.len());
    }

    fn finish(mut self) -> (Writer, About) {
        self.flush();
        self.in_table = false;
        while self.states.len() > 1 {
            self.close();
        }
        self.state().destination = Destination::Text;
        self.end_paragraph();
        let some = |text: &str| Some(one_line(text)).filter(|text| !text.is_empty());
        let about = About { title: some(&self.title), author: some(&self.author), ..About::default() };
        (self.flows.finish(), about)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rich(body: &str) -> Extracted {
        let text = format!("{{\\rtf1\\ansi\\ansicpg1252{body}}}");
        extract(text.as_bytes(), &Limits::default()).unwrap().validated().unwrap()
    }

    #[test]
    fn characters_of_all_kinds_are_read() {
        assert_eq!(
            rich("{\\b One} tw\\'f6\\par\nThree\\line four\\~\\emdash five\\{\\}").text,
            "One twö\n\nThree\nfour\u{A0}—five{}"
        );
        assert_eq!(
            rich("\\u8364?\\uc0\\u8364 x \\uc1\\u-10179 ?\\u-8704 ?").text,
            "€€x 😀",
            "with and without fallbacks"
        );
        assert_eq!(
            rich("{\\fonttbl{\\f0\\fcharset0 A;}{\\f1\\fcharset128 B;}}\\f1\\'82\\'a0{\\f0 \\'e4}\\'82\\'a2")
                .text,
            "あäい"
        );
        assert_eq!(
            rich("It is 10{\\super 3} H{\\sub 2}O {\\strike old price} new \\strike gone\\par\\plain Next")
                .text,
            "It is 10³ H₂O ~~old price~~ new ~~gone~~\n\nNext"
        );
    }

    #[test]
    fn what_is_no_text_is_left_out() {
        let made = rich(
            "{\\info{\\title The Dam}{\\author A. Berg}}{\\*\\generator Word;}{\\pict\\bin3 }}}0a}{\\header Page}\\v hidden\\v0 Seen\
             {\\field{\\*\\fldinst HYPERLINK x}{\\fldrslt  link}}{\\footnote The note.}.\\par",
        );
        assert_eq!(made.text, "Seen link.\n\nThe note.");
        assert_eq!(
            (made.about.title.as_deref(), made.about.author.as_deref()),
            (Some("The Dam"), Some("A. Berg"))
        );
    }

    #[test]
    fn invalid_characters_and_long_titles_do_no_harm() {
        assert_eq!(rich(&"\\'".repeat(1_000_000)).text, "");
        let limits = Limits { text_bytes: 100, ..Limits::default() };
        let long = format!("{{\\rtf1{{\\info{{\\title {}}}}}Text}}", "a".repeat(200));
        assert!(extract(long.as_bytes(), &limits).is_err());
    }

    #[test]
    fn headings_and_tables_are_found() {
        let made = rich(
            "{\\stylesheet{\\s0 Normal;}{\\s7\\b heading 2;}}\\pard\\s7 Costs\\par\\pard Before\\par\
             \\trowd\\pard\\intbl Item\\cell Price\\cell\\row\\trowd\\pard\\intbl Paint\\par two\\cell 40\\cell\\row\\pard After\\par",
        );
        assert_eq!(made.text, "Costs\n\nBefore\n\nItem\tPrice\nPaint two\t40\n\nAfter");
        assert_eq!((made.outline.headings[0].level, made.outline.tables.len()), (2, 1));
    }
}
