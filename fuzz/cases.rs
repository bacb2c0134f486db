//! Properties that must be true for any input: one function per fuzz target. `crates/text/tests/seeds.rs` runs them on
//! the seeds.
//!
//! Each function panics if a text, a sentence or a mark is invalid, and returns whether the input was readable. Inputs
//! of [`package`] and [`pdf`] can consist of parts: a line `-- NAME`, then the bytes of the part.

use std::io::{self, Cursor, Write};

use cfb::CompoundFile;
use oriel_core::{ByteSpan, Extracted, FailureCode, Kind, PageMap, RecognisedPages};
use oriel_text::worker::{self, Reply};
use oriel_text::{Limits, MarkRequest, marks, plain, sentences, source_of, terms, words};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Small, so that inputs that exceed them are found soon.
const LIMITS: Limits = Limits { text_bytes: 1 << 20, unpacked_bytes: 1 << 22, member_bytes: 1 << 20 };
/// Number of sentences of a PDF file whose marks are checked.
const MAX_MARKED: usize = 20;
/// Longer paths in compound files are skipped: the time to create nested storages grows with the square of their depth.
const MAX_PATH: usize = 200;

/// Reads a file: the first line is the kind that its name claims, the rest its bytes.
pub fn read(bytes: &[u8]) -> bool {
    kind_and_rest(bytes).and_then(|(kind, file)| made_of(kind, file)).is_some()
}

/// Whether only a library reads the input: an old workbook, whose reader panics on damage. The extractor process
/// contains that panic, but the fuzzer would find nothing behind it.
pub fn is_read_by_library(bytes: &[u8]) -> bool {
    const STREAMS: [&[u8]; 2] = [b"Workbook", b"Book\n"];
    let has = |name: &&[u8]| bytes.windows(name.len()).any(|window| window == *name);
    kind_and_rest(bytes).is_some_and(|(kind, _)| kind == Kind::Xls) || STREAMS.iter().any(has)
}

/// Reads a container of parts: the first line is the kind, which decides between archive and compound file; the rest
/// are the parts. The files of an archive are read from a ZIP and from a TAR archive.
pub fn package(bytes: &[u8]) -> bool {
    let Some((kind, parts)) = kind_and_rest(bytes) else { return false };
    let parts = parts_of(parts);
    let is_read = |packed: io::Result<Vec<u8>>| packed.is_ok_and(|packed| made_of(kind, &packed).is_some());
    match kind {
        Kind::Doc | Kind::Ppt | Kind::Xls | Kind::Msg => is_read(compound(&parts)),
        Kind::Archive => is_read(zipped(&parts)) & is_read(tarred(&parts)),
        _ => is_read(zipped(&parts)),
    }
}

/// Reads a PDF file and marks its first sentences. Parts named `page` are the contents of pages, one named `map` the
/// `ToUnicode` map of their font; bytes without parts are the file.
pub fn pdf(bytes: &[u8]) -> bool {
    let parts = parts_of(bytes);
    let file = if parts.is_empty() { bytes } else { &pdf_of(&parts) };
    let Some(made) = made_of(Kind::Pdf, file) else { return false };
    let spans: Vec<ByteSpan> = made.sentences.iter().take(MAX_MARKED).map(|sentence| sentence.span).collect();
    let request = MarkRequest::new(&made.text, &made.pages, &spans);
    if let Some(marks) = marks(file, &RecognisedPages::new(), &request).ok().flatten() {
        assert!(request.admits(&marks), "{marks:?} are no marks of {request:?}");
    }
    true
}

/// Splits a text into sentences: the first line is its kind, and form feeds end its pages.
pub fn segment(bytes: &[u8]) -> bool {
    let Some((kind, text)) = kind_and_rest(bytes) else { return false };
    let text = String::from_utf8_lossy(text).into_owned();
    let starts = text.match_indices('\u{c}').map(|(at, _)| at as u32 + 1);
    let pages = PageMap([0].into_iter().chain(starts).collect());
    let sentences = sentences(&text, kind, &pages);
    let made = sound(Extracted { pages, sentences, ..Extracted::new(kind, text) });
    for sentence in &made.sentences {
        let source = &made.text[sentence.span.range()];
        let read = plain(source, kind);
        let _ = (words(&read), terms(&read));
        let found = source_of(source, kind, &read, 0..read.len());
        assert!(found.is_none_or(|found| source.get(found).is_some()), "{source:?} has no such part");
    }
    true
}

/// Decodes a reply of the extractor process.
pub fn receive(bytes: &[u8]) -> bool {
    let reply = worker::receive(&mut &*bytes, &LIMITS);
    if let Ok(Ok(Reply::Read(made))) = &reply {
        sound(made.as_ref().clone());
    }
    reply.is_ok()
}

/// Shows a Markdown text, and each of its sentences.
pub fn visible(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let sentences = sentences(&text, Kind::Markdown, &PageMap::default());
    let whole = ByteSpan::new(0, text.len() as u32);
    for span in sentences.iter().take(MAX_MARKED).map(|sentence| sentence.span).chain([whole]) {
        let mut end = span.start;
        for piece in oriel_text::visible(&text, span) {
            let is_inside = piece.span.start >= end && piece.span.of(&text).is_some();
            assert!(is_inside, "{piece:?} is not in {span:?} of {text:?}");
            end = piece.span.end;
        }
    }
    true
}

/// The extracted text, if the file can be read and has any.
fn made_of(kind: Kind, file: &[u8]) -> Option<Extracted> {
    match oriel_text::read(kind, file, &LIMITS) {
        Ok(made) => Some(sound(made)).filter(|made| !made.text.is_empty() || !made.members.is_empty()),
        Err(failure) => {
            assert!(!failure.reason.to_string().is_empty());
            assert_ne!(failure.code, FailureCode::Crashed);
            None
        }
    }
}

fn sound(made: Extracted) -> Extracted {
    assert!(made.text.len() <= LIMITS.text_bytes);
    made.validated().expect("spans are inside the text and ascend")
}

fn kind_and_rest(bytes: &[u8]) -> Option<(Kind, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    Some((std::str::from_utf8(&bytes[..end]).ok()?.parse().ok()?, &bytes[end + 1..]))
}

/// The parts with their names; bytes before the first part are ignored.
fn parts_of(bytes: &[u8]) -> Vec<(&str, &[u8])> {
    const MARK: &[u8] = b"-- ";
    let mut parts: Vec<(&str, &[u8])> = Vec::new();
    let mut start = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let end = start + line.len();
        let name = line.strip_prefix(MARK).and_then(|name| std::str::from_utf8(name.trim_ascii_end()).ok());
        if let Some(name) = name {
            parts.push((name, &bytes[end..end]));
        } else if let Some((_, part)) = parts.last_mut() {
            *part = &bytes[end - line.len() - part.len()..end];
        }
        start = end;
    }
    parts
}

fn zipped(parts: &[(&str, &[u8])]) -> io::Result<Vec<u8>> {
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, part) in parts {
        archive.start_file(*name, stored)?;
        archive.write_all(part)?;
    }
    Ok(archive.finish()?.into_inner())
}

/// A TAR archive with these files, whose names can be invalid.
fn tarred(parts: &[(&str, &[u8])]) -> io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, part) in parts {
        let mut header = tar::Header::new_gnu();
        let field = &mut header.as_old_mut().name;
        let length = name.len().min(field.len());
        field[..length].copy_from_slice(&name.as_bytes()[..length]);
        header.set_size(part.len() as u64);
        header.set_cksum();
        archive.append(&header, *part)?;
    }
    archive.into_inner()
}

fn compound(parts: &[(&str, &[u8])]) -> io::Result<Vec<u8>> {
    if parts.iter().any(|(path, _)| path.len() > MAX_PATH) {
        return Err(io::ErrorKind::InvalidFilename.into());
    }
    let mut file = CompoundFile::create(Cursor::new(Vec::new()))?;
    for (name, part) in parts {
        if let Some((storage, _)) = name.rsplit_once('/').filter(|(storage, _)| !storage.is_empty()) {
            file.create_storage_all(storage)?;
        }
        file.create_stream(name)?.write_all(part)?;
    }
    Ok(file.into_inner().into_inner())
}

/// A PDF file with these parts.
fn pdf_of(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let named = |wanted: &'static str| parts.iter().filter(move |(name, _)| *name == wanted);
    let pages = named("page").count();
    let kids: String = (0..pages).map(|page| format!("{} 0 R ", 6 + 2 * page)).collect();
    let map = named("map").next().map_or(&[][..], |(_, map)| map);
    let mut objects: Vec<Vec<u8>> = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!("<</Type/Pages/Kids[{kids}]/Count {pages}>>").into_bytes(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 5 0 R>>".to_vec(),
        stream(map),
    ];
    for (page, (_, content)) in named("page").enumerate() {
        let content_at = 7 + 2 * page;
        objects.push(
            format!(
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents {content_at} 0 R\
                 /Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>>>"
            )
            .into_bytes(),
        );
        objects.push(stream(content));
    }
    let mut file = b"%PDF-1.5\n".to_vec();
    let mut places = String::new();
    for (number, object) in objects.iter().enumerate() {
        places.push_str(&format!("{:010} 00000 n \n", file.len()));
        file.extend_from_slice(format!("{} 0 obj\n", number + 1).as_bytes());
        file.extend_from_slice(object);
        file.extend_from_slice(b"\nendobj\n");
    }
    let (table, count) = (file.len(), objects.len() + 1);
    let tail = format!(
        "xref\n0 {count}\n0000000000 65535 f \n{places}trailer\n<</Size {count}/Root 1 0 R>>\nstartxref\n{table}\n%%EOF\n"
    );
    file.extend_from_slice(tail.as_bytes());
    file
}

fn stream(content: &[u8]) -> Vec<u8> {
    let head = format!("<</Length {}>>\nstream\n", content.len());
    [head.as_bytes(), content, b"\nendstream"].concat()
}
