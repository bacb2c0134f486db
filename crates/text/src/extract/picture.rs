//! Draws images and pages of scans, for text recognition and for the viewer.

use std::borrow::Cow;
use std::io::Cursor;

use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use hayro_interpret::InterpreterSettings;
use hayro_syntax::Pdf;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::overlay;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, ImageResult, Rgba, RgbaImage};
use lopdf::{Document, ObjectId, Stream, dictionary};
use oriel_core::notice::Damage;
use oriel_core::{Extracted, Failure, FailureCode, Kind, Notice};

use super::pdf::opened;
use super::sniff::{self, Content};
use super::{Limits, damaged, iwork, needs_ocr};

/// Resolution of a drawn page in dots per inch, unless it becomes too large.
const DPI: f32 = 200.0;
/// Maximum width and height in pixels.
pub(crate) const MAX_SIDE: u32 = 4000;
/// An image whose longer side has fewer pixels is an icon.
const MIN_SIDE: u32 = 64;
/// Memory for decoding an image in bytes: a large sheet at 600 dots per inch in grey, or 178 million pixels in colour.
const MAX_DECODED_BYTES: u64 = 512 << 20;
/// Maximum number of pages read from a TIFF file, since its list of pages may be endless.
const MAX_TIFF_PAGES: usize = 1000;
/// JPEG quality of an image for the viewer, up to 100.
const JPEG_QUALITY: u8 = 90;
/// The longer side of an image in inches, that of A4 and letter paper; image files seldom state it.
const PICTURE_INCHES: f32 = 11.5;

/// A page in shades of grey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The number of pages in the file.
    pub pages: u32,
    /// The width in pixels, at most 4,000.
    pub width: u32,
    /// The height in pixels, at most 4,000.
    pub height: u32,
    /// Dots per inch.
    pub dpi: u32,
    /// One byte per pixel, from black to white, in rows from the top.
    pub grey: Vec<u8>,
}

/// A PDF or an image file whose pages are drawn.
pub struct Drawing(Opened);

enum Opened {
    Pdf(Pdf),
    Image(ImageFile),
}

impl Drawing {
    /// Opens a file; `promised` is the kind by its name.
    ///
    /// # Errors
    /// Why the file could not be read.
    pub fn open(promised: Kind, bytes: Vec<u8>) -> Result<Self, Failure> {
        Ok(Self(match sniff::format(promised, &bytes)?.kind {
            Kind::Pdf | Kind::Iwork => Opened::Pdf(opened(&iwork::pages(&bytes)?)?),
            _ => Opened::Image(ImageFile::new(bytes)),
        }))
    }

    /// Draws the page `number`, from 1.
    ///
    /// # Errors
    /// Why it cannot be drawn.
    pub fn page(&mut self, number: u32) -> Result<Picture, Failure> {
        match &mut self.0 {
            Opened::Pdf(pdf) => draw_pdf(pdf, number),
            Opened::Image(file) => draw_image(file, number),
        }
    }
}

fn draw_pdf(pdf: &Pdf, number: u32) -> Result<Picture, Failure> {
    let missing = || Failure::new(FailureCode::Broken, Notice::PdfWithoutPage);
    let index = (number as usize).checked_sub(1).ok_or_else(missing)?;
    let page = pdf.pages().get(index).ok_or_else(missing)?;
    let (width, height) = page.render_dimensions();
    let scale = (DPI / 72.0).min(MAX_SIDE as f32 / width.max(height));
    let settings = PixmapSettings { x_scale: scale, y_scale: scale, bg_color: WHITE };
    let pixmap = hayro::render(
        page,
        &RenderCache::new(),
        &InterpreterSettings::default(),
        &RenderSettings::default(),
        &settings,
    );
    let (width, height) = (u32::from(pixmap.width()), u32::from(pixmap.height()));
    let grey = pixmap.data_as_u8_slice().as_chunks().0.iter().map(|&[r, g, b, _]| luma(r, g, b)).collect();
    Ok(Picture { pages: pdf.pages().len() as u32, width, height, dpi: (scale * 72.0).round() as u32, grey })
}

/// The brightness of a colour.
fn luma(red: u8, green: u8, blue: u8) -> u8 {
    ((u32::from(red) * 77 + u32::from(green) * 150 + u32::from(blue) * 29) >> 8) as u8
}

fn draw_image(file: &mut ImageFile, number: u32) -> Result<Picture, Failure> {
    let grey = file.decode(number)?.into_luma8();
    let (width, height) = grey.dimensions();
    let dpi = (width.max(height) as f32 / PICTURE_INCHES).round() as u32;
    Ok(Picture { pages: file.pages(), width, height, dpi, grey: grey.into_raw() })
}

/// A PDF that shows the pages of another file: the one inside a document of iWork, or an image on a sheet of paper.
///
/// # Errors
/// Why the file could not be read.
pub fn pages_as_pdf(bytes: Vec<u8>) -> Result<Vec<u8>, Failure> {
    if let Cow::Owned(pages) = iwork::pages(&bytes)? {
        return Ok(pages);
    }
    let mut images = ImageFile::new(bytes);
    let mut file = Document::with_version("1.5");
    let pages = file.new_object_id();
    let mut kids = Vec::new();
    for number in 1..=images.pages() {
        kids.push(add_page(&mut file, pages, images.decode(number)?)?.into());
    }
    let tree = dictionary! { "Type" => "Pages", "Count" => images.pages(), "Kids" => kids };
    file.objects.insert(pages, tree.into());
    let catalog = file.add_object(dictionary! { "Type" => "Catalog", "Pages" => pages });
    file.trailer.set("Root", catalog);
    let mut written = Vec::new();
    file.save_to(&mut written).map_err(|_| senseless())?;
    Ok(written)
}

/// Adds a page below `pages` that shows an image.
fn add_page(file: &mut Document, pages: ObjectId, image: DynamicImage) -> Result<ObjectId, Failure> {
    let (width, height) = (image.width(), image.height());
    let mut jpeg = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut jpeg, JPEG_QUALITY);
    let (space, encoded) = match image.color().has_color() {
        true => ("DeviceRGB", image.into_rgb8().write_with_encoder(encoder)),
        false => ("DeviceGray", image.into_luma8().write_with_encoder(encoder)),
    };
    encoded.map_err(|_| senseless())?;
    let points = PICTURE_INCHES * 72.0 / width.max(height) as f32;
    let (wide, high) = (width as f32 * points, height as f32 * points);
    let picture = dictionary! {
        "Type" => "XObject", "Subtype" => "Image", "Width" => i64::from(width), "Height" => i64::from(height),
        "ColorSpace" => space, "BitsPerComponent" => 8, "Filter" => "DCTDecode",
    };
    let picture = file.add_object(Stream::new(picture, jpeg));
    let content = format!("{wide} 0 0 {high} 0 0 cm /Picture Do");
    let content = file.add_object(Stream::new(dictionary! {}, content.into_bytes()));
    Ok(file.add_object(dictionary! {
        "Type" => "Page", "Parent" => pages, "MediaBox" => vec![0.into(), 0.into(), wide.into(), high.into()],
        "Contents" => content, "Resources" => dictionary! { "XObject" => dictionary! { "Picture" => picture } },
    }))
}

/// An image file, and the offsets of its pages if it is a TIFF file with several.
struct ImageFile {
    bytes: Vec<u8>,
    directories: Vec<[u8; 4]>,
}

impl ImageFile {
    fn new(bytes: Vec<u8>) -> Self {
        let directories = directories(&bytes);
        Self { bytes, directories }
    }

    fn pages(&self) -> u32 {
        self.directories.len().max(1) as u32
    }

    /// The page `number`, from 1.
    fn decode(&mut self, number: u32) -> Result<DynamicImage, Failure> {
        let page = (number as usize).checked_sub(1).and_then(|page| self.directories.get(page));
        if let (Some(page), Some(first)) = (page, self.bytes.get_mut(4..8)) {
            // A decoder reads the page that the file's header refers to.
            first.copy_from_slice(page);
        }
        decode(&self.bytes)
    }
}

/// The offsets of the directories of a TIFF file, one per page, encoded as in the file; none for other files.
fn directories(bytes: &[u8]) -> Vec<[u8; 4]> {
    let is_little = match bytes.get(..4) {
        Some(b"II*\0") => true,
        Some(b"MM\0*") => false,
        _ => return Vec::new(),
    };
    let number =
        |bytes: [u8; 4]| if is_little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) };
    let mut found = Vec::new();
    let mut next = bytes.get(4..8).and_then(|bytes| bytes.first_chunk());
    while let Some(&offset) = next.filter(|offset| number(**offset) > 0 && found.len() < MAX_TIFF_PAGES) {
        let Some(directory) = bytes.get(number(offset) as usize..) else { break };
        let Some(&[a, b]) = directory.first_chunk() else { break };
        let entries = number(if is_little { [a, b, 0, 0] } else { [0, 0, a, b] }) as usize;
        found.push(offset);
        next = directory.get(2 + 12 * entries..).and_then(|rest| rest.first_chunk());
    }
    found
}

/// The upright image, on white where it is transparent, at most [`MAX_SIDE`] wide and high.
fn decode(bytes: &[u8]) -> Result<DynamicImage, Failure> {
    let (decoder, orientation) = opened_image(bytes).map_err(|error| unreadable(&error))?;
    if decoder.total_bytes() > MAX_DECODED_BYTES {
        let (width, height) = decoder.dimensions();
        let reason = Notice::TooManyPixels { width: width as usize, height: height as usize };
        return Err(Failure::new(FailureCode::TooLarge, reason));
    }
    let mut image = DynamicImage::from_decoder(decoder).map_err(|error| unreadable(&error))?;
    if image.width().max(image.height()) > MAX_SIDE {
        image = image.thumbnail(MAX_SIDE, MAX_SIDE);
    }
    image.apply_orientation(orientation);
    if image.color().has_alpha() {
        let mut paper = RgbaImage::from_pixel(image.width(), image.height(), Rgba([255; 4]));
        overlay(&mut paper, &image.into_rgba8(), 0, 0);
        image = paper.into();
    }
    Ok(image)
}

fn opened_image(bytes: &[u8]) -> ImageResult<(impl ImageDecoder, Orientation)> {
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(MAX_DECODED_BYTES);
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format()?;
    reader.limits(limits);
    let mut decoder = reader.into_decoder()?;
    let orientation = decoder.orientation()?;
    Ok((decoder, orientation))
}

fn unreadable(error: &ImageError) -> Failure {
    match error {
        ImageError::Limits(_) => Failure::new(FailureCode::TooLarge, Notice::NeededTooMuchMemory),
        _ => senseless(),
    }
}

fn senseless() -> Failure {
    damaged(Kind::Image, Damage::Senseless)
}

/// Whether it is named as an image and begins like one.
pub(super) fn is_image(file: &Content<'_>) -> bool {
    file.promised == Kind::Image && image::guess_format(file.bytes).is_ok_and(|format| READ.contains(&format))
}

/// The supported formats.
const READ: [ImageFormat; 5] =
    [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Tiff, ImageFormat::WebP, ImageFormat::Bmp];

/// An image has no text without recognition. A small one has none that could be recognised either.
pub(super) fn extract(bytes: &[u8], _: &Limits) -> Result<Extracted, Failure> {
    if is_icon(bytes) { Ok(Extracted::new(Kind::Image, String::new())) } else { Err(needs_ocr()) }
}

/// Whether an image is too small for text. The pages of a TIFF file may have different sizes.
fn is_icon(bytes: &[u8]) -> bool {
    directories(bytes).len() <= 1
        && opened_image(bytes).is_ok_and(|(decoder, _)| {
            let (width, height) = decoder.dimensions();
            width.max(height) < MIN_SIDE
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(image: &DynamicImage) -> Vec<u8> {
        let mut file = Cursor::new(Vec::new());
        image.write_to(&mut file, ImageFormat::Png).unwrap();
        file.into_inner()
    }

    #[test]
    fn the_page_of_an_image_looks_like_the_image() {
        let mut image = RgbaImage::from_pixel(1150, 575, Rgba([0; 4]));
        (0..200).for_each(|x| (0..100).for_each(|y| image.put_pixel(x, y, Rgba([0, 0, 0, 255]))));
        let file = png(&image.into());
        let drawn = Drawing::open(Kind::Image, file.clone()).unwrap().page(1).unwrap();
        let page = Drawing::open(Kind::Pdf, pages_as_pdf(file).unwrap()).unwrap().page(1).unwrap();
        let at = |picture: &Picture, x: f32, y: f32| {
            let (x, y) = ((x * picture.width as f32) as u32, (y * picture.height as f32) as u32);
            picture.grey[(y * picture.width + x) as usize] > 127
        };
        assert_eq!((page.pages, page.width / page.height), (1, 2));
        for (x, y) in [(0.1, 0.1), (0.16, 0.16), (0.19, 0.1), (0.1, 0.19), (0.5, 0.5), (0.9, 0.9)] {
            assert_eq!(at(&drawn, x, y), at(&page, x, y), "at {x}, {y}");
        }
        assert!(at(&page, 0.5, 0.5) && !at(&page, 0.1, 0.1), "white where it is transparent");
    }

    #[test]
    fn an_icon_has_no_text_to_recognise() {
        let read = |width, height| {
            let image = RgbaImage::from_pixel(width, height, Rgba([0; 4]));
            extract(&png(&image.into()), &Limits::default()).map(|read| read.text)
        };
        assert_eq!(read(MIN_SIDE - 1, MIN_SIDE - 1), Ok(String::new()));
        assert_eq!(read(MIN_SIDE, 8).unwrap_err(), needs_ocr(), "a line of text");
        assert_eq!(extract(b"\x89PNG\r\n\x1a\n", &Limits::default()).unwrap_err(), needs_ocr());
    }

    #[test]
    fn an_image_of_too_many_pixels_is_refused_before_it_is_decoded() {
        let mut bomb = b"BM\x36\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0".to_vec();
        [60_000_i32, 60_000].iter().for_each(|side| bomb.extend_from_slice(&side.to_le_bytes()));
        bomb.extend_from_slice(b"\x01\0\x18\0");
        bomb.resize(54, 0);
        let failure = Drawing::open(Kind::Image, bomb.clone()).unwrap().page(1).unwrap_err();
        let reason = Notice::TooManyPixels { width: 60_000, height: 60_000 };
        assert_eq!(failure, Failure::new(FailureCode::TooLarge, reason));
        assert_eq!(pages_as_pdf(bomb).unwrap_err(), failure);
    }

    /// A TIFF file with pages of 2 by 2 pixels in one grey each, in little- or big-endian order.
    fn tiff(is_little: bool, greys: &[u8]) -> Vec<u8> {
        let short = |n: u16| if is_little { n.to_le_bytes() } else { n.to_be_bytes() };
        let long = |n: u32| if is_little { n.to_le_bytes() } else { n.to_be_bytes() };
        let mut file = if is_little { b"II*\0".to_vec() } else { b"MM\0*".to_vec() };
        file.extend(long(8));
        for (page, grey) in greys.iter().enumerate() {
            let start = file.len() as u32;
            let entries =
                [(256, 2), (257, 2), (258, 8), (259, 1), (262, 1), (273, start + 102), (278, 2), (279, 4)];
            file.extend(short(entries.len() as u16));
            for (tag, value) in entries {
                file.extend([short(tag), short(4)].concat());
                file.extend([long(1), long(value)].concat());
            }
            file.extend(long(if page + 1 < greys.len() { start + 106 } else { 0 }));
            file.extend([*grey; 4]);
        }
        file
    }

    #[test]
    fn every_page_of_a_tiff_file_is_drawn_and_a_chain_without_end_is_cut() {
        for is_little in [true, false] {
            let file = tiff(is_little, &[0, 100, 200]);
            let mut drawing = Drawing::open(Kind::Image, file.clone()).unwrap();
            let pages = [3, 1, 2].map(|page| drawing.page(page).unwrap());
            assert_eq!(pages.each_ref().map(|page| (page.pages, page.grey[0])), [(3, 200), (3, 0), (3, 100)]);
            let mut shown = Drawing::open(Kind::Pdf, pages_as_pdf(file).unwrap()).unwrap();
            assert_eq!(shown.page(3).map(|page| page.pages), Ok(3));
        }
        let mut endless = tiff(true, &[0]);
        endless[8 + 98..8 + 102].copy_from_slice(&8_u32.to_le_bytes());
        assert_eq!(directories(&endless).len(), MAX_TIFF_PAGES);
        assert!(directories(b"II*\0\xff\xff\xff\xff").is_empty());
    }
}
