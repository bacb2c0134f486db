//! Draws images and pages of scans, for text recognition and for the viewer.

use std::borrow::Cow;

use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use hayro_interpret::InterpreterSettings;
use hayro_syntax::Pdf;
use image::DynamicImage;
use image::codecs::jpeg::JpegEncoder;
use lopdf::{Document, ObjectId, Stream, dictionary};
use oriel_core::{Failure, FailureCode, Kind, Notice};

use super::pdf::opened;
use super::picture::{ImageFile, MAX_SIDE, unreadable_file};
use super::{formats, iwork};

/// Resolution of a drawn page in dots per inch, unless it becomes too large.
const DPI: f32 = 200.0;
/// JPEG quality of an image for the viewer, up to 100.
const JPEG_QUALITY: u8 = 90;
/// The longer side of an image in inches, that of A4 and letter paper; image files seldom state it.
const PICTURE_INCHES: f32 = 11.5;

/// A page in shades of grey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pages of the file.
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
        Ok(Self(match formats::format(promised, &bytes)?.kind {
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
    file.save_to(&mut written).map_err(|_| unreadable_file())?;
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
    encoded.map_err(|_| unreadable_file())?;
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

#[cfg(test)]
mod tests {

    use image::{Rgba, RgbaImage};

    use super::super::picture::tests::png;
    use super::super::picture::{MAX_TIFF_PAGES, directories};
    use super::*;

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
