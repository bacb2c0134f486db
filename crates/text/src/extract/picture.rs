//! Draws pages of scans, and pictures, for text recognition.

use std::io::Cursor;

use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use hayro_interpret::InterpreterSettings;
use image::imageops::{FilterType, resize};
use image::{DynamicImage, GrayImage, ImageDecoder, ImageFormat, ImageReader};
use oriel_core::notice::Damage;
use oriel_core::{Extracted, Failure, FailureCode, Kind, Notice};

use super::pdf::opened;
use super::sniff::{self, Content};
use super::{Limits, damaged, needs_ocr};

/// Resolution of a drawn page, in dots per inch, unless it gets too large.
const DPI: f32 = 200.0;
/// Maximum width and height, in pixels.
pub(crate) const MAX_SIDE: u32 = 4000;
/// Memory for decoding a picture, in bytes.
const MAX_DECODED_BYTES: u64 = 1 << 30;
/// The longer side of a picture, in inches; its file seldom knows. That of A4 and letter paper.
const PICTURE_INCHES: f32 = 11.5;

/// A page in shades of grey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pages of the file.
    pub pages: u32,
    /// Width in pixels, at most 4,000.
    pub width: u32,
    /// Height in pixels, at most 4,000.
    pub height: u32,
    /// Dots per inch.
    pub dpi: u32,
    /// A byte per pixel, from black to white, in rows from the top.
    pub grey: Vec<u8>,
}

/// Draws the page `number`, from 1, of a PDF or an image file.
///
/// # Errors
/// Why the file could not be read.
pub fn draw(promised: Kind, bytes: &[u8], number: u32) -> Result<Picture, Failure> {
    match sniff::format(promised, bytes)?.kind {
        Kind::Pdf => draw_pdf(bytes, number),
        _ => draw_image(bytes),
    }
}

fn draw_pdf(bytes: &[u8], number: u32) -> Result<Picture, Failure> {
    let pdf = opened(bytes)?;
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

fn draw_image(bytes: &[u8]) -> Result<Picture, Failure> {
    let image = decode(bytes).map_err(|_| damaged(Kind::Image, Damage::Senseless))?;
    let mut grey = over_white(&image);
    let longer = grey.width().max(grey.height());
    if longer > MAX_SIDE {
        let scaled = |side: u32| (side * MAX_SIDE / longer).max(1);
        grey = resize(&grey, scaled(grey.width()), scaled(grey.height()), FilterType::Triangle);
    }
    let (width, height) = grey.dimensions();
    let dpi = (width.max(height) as f32 / PICTURE_INCHES).round() as u32;
    Ok(Picture { pages: 1, width, height, dpi, grey: grey.into_raw() })
}

/// The picture as it is meant to be seen.
fn decode(bytes: &[u8]) -> image::ImageResult<DynamicImage> {
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(MAX_DECODED_BYTES);
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format()?;
    reader.limits(limits);
    let mut decoder = reader.into_decoder()?;
    let orientation = decoder.orientation()?;
    let mut image = DynamicImage::from_decoder(decoder)?;
    image.apply_orientation(orientation);
    Ok(image)
}

/// The picture in grey, on white where it is transparent.
fn over_white(image: &DynamicImage) -> GrayImage {
    if !image.color().has_alpha() {
        return image.to_luma8();
    }
    let pixels = image.to_luma_alpha8();
    let (width, height) = pixels.dimensions();
    GrayImage::from_fn(width, height, |x, y| {
        let [grey, alpha] = pixels.get_pixel(x, y).0.map(u32::from);
        image::Luma([((grey * alpha + 255 * (255 - alpha)) / 255) as u8])
    })
}

/// Whether it is named as an image and begins like one.
pub(super) fn is_image(file: &Content<'_>) -> bool {
    file.promised == Kind::Image && image::guess_format(file.bytes).is_ok_and(|format| READ.contains(&format))
}

/// The formats that are read.
const READ: [ImageFormat; 5] =
    [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Tiff, ImageFormat::WebP, ImageFormat::Bmp];

/// Images hold no text of their own.
pub(super) fn extract(_: &[u8], _: &Limits) -> Result<Extracted, Failure> {
    Err(needs_ocr())
}
