//! Image files: their pages, decoded. They hold no text of their own.

use std::io::Cursor;

use image::imageops::overlay;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, ImageResult, Rgba, RgbaImage};
use oriel_core::notice::Damage;
use oriel_core::{Extracted, Failure, FailureCode, Kind, Notice};

use super::signature::Content;
use super::{Limits, damaged, needs_ocr};

/// Maximum width and height in pixels.
pub(crate) const MAX_SIDE: u32 = 4000;
/// An image whose longer side has fewer pixels is an icon.
const MIN_SIDE: u32 = 64;
/// Memory for decoding an image in bytes: a large sheet at 600 dots per inch in grey, or 178 million pixels in colour.
const MAX_DECODED_BYTES: u64 = 512 << 20;
/// Maximum number of pages read from a TIFF file, since its list of pages may be endless.
pub(super) const MAX_TIFF_PAGES: usize = 1000;
/// An image file, and the offsets of its pages if it is a TIFF file with several.
pub(super) struct ImageFile {
    bytes: Vec<u8>,
    directories: Vec<[u8; 4]>,
}

impl ImageFile {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        let directories = directories(&bytes);
        Self { bytes, directories }
    }

    pub(super) fn pages(&self) -> u32 {
        self.directories.len().max(1) as u32
    }

    /// The page `number`, from 1.
    pub(super) fn decode(&mut self, number: u32) -> Result<DynamicImage, Failure> {
        let page = (number as usize).checked_sub(1).and_then(|page| self.directories.get(page));
        if let (Some(page), Some(first)) = (page, self.bytes.get_mut(4..8)) {
            // A decoder reads the page that the file's header refers to.
            first.copy_from_slice(page);
        }
        decode(&self.bytes)
    }
}

/// The offsets of the directories of a TIFF file, one per page, encoded as in the file; none for other files.
pub(super) fn directories(bytes: &[u8]) -> Vec<[u8; 4]> {
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
        _ => unreadable_file(),
    }
}

pub(super) fn unreadable_file() -> Failure {
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
pub(super) mod tests {
    use super::*;

    pub(in crate::extract) fn png(image: &DynamicImage) -> Vec<u8> {
        let mut file = Cursor::new(Vec::new());
        image.write_to(&mut file, ImageFormat::Png).unwrap();
        file.into_inner()
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
}
