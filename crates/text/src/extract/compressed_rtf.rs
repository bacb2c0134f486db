//! Rich text as Outlook packs it.

/// Decompresses rich text (MS-OXRTFCP); `None` if it is damaged.
pub(super) fn decompressed(bytes: &[u8]) -> Option<Vec<u8>> {
    const DICTIONARY: &[u8] = b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \
        \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \
        \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";
    let (head, packed) = bytes.split_at_checked(16)?;
    let size = u32::from_le_bytes(head.get(4..8)?.try_into().ok()?) as usize;
    if &head[8..12] == b"MELA" {
        return packed.get(..size).map(<[u8]>::to_vec);
    }
    if &head[8..12] != b"LZFu" {
        return None;
    }
    // The output is also the dictionary: a ring buffer of 4096 bytes.
    let mut ring = [b' '; 4096];
    ring.get_mut(..DICTIONARY.len())?.copy_from_slice(DICTIONARY);
    let mut at = DICTIONARY.len();
    let mut out = Vec::new();
    let mut input = packed.iter().copied();
    'all: while let Some(flags) = input.next() {
        for bit in 0..8 {
            if flags >> bit & 1 == 0 {
                let Some(byte) = input.next() else { break 'all };
                out.push(byte);
                ring[at % 4096] = byte;
                at += 1;
                continue;
            }
            let (Some(high), Some(low)) = (input.next(), input.next()) else { break 'all };
            let reference = usize::from(u16::from_be_bytes([high, low]));
            let (from, length) = (reference >> 4, (reference & 0xF) + 2);
            if from == at % 4096 {
                break 'all;
            }
            for step in 0..length {
                let byte = ring[(from + step) % 4096];
                out.push(byte);
                ring[at % 4096] = byte;
                at += 1;
            }
        }
    }
    Some(out)
}
