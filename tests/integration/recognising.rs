//! Scans and images: Tesseract recognises their text, which is then found, cited and marked like any other.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;

use oriel_core::{CancelToken, Kind};
use oriel_engine::{Library, Mark};
use oriel_text::{Picture, draw};

use crate::oriel::{Oriel, sample, text};

const LEASE: &str = "Contracts/Lease 4 Ropewalk (2019).pdf";

/// The first pages of a document of the sample, as pixels.
fn pages(name: &str, count: u32) -> Vec<Picture> {
    let bytes = fs::read(sample().join(name)).unwrap();
    (1..=count).map(|page| draw(Kind::Pdf, &bytes, page).unwrap()).collect()
}

/// A PDF with a picture on each page.
fn scan(pages: &[Picture]) -> Vec<u8> {
    let mut objects: Vec<Vec<u8>> = Vec::new();
    let kids: String = (0..pages.len()).map(|page| format!("{} 0 R ", 3 + 3 * page)).collect();
    objects.push(b"<< /Type /Catalog /Pages 2 0 R >>".to_vec());
    objects.push(format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", pages.len()).into_bytes());
    for (page, Picture { width, height, dpi, grey, .. }) in pages.iter().enumerate() {
        let points = |pixels: &u32| f64::from(*pixels) * 72.0 / f64::from(*dpi);
        let (wide, high, first) = (points(width), points(height), 3 + 3 * page);
        objects.push(
            format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {wide} {high}] /Contents {} 0 R \
                 /Resources << /XObject << /I {} 0 R >> >> >>",
                first + 1,
                first + 2
            )
            .into_bytes(),
        );
        let content = format!("{wide} 0 0 {high} 0 0 cm /I Do");
        objects.push(format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()).into_bytes());
        let mut picture = format!(
            "<< /Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace /DeviceGray \
             /BitsPerComponent 8 /Length {} >>\nstream\n",
            grey.len()
        )
        .into_bytes();
        picture.extend_from_slice(grey);
        picture.extend_from_slice(b"\nendstream");
        objects.push(picture);
    }
    let mut pdf = b"%PDF-1.5\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (number, object) in (1..).zip(&objects) {
        table.push_str(&format!("{:010} 00000 n \n", pdf.len()));
        pdf.extend_from_slice(format!("{number} 0 obj\n").as_bytes());
        pdf.extend_from_slice(object);
        pdf.extend_from_slice(b"\nendobj\n");
    }
    let start = pdf.len();
    let trailer =
        format!("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n", objects.len() + 1);
    pdf.extend_from_slice(table.as_bytes());
    pdf.extend_from_slice(trailer.as_bytes());
    pdf
}

/// An image file of a picture.
fn png(picture: &Picture) -> Vec<u8> {
    let image = image::GrayImage::from_raw(picture.width, picture.height, picture.grey.clone()).unwrap();
    let mut file = std::io::Cursor::new(Vec::new());
    image.write_to(&mut file, image::ImageFormat::Png).unwrap();
    file.into_inner()
}

/// The sentences on the first page, without line breaks, each with its marks.
fn marked(library: &Library, path: &Path) -> Vec<(String, Vec<Mark>)> {
    let shown = library.show(path).unwrap();
    let rows = library.documents("", usize::MAX).unwrap();
    let id = rows.iter().find(|row| row.path == path).unwrap().id;
    let first = shown.sentences.iter().filter(|sentence| sentence.page == Some(1));
    let marked = first.map(|sentence| {
        let words: Vec<_> = sentence.span.of(&shown.text).unwrap().split_whitespace().collect();
        let marks = library.highlights(id, &[sentence.span], &CancelToken::new()).unwrap();
        (words.join(" "), marks)
    });
    marked.collect()
}

/// The outermost edges of the marks.
fn edges(marks: &[Mark]) -> [f32; 4] {
    let low = |of: fn(&Mark) -> f32| marks.iter().map(of).fold(1.0, f32::min);
    let high = |of: fn(&Mark) -> f32| marks.iter().map(of).fold(0.0, f32::max);
    [low(|mark| mark.left), low(|mark| mark.top), high(|mark| mark.right), high(|mark| mark.bottom)]
}

#[test]
fn scans_and_images_are_found_and_marked_where_the_words_are() {
    let oriel = Oriel::new();
    oriel.write("lease.pdf", fs::read(sample().join(LEASE)).unwrap());
    let lease = pages(LEASE, 1);
    oriel.write("scan.pdf", scan(&lease));
    oriel.write("photo.png", png(&lease[0]));
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    assert_eq!(oriel.json(&["index"])["failed"], 0);
    let library = oriel.open();
    let real = marked(&library, &oriel.documents().join("lease.pdf"));
    for name in ["scan.pdf", "photo.png"] {
        let path = oriel.documents().join(name);
        let found = marked(&library, &path);
        let same = |words: &str| real.iter().find(|(other, _)| other == words);
        let pairs = found.iter().filter_map(|(words, marks)| Some((words, marks, &same(words)?.1)));
        let (words, marks, real) = pairs.max_by_key(|(words, ..)| words.len()).unwrap();
        assert!(words.len() > 80, "{name}: {found:?}");
        let apart = edges(marks).into_iter().zip(edges(real)).map(|(one, other)| (one - other).abs());
        assert!(apart.fold(0.0, f32::max) < 0.01, "{name}: {marks:?} instead of {real:?}");
        let passages = oriel.search(&[words, "--in", path.to_str().unwrap(), "--window", "0"]);
        let text = text(&passages[0]["text"]).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(words.as_str()), "{passages:?}");
        assert_eq!(passages[0]["page"], 1);
    }
    assert_eq!(oriel.json(&["doctor"])["ok"], true);
}

#[test]
fn a_kill_in_the_middle_costs_only_the_document_at_work() {
    let oriel = Oriel::new();
    oriel.write("scan.pdf", scan(&(0..2).flat_map(|_| pages(LEASE, 2)).collect::<Vec<_>>()));
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    let mut child = oriel.command(&["index"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let is_at_work = lines.map_while(Result::ok).any(|line| line.starts_with("recognising 1 of 4 pages"));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(is_at_work, "it ended before the kill");
    let status = oriel.json(&["status"]);
    assert_eq!((&status["recognition"]["waiting"], &status["documents"]), (&1.into(), &0.into()));
    assert_eq!(oriel.json(&["doctor"])["ok"], true);
    assert_eq!(oriel.json(&["index"])["documents"], 1);
    assert_eq!(oriel.json(&["status"])["recognition"]["waiting"], 0);
}

#[test]
fn without_tesseract_a_scan_says_what_to_install_and_is_read_once_that_is_done() {
    let oriel = Oriel::new();
    oriel.write("scan.pdf", scan(&pages(LEASE, 1)));
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    let run = |arguments: &[&str]| {
        let output = oriel.command(arguments).env("PATH", "").output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    run(&["index"]);
    let status = run(&["status"]);
    assert!(status.contains("no Tesseract; 1 document to do"), "{status}");
    assert!(status.contains(oriel_core::INSTALL_TESSERACT), "{status}");
    assert_eq!(oriel.json(&["index"])["failed"], 0);
}

#[test]
fn a_picture_without_words_is_an_empty_document() {
    let oriel = Oriel::new();
    let hills = image::GrayImage::from_fn(900, 600, |x, y| {
        let (x, y) = (x as f32 / 90.0, y as f32 / 60.0);
        image::Luma([(128.0 + 60.0 * (x.sin() + (0.7 * x + y).cos())) as u8])
    });
    let picture = Picture { pages: 1, width: 900, height: 600, dpi: 72, grey: hills.into_raw() };
    oriel.write("hills.png", png(&picture));
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    let report = oriel.json(&["index"]);
    assert_eq!(
        (&report["documents"], &report["sentences"], &report["failed"]),
        (&1.into(), &0.into(), &0.into())
    );
    let again = oriel.run(&["index"]);
    assert!(!String::from_utf8_lossy(&again.stderr).contains("recognising"), "it is not tried again");
}
