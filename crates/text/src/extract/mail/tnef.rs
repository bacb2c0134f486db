//! `winmail.dat`, the format in which Outlook packs attachments and text for other Outlooks (MS-OXTNEF).

use super::super::encoding;

const SIGNATURE: [u8; 4] = 0x223E_9F78_u32.to_le_bytes();
const ATTACHMENT: u8 = 2;
const BODY: u16 = 0x800C;
const DATA: u16 = 0x800F;
const TITLE: u16 = 0x8010;
const PROPERTIES: u16 = 0x9003;
const PROPERTIES_OF_ATTACHMENT: u16 = 0x9005;
const RENDERING: u16 = 0x9002;

/// MAPI properties: the text, and the name of an attachment.
const RICH: u16 = 0x1009;
const PAGE: u16 = 0x1013;
const LONG_NAME: u16 = 0x3707;
/// With more values, a property counts as damaged.
const MAX_VALUES: usize = 100_000;

/// The content of a `winmail.dat`.
#[derive(Debug, Default)]
pub(super) struct Packed {
    pub(super) text: Option<String>,
    pub(super) page: Option<Vec<u8>>,
    /// Compressed rich text.
    pub(super) rich: Option<Vec<u8>>,
    pub(super) files: Vec<(String, Vec<u8>)>,
}

pub(super) fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&SIGNATURE)
}

/// Reads it up to its end or to the first damage.
pub(super) fn unpack(bytes: &[u8]) -> Packed {
    let mut packed = Packed::default();
    let mut input = Input(bytes);
    // The signature and a key.
    let _ = input.take(6);
    while let Some((level, id, data)) = attribute(&mut input) {
        match (level == ATTACHMENT, id) {
            (true, RENDERING) => packed.files.push(<(String, Vec<u8>)>::default()),
            (true, TITLE) => {
                if let Some((name, _)) = packed.files.last_mut().filter(|(name, _)| name.is_empty()) {
                    *name = text(data);
                }
            }
            (true, DATA) => {
                if let Some((_, bytes)) = packed.files.last_mut() {
                    *bytes = data.to_vec();
                }
            }
            (true, PROPERTIES_OF_ATTACHMENT) => {
                let name = property(data, LONG_NAME).map(text_of_property).filter(|name| !name.is_empty());
                if let Some((last, name)) = packed.files.last_mut().zip(name) {
                    last.0 = name;
                }
            }
            (false, BODY) => packed.text = Some(text(data)).filter(|text| !text.trim().is_empty()),
            (false, PROPERTIES) => {
                packed.page = property(data, PAGE).map(|(_, bytes)| bytes.to_vec());
                packed.rich = property(data, RICH).map(|(_, bytes)| bytes.to_vec());
            }
            _ => {}
        }
    }
    packed.files.retain(|(name, _)| !name.is_empty());
    packed
}

/// The next attribute: its level, its id and its data.
fn attribute<'a>(input: &mut Input<'a>) -> Option<(u8, u16, &'a [u8])> {
    let level = input.take(1)?[0];
    let id = input.short()?;
    input.take(2)?;
    let length = input.long()? as usize;
    let data = input.take(length)?;
    // A checksum.
    input.take(2)?;
    Some((level, id, data))
}

/// The first value of the property `wanted`, with its type.
fn property(data: &[u8], wanted: u16) -> Option<(u16, &[u8])> {
    let mut input = Input(data);
    for _ in 0..input.long()? {
        let (kind, id) = (input.short()?, input.short()?);
        if id >= 0x8000 {
            skip_name(&mut input)?;
        }
        // Several values, or one of variable length.
        let is_many = kind & 0x1000 != 0;
        let base = kind & 0x0FFF;
        let is_counted = is_many || matches!(base, 0x000D | 0x001E | 0x001F | 0x0102);
        let count = if is_counted { input.long()? as usize } else { 1 };
        if count > MAX_VALUES {
            return None;
        }
        for index in 0..count {
            let length = match base {
                0x0002 | 0x000B => 2,
                0x0005 | 0x0006 | 0x0007 | 0x0014 | 0x0040 => 8,
                0x0048 => 16,
                0x000D | 0x001E | 0x001F | 0x0102 => input.long()? as usize,
                _ => 4,
            };
            let value = input.take(length)?;
            input.take(length.next_multiple_of(4) - length)?;
            if id == wanted && index == 0 {
                return Some((base, value));
            }
        }
    }
    None
}

/// Skips the name of a property that has one.
fn skip_name(input: &mut Input<'_>) -> Option<()> {
    input.take(16)?;
    let has_number = input.long()? == 0;
    let length = input.long()? as usize;
    if !has_number {
        input.take(length.checked_next_multiple_of(4)?)?;
    }
    Some(())
}

fn text_of_property((kind, bytes): (u16, &[u8])) -> String {
    if kind == 0x001F {
        return encoding_rs::UTF_16LE.decode_without_bom_handling(bytes).0.trim_end_matches('\0').to_owned();
    }
    text(bytes)
}

fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    encoding::decode(&bytes[..end], None)
}

/// A reader of bytes from the beginning.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn short(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes(self.take(2)?.try_into().ok()?))
    }

    fn long(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attribute(level: u8, id: u16, data: &[u8]) -> Vec<u8> {
        let length = u32::try_from(data.len()).unwrap().to_le_bytes();
        [&[level][..], &id.to_le_bytes(), &[0, 0], &length, data, &[0, 0]].concat()
    }

    #[test]
    fn attachments_and_text_are_unpacked() {
        let name: Vec<u8> = "Pläne 2024.txt\0".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let length = u32::try_from(name.len()).unwrap().to_le_bytes();
        let properties = [
            &2_u32.to_le_bytes()[..],
            &[3, 0, 5, 0x37, 1, 0, 0, 0],
            &[0x1F, 0, 7, 0x37, 1, 0, 0, 0],
            &length,
            &name,
            &[0, 0],
        ];
        let bytes = [
            &SIGNATURE[..],
            &[1, 0],
            &attribute(1, BODY, b"See the plan.\0"),
            &attribute(2, RENDERING, &[0; 14]),
            &attribute(2, TITLE, b"PLNE20~1.TXT\0"),
            &attribute(2, DATA, b"The plan."),
            &attribute(2, PROPERTIES_OF_ATTACHMENT, &properties.concat()),
        ]
        .concat();
        assert!(is_packed(&bytes));
        let packed = unpack(&bytes);
        assert_eq!(packed.text.as_deref(), Some("See the plan."));
        assert_eq!(packed.files, [("Pläne 2024.txt".to_owned(), b"The plan.".to_vec())]);
        for end in 0..bytes.len() {
            unpack(&bytes[..end]);
        }
    }
}
