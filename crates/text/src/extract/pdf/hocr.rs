//! Converts hOCR, the words that Tesseract recognised on a page, to the blocks of that page.
//!
//! Tesseract finds areas and lines. Everything else (cells, paragraphs, headings, hyphens, marks) is then read as on
//! any other page. See <https://kba.github.io/hocr-spec/1.2/>.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::blocks;
use super::furniture::PageBlocks;
use super::glyphs::PageGlyphs;
use super::layout::{Glyph, Segment};
use crate::extract::xml::attribute;

/// Words with less confidence (of 100) are left out …
const MIN_CONFIDENCE: f32 = 40.0;
/// … words with less than this may be wrong …
const SURE_CONFIDENCE: f32 = 70.0;
/// … and pages with less on average are left out: patterns in an image were taken for letters. Bad scans have some 70.
const MIN_MEAN_CONFIDENCE: f32 = 55.0;
/// Points per inch.
const POINTS: f32 = 72.0;

/// Reads a page. Elements that are not hOCR are skipped; the page ends where the data breaks off.
pub(super) fn page(hocr: &str) -> Page {
    let mut reader = Reader::from_str(hocr);
    reader.config_mut().check_end_names = false;
    let mut page = Page::of(&Title::default());
    let mut word: Option<(Title, String)> = None;
    loop {
        match reader.read_event() {
            Ok(Event::Start(element) | Event::Empty(element)) => {
                let title = Title::of(&element);
                match attribute(&element, "class").as_deref() {
                    Some("ocr_page") => page = Page::of(&title),
                    Some("ocr_carea") => page.begin_area(),
                    Some("ocrx_word") => word = Some((title, String::new())),
                    _ => page.begin_line(&title),
                }
            }
            Ok(Event::Text(text)) => {
                if let Some((_, word)) = &mut word {
                    word.push_str(&text.xml10_content());
                }
            }
            Ok(Event::GeneralRef(reference)) => {
                if let Some((_, word)) = &mut word {
                    match quick_xml::escape::resolve_predefined_entity(&reference) {
                        Some(text) => word.push_str(text),
                        None => word.extend(reference.resolve_char_ref().ok().flatten()),
                    }
                }
            }
            Ok(Event::End(_)) => {
                if let Some((title, word)) = word.take() {
                    page.push(&title, word.trim());
                }
            }
            Ok(Event::Eof) | Err(_) => {
                page.end_line();
                return page;
            }
            Ok(_) => {}
        }
    }
}

/// A page with the words of the current line.
pub(super) struct Page {
    glyphs: PageGlyphs,
    /// The lines of each area.
    areas: Vec<Vec<Segment>>,
    line: Line,
    /// Points per pixel.
    scale: f32,
    /// Words that may be wrong: left, top, right and bottom in pixels.
    unsure: Vec<[f32; 4]>,
    characters: f32,
    /// The sum over all characters.
    confidence: f32,
}

impl Page {
    fn of(title: &Title) -> Self {
        let scale = POINTS / title.number("scan_res").filter(|dpi| *dpi > 0.0).unwrap_or(POINTS);
        let [_, _, width, height] = title.bbox().unwrap_or_default();
        let glyphs = PageGlyphs::empty((width * scale, height * scale));
        let (areas, unsure) = (Vec::new(), Vec::new());
        Self { glyphs, areas, line: Line::default(), scale, unsure, characters: 0.0, confidence: 0.0 }
    }

    fn begin_area(&mut self) {
        self.end_line();
        self.areas.push(Vec::new());
    }

    /// Begins a line if the title belongs to one.
    fn begin_line(&mut self, title: &Title) {
        if let Some(line) = Line::of(title) {
            self.end_line();
            self.line = line;
        }
    }

    fn push(&mut self, title: &Title, word: &str) {
        let (Some(confidence), Some(place)) = (title.number("x_wconf"), title.bbox()) else { return };
        let characters = word.chars().count() as f32;
        self.characters += characters;
        self.confidence += characters * confidence;
        if confidence >= MIN_CONFIDENCE && !word.is_empty() {
            if confidence < SURE_CONFIDENCE {
                self.unsure.push(place);
            }
            let [u0, u1] = [place[0], place[2]].map(|pixels| pixels * self.scale);
            let [v, size] = [self.line.baseline, self.line.size].map(|pixels| pixels * self.scale);
            self.glyphs.push_word(word, (u0, u1), v, size);
        }
    }

    fn end_line(&mut self) {
        let glyphs = std::mem::take(&mut self.glyphs.glyphs);
        let (Some(first), Some(area)) = (glyphs.first(), self.areas.last_mut()) else { return };
        area.push(Segment {
            angle: 0,
            u0: glyphs.iter().map(|glyph| glyph.u0).fold(f32::INFINITY, f32::min),
            u1: glyphs.iter().map(|glyph| glyph.u1).fold(f32::NEG_INFINITY, f32::max),
            v: first.v,
            size: first.size,
            rtl: glyphs.iter().any(Glyph::is_rtl),
            alone: false,
            glyphs,
        });
    }

    /// Whether it has more characters than a normal page.
    pub(super) fn overflows(&self) -> bool {
        self.glyphs.overflow
    }

    /// Width and height in points.
    pub(super) fn dimensions(&self) -> (f32, f32) {
        self.glyphs.dimensions
    }

    fn is_picture(&self) -> bool {
        self.confidence < MIN_MEAN_CONFIDENCE * self.characters
    }

    /// The places of words that may be wrong: left, top, right and bottom as fractions of the page.
    pub(super) fn unsure(&self) -> impl Iterator<Item = [f32; 4]> {
        let (width, height) = self.dimensions();
        let words = if self.is_picture() { &[][..] } else { &self.unsure };
        words.iter().map(move |&[left, top, right, bottom]| {
            let [left, right] = [left, right].map(|pixels| (pixels * self.scale / width).clamp(0.0, 1.0));
            let [top, bottom] = [top, bottom].map(|pixels| (pixels * self.scale / height).clamp(0.0, 1.0));
            [left, top, right, bottom]
        })
    }

    /// The blocks of the page; if `traced`, their rows keep their glyphs.
    pub(super) fn blocks(mut self, traced: bool) -> PageBlocks {
        self.glyphs.traced = traced;
        let areas = if self.is_picture() { Vec::new() } else { self.areas };
        PageBlocks::recognised(blocks::of_areas(&self.glyphs, areas), self.glyphs.dimensions.1)
    }
}

/// The line around a word, in pixels.
#[derive(Clone, Copy, Default)]
struct Line {
    /// The height of its baseline in the middle of the line.
    baseline: f32,
    /// From the top of its tallest letters to the bottom of its deepest.
    size: f32,
}

impl Line {
    fn of(title: &Title) -> Option<Self> {
        let size = title.number("x_size").filter(|size| *size > 0.0)?;
        let [left, _, right, bottom] = title.bbox()?;
        let baseline = title.numbers("baseline");
        let (slope, offset) = (baseline.first().unwrap_or(&0.0), baseline.get(1).unwrap_or(&0.0));
        Some(Self { baseline: bottom + offset + slope * (right - left) / 2.0, size })
    }
}

/// The properties in the `title` attribute of an element.
#[derive(Default)]
struct Title(String);

impl Title {
    fn of(element: &BytesStart<'_>) -> Self {
        Self(attribute(element, "title").unwrap_or_default())
    }

    fn numbers(&self, name: &str) -> Vec<f32> {
        let values = self.0.split(';').find_map(|part| part.trim().strip_prefix(name)?.strip_prefix(' '));
        let numbers = values.unwrap_or_default().split(' ').filter_map(|number| number.parse().ok());
        numbers.filter(|number: &f32| number.is_finite()).collect()
    }

    fn number(&self, name: &str) -> Option<f32> {
        self.numbers(name).first().copied()
    }

    /// Left, top, right, bottom.
    fn bbox(&self) -> Option<[f32; 4]> {
        self.numbers("bbox").try_into().ok()
    }
}

#[cfg(test)]
mod tests {
    use oriel_core::{ByteSpan, Extracted, RecognisedPages};

    use super::super::{image_recognised, marks, unsure_words};
    use crate::extract::MarkRequest;

    /// A page of 600 by 800 points, drawn at 144 dots per inch, with lines of words: left, top, confidence and text.
    fn page(lines: &[&[(u32, u32, u32, &str)]]) -> String {
        let mut hocr = String::from(
            "<?xml version=\"1.0\"?><html><body>\
             <div class='ocr_page' title='image \"stdin\"; bbox 0 0 1200 1600; ppageno 0; scan_res 144 144'>\
             <div class='ocr_carea' title='bbox 100 100 1100 1500'>",
        );
        for line in lines {
            let (left, top) = (line[0].0, line[0].1);
            hocr.push_str(&format!(
                "<span class='ocr_line' title=\"bbox {left} {top} 1100 {}; baseline 0 -5; x_size 24; x_ascenders 6\">",
                top + 24
            ));
            for (left, top, confidence, word) in *line {
                let right = left + 12 * word.chars().count() as u32;
                hocr.push_str(&format!(
                    "<span class='ocrx_word' title='bbox {left} {top} {right} {}; x_wconf {confidence}'>{word}</span> ",
                    top + 24
                ));
            }
            hocr.push_str("</span>");
        }
        hocr + "</div></div></body></html>\n"
    }

    fn extracted(pages: &[&str]) -> Extracted {
        image_recognised(&numbered(pages)).unwrap()
    }

    fn numbered(pages: &[&str]) -> RecognisedPages {
        (1..).zip(pages.iter().map(|&page| page.to_owned())).collect()
    }

    fn text(hocr: &str) -> String {
        extracted(&[hocr]).text
    }

    #[test]
    fn lines_become_paragraphs_and_divided_words_are_joined() {
        let hocr = page(&[
            &[(100, 100, 96, "A"), (130, 100, 96, "long"), (190, 100, 95, "exam-")],
            &[(100, 130, 96, "ple"), (150, 130, 90, "&amp;"), (180, 130, 93, "more.")],
            &[(100, 300, 96, "Another.")],
        ]);
        assert_eq!(text(&hocr), "A long example\n& more.\n\nAnother.");
    }

    #[test]
    fn what_is_hardly_a_word_is_left_out_and_pages_are_kept_apart() {
        let first = page(&[&[(100, 100, 96, "Tide"), (156, 100, 12, "~;"), (168, 100, 90, "tables.")]]);
        let picture = page(&[&[(100, 100, 45, "nm"), (180, 100, 50, "iil"), (240, 100, 60, "oe")]]);
        let extracted = extracted(&[&first, &picture, &page(&[&[(100, 100, 96, "Third.")]])]);
        assert_eq!(extracted.text, "Tide tables.\n\nThird.");
        let third = extracted.text.find("Third").unwrap() as u32;
        assert_eq!((extracted.pages.len(), extracted.pages.page_at(third)), (3, Some(3)));
        assert_eq!(text(&first[..first.len() / 2]), "", "what breaks off is no text");
        assert_eq!(text("no hOCR <<<"), "");
    }

    #[test]
    fn words_that_may_be_wrong_have_a_box_unless_their_page_is_a_picture() {
        let lines: &[&[_]] = &[&[(120, 160, 96, "Tide"), (300, 160, 55, "tab1es"), (600, 160, 12, "~;")]];
        let found = unsure_words(&numbered(&[&page(lines), &page(&[&[(100, 100, 45, "nm")]])]));
        let [word] = found[..] else { panic!("{found:?}") };
        assert_eq!((word.page, word.left, word.top), (1, 0.25, 0.1));
        assert!((word.right - 0.31).abs() < 0.001 && (word.bottom - 0.115).abs() < 0.001, "{word:?}");
    }

    #[test]
    fn a_span_has_a_box_around_its_words() {
        let hocr = page(&[
            &[(100, 100, 96, "Not"), (150, 100, 96, "this.")],
            &[(100, 400, 96, "But"), (150, 400, 96, "these"), (230, 400, 96, "words.")],
        ]);
        let extracted = extracted(&[&hocr]);
        let start = extracted.text.find("these").unwrap() as u32;
        let span = ByteSpan::new(start, extracted.text.len() as u32);
        let request = MarkRequest::new(&extracted.text, &extracted.pages, &[span]);
        let [mark] = marks(&[], &numbered(&[&hocr]), &request).unwrap().unwrap()[..] else {
            panic!("one line has one box")
        };
        let near = |edge: f32, pixels: f32, of: f32| (edge * of - pixels).abs() < 6.0;
        assert!(near(mark.left, 150.0, 1200.0) && near(mark.right, 302.0, 1200.0), "{mark:?}");
        assert!(near(mark.top, 400.0, 1600.0) && near(mark.bottom, 424.0, 1600.0), "{mark:?}");
    }

    #[test]
    fn chinese_has_no_spaces_and_hebrew_runs_from_the_right() {
        let hocr = page(&[&[(100, 100, 96, "机器"), (124, 100, 96, "学习")]]);
        assert_eq!(text(&hocr), "机器学习");
        let hocr = page(&[&[(200, 100, 96, "שלום"), (144, 100, 96, "עולם")]]);
        assert_eq!(text(&hocr), "שלום עולם");
    }
}
