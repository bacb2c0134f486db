//! Recovers the map to characters for fonts without one.
//!
//! Some producers leave out the map from codes to characters, so the interpreter only knows glyphs. Three cases can be
//! repaired from the file itself: fonts of the Asian character collections, whose numbering is public; fonts whose
//! glyph names contain the code (`G41` for A); and maps with empty entries, which the interpreter rejects. The maps are
//! written into a copy of the file, which is then read again. Other files skip this module.

use std::fmt::Write;

use hayro_interpret::hayro_cmap::{BfString, CMap, CMapName, CidFamily, load_embedded};
use lopdf::{Dictionary, Document, Object, ObjectId, Stream};

/// Maximum number of fonts that get a map, which may be a megabyte.
const MAX_FONTS: usize = 200;

/// A copy of the file with the recovered maps; `None` if there is nothing to add.
pub(super) fn with_maps(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut document = Document::load_mem(bytes).ok()?;
    if document.is_encrypted() {
        return None;
    }
    let maps: Vec<(ObjectId, Vec<Mapping>)> = document
        .objects
        .iter()
        .filter_map(|(&id, object)| Some((id, mappings(&document, object.as_dict().ok()?)?)))
        .take(MAX_FONTS)
        .collect();
    let repaired: Vec<(ObjectId, Vec<u8>)> =
        document.objects.values().filter_map(|object| repaired(&document, object.as_dict().ok()?)).collect();
    if maps.is_empty() && repaired.is_empty() {
        return None;
    }
    for (id, map) in repaired {
        document.set_object(id, Stream::new(Dictionary::new(), map));
    }
    for (id, mappings) in maps {
        let map = document.add_object(Stream::new(Dictionary::new(), to_unicode(&mappings).into_bytes()));
        if let Ok(font) = document.get_dictionary_mut(id) {
            font.set("ToUnicode", Object::Reference(map));
        }
    }
    let mut copy = Vec::new();
    document.save_to(&mut copy).ok()?;
    Some(copy)
}

/// A code of a font with its characters.
type Mapping = (u32, String);

fn mappings(document: &Document, font: &Dictionary) -> Option<Vec<Mapping>> {
    if !font.has_type(b"Font") || font.has(b"ToUnicode") {
        return None;
    }
    let found = match font.get(b"Subtype").and_then(Object::as_name).ok()? {
        b"Type0" => from_collection(document, font)?,
        b"Type1" | b"TrueType" | b"Type3" => from_glyph_names(document, font)?,
        _ => return None,
    };
    (!found.is_empty()).then_some(found)
}

/// Maps codes through the font's encoding to numbers of its collection, and these to characters.
fn from_collection(document: &Document, font: &Dictionary) -> Option<Vec<Mapping>> {
    let descendants = font.get_deref(b"DescendantFonts", document).and_then(Object::as_array).ok()?;
    let descendant = document.dereference(descendants.first()?).ok()?.1.as_dict().ok()?;
    let system = descendant.get_deref(b"CIDSystemInfo", document).and_then(Object::as_dict).ok()?;
    let string = |key| system.get_deref(key, document).and_then(Object::as_str).ok();
    let family = CidFamily::from_registry_ordering(string(b"Registry")?, string(b"Ordering")?);
    let characters = embedded(family.ucs2_cmap()?)?;
    let name = font.get_deref(b"Encoding", document).and_then(Object::as_name).ok()?;
    let encoding = match name {
        b"Identity-H" | b"Identity-V" => CMap::identity_h(),
        _ => embedded(CMapName::from_bytes(name))?,
    };
    let map = |code: u32| {
        let cid = encoding.lookup_cid_code(code, 2).or_else(|| encoding.lookup_cid_code(code, 1))?;
        match characters.lookup_bf_string(cid)? {
            BfString::Char(c) => Some((code, c.to_string())),
            BfString::String(text) => Some((code, text)),
        }
    };
    Some((0..=0xFFFF).filter_map(map).collect())
}

/// The font's map if it maps some codes to nothing, for which the interpreter rejects the whole map. These codes now
/// map to a zero-width space.
fn repaired(document: &Document, font: &Dictionary) -> Option<(ObjectId, Vec<u8>)> {
    let id = font.get(b"ToUnicode").and_then(Object::as_reference).ok()?;
    let map = document.get_object(id).and_then(Object::as_stream).ok()?.decompressed_content().ok()?;
    let map = String::from_utf8_lossy(&map);
    map.contains("> <>").then(|| (id, map.replace("> <>", "> <200B>").into_bytes()))
}

fn embedded(name: CMapName<'_>) -> Option<CMap> {
    CMap::parse(load_embedded(name)?, load_embedded)
}

/// Maps glyph names such as `G41` or `c65`: a letter, then the code in Windows' Latin encoding, hexadecimal or decimal.
fn from_glyph_names(document: &Document, font: &Dictionary) -> Option<Vec<Mapping>> {
    let encoding = font.get_deref(b"Encoding", document).and_then(Object::as_dict).ok()?;
    let differences = encoding.get_deref(b"Differences", document).and_then(Object::as_array).ok()?;
    let mut names: Vec<(u32, &str)> = Vec::new();
    let mut code = 0_u32;
    for entry in differences {
        match entry {
            Object::Integer(next) => code = u32::try_from(*next).ok()?,
            Object::Name(name) => {
                names.extend(std::str::from_utf8(name).ok().map(|name| (code, name)));
                code = code.checked_add(1)?;
            }
            _ => return None,
        }
    }
    let digits = |name: &str| {
        let digits = name.strip_prefix(|c: char| c.is_ascii_alphabetic())?;
        let digits = digits.split(['.', '_']).next()?;
        (2..=3).contains(&digits.len()).then(|| digits.to_owned()).filter(|digits| digits.is_ascii())
    };
    let spelled: Vec<(u32, String)> =
        names.iter().filter_map(|&(code, name)| Some((code, digits(name)?))).collect();
    let hexadecimal = spelled.iter().any(|(_, digits)| digits.contains(|c: char| c.is_ascii_alphabetic()));
    let read = |(code, digits): (u32, String)| {
        let byte = u8::from_str_radix(&digits, if hexadecimal { 16 } else { 10 })
            .ok()
            .filter(|&byte| byte >= 0x20)?;
        let text = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&[byte]).0.into_owned();
        Some((code, text))
    };
    let found: Vec<Mapping> = spelled.into_iter().filter_map(read).collect();
    // A few such names may be chance, and glyph numbers soon leave the range.
    (found.len() * 10 >= names.len() * 9).then_some(found)
}

/// The map in the PDF format.
fn to_unicode(mappings: &[Mapping]) -> String {
    let mut map = String::from(
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Oriel def\n/CMapType 2 def\n\
         1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n",
    );
    for part in mappings.chunks(100) {
        let _ = writeln!(map, "{} beginbfchar", part.len());
        for (code, text) in part {
            let _ = write!(map, "<{code:04X}> <");
            for unit in text.encode_utf16() {
                let _ = write!(map, "{unit:04X}");
            }
            map.push_str(">\n");
        }
        map.push_str("endbfchar\n");
    }
    map.push_str("endcmap\nend\nend\n");
    map
}
