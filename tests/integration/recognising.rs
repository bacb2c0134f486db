//! Scans and images: Tesseract recognises their text, which is then found, cited and marked like other text.

use std::fs;
use std::io::{BufRead as _, BufReader};
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;

use oriel_core::{CancelToken, Kind};
use oriel_engine::{Library, Mark};
use oriel_text::{Drawing, Picture};

use crate::oriel::{Oriel, sample, text};

const LEASE: &str = "Contracts/Lease 4 Ropewalk (2019).pdf";

/// The first pages of a document of the sample, as pixels.
fn pages(name: &str, count: u32) -> Vec<Picture> {
    let mut drawing = Drawing::open(Kind::Pdf, fs::read(sample().join(name)).unwrap()).unwrap();
    (1..=count).map(|page| drawing.page(page).unwrap()).collect()
}

/// A page of a PDF.
enum Page {
    Scanned(Picture),
    Written(&'static str),
}

/// A PDF with a picture on each page.
fn scan(pages: Vec<Picture>) -> Vec<u8> {
    pdf(pages.into_iter().map(Page::Scanned).collect())
}

/// A PDF of these pages.
fn pdf(pages: Vec<Page>) -> Vec<u8> {
    let stream = |entries: &str, bytes: &[u8]| {
        let head = format!("<< {entries} /Length {} >>\nstream\n", bytes.len());
        [head.as_bytes(), bytes, b"\nendstream"].concat()
    };
    let mut objects: Vec<Vec<u8>> = Vec::new();
    let kids: String = (0..pages.len()).map(|page| format!("{} 0 R ", 3 + 3 * page)).collect();
    objects.push(b"<< /Type /Catalog /Pages 2 0 R >>".to_vec());
    objects.push(format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", pages.len()).into_bytes());
    for (number, page) in pages.into_iter().enumerate() {
        let first = 3 + 3 * number;
        let (size, content, resources, resource) = match page {
            Page::Scanned(Picture { width, height, dpi, grey, .. }) => {
                let points = |pixels: u32| f64::from(pixels) * 72.0 / f64::from(dpi);
                let size = format!("{} {}", points(width), points(height));
                let entries = format!(
                    "/Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace /DeviceGray \
                     /BitsPerComponent 8"
                );
                let content = format!("{} 0 0 {} 0 0 cm /R Do", points(width), points(height));
                (size, content, "XObject", stream(&entries, &grey))
            }
            Page::Written(words) => {
                let content = format!("BT /R 11 Tf 60 700 Td ({words}) Tj ET");
                let font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_vec();
                ("612 792".to_owned(), content, "Font", font)
            }
        };
        objects.push(
            format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size}] /Contents {} 0 R \
                 /Resources << /{resources} << /R {} 0 R >> >> >>",
                first + 1,
                first + 2
            )
            .into_bytes(),
        );
        objects.push(stream("", content.as_bytes()));
        objects.push(resource);
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

/// The sentences on a page, without line breaks, each with its marks.
fn marked(library: &Library, path: &Path, page: u32) -> Vec<(String, Vec<Mark>)> {
    let shown = library.show(path).unwrap();
    let rows = library.documents("", usize::MAX).unwrap();
    let id = rows.iter().find(|row| row.path == path).unwrap().id;
    let there = shown.sentences.iter().filter(|sentence| sentence.page == Some(page));
    let marked = there.map(|sentence| {
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
    oriel.write("photo.png", png(&lease[0]));
    oriel.write("scan.pdf", scan(lease));
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    assert_eq!(oriel.json(&["index"])["failed"], 0);
    let library = oriel.open();
    let real = marked(&library, &oriel.documents().join("lease.pdf"), 1);
    for name in ["scan.pdf", "photo.png"] {
        let path = oriel.documents().join(name);
        let found = marked(&library, &path, 1);
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

#[cfg(unix)]
#[test]
fn what_a_kill_interrupts_goes_on_with_the_next_page() {
    let oriel = Oriel::new();
    oriel.write("scan.pdf", scan((0..5).flat_map(|_| pages(LEASE, 2)).collect()));
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    // Progress is reported at intervals, so not for every page. Each page takes a while, even on a fast machine.
    let slow = oriel.beside("slow");
    fs::create_dir(&slow).unwrap();
    let script = "#!/bin/sh\ncase \"$*\" in *--list-langs*) ;; *) sleep 1 ;; esac\nPATH=${PATH#*:} exec tesseract \"$@\"\n";
    fs::write(slow.join("tesseract"), script).unwrap();
    fs::set_permissions(slow.join("tesseract"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", slow.display(), std::env::var("PATH").unwrap());
    let page =
        |line: &str| -> Option<u32> { line.strip_prefix("recognising ")?.split(' ').next()?.parse().ok() };
    let mut command = oriel.command(&["index"]);
    command.env("PATH", path).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let reached = lines.filter_map(|line| page(&line)).find(|page| *page > 1);
    child.kill().unwrap();
    child.wait().unwrap();
    let reached = reached.expect("it ended before the kill");
    let status = oriel.json(&["status"]);
    assert_eq!((&status["recognition"]["waiting"], &status["documents"]), (&1.into(), &0.into()));
    assert_eq!(oriel.json(&["doctor"])["ok"], true);
    let again = oriel.run(&["index"]);
    let said = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(said.lines().find_map(page).unwrap() >= reached, "page {reached} was begun: {said}");
    let status = oriel.json(&["status"]);
    assert_eq!((&status["recognition"]["waiting"], &status["documents"]), (&0.into(), &1.into()));
    let text = oriel.open().show(&oriel.documents().join("scan.pdf")).unwrap();
    let of_page = |page: u32| text.sentences.iter().filter(|one| one.page == Some(page)).count();
    assert_eq!((of_page(1), of_page(2)), (of_page(3), of_page(4)), "all pages are there, once");
    assert!(of_page(1) > 5);
}

#[test]
fn scanned_pages_among_pages_of_text_are_read_in_their_place() {
    let oriel = Oriel::new();
    let lease = pages(LEASE, 1).remove(0);
    let first = "This appendix belongs to the lease and was signed by both parties.";
    let last = "The keys were handed over in the presence of a witness.";
    let path = oriel
        .write("appendix.pdf", pdf(vec![Page::Written(first), Page::Scanned(lease), Page::Written(last)]));
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    assert_eq!(oriel.json(&["index"])["failed"], 0);
    let library = oriel.open();
    assert_eq!(marked(&library, &path, 1)[0].0, first);
    assert_eq!(marked(&library, &path, 3)[0].0, last);
    let scanned = marked(&library, &path, 2);
    assert!(scanned.len() > 5 && scanned.iter().all(|(_, marks)| !marks.is_empty()), "{scanned:?}");
    let text = library.show(&path).unwrap();
    assert!(text.recognised.is_some_and(|recognised| !recognised.whole));
    assert_eq!(oriel.json(&["status"])["recognition"]["waiting"], 0);
    assert_eq!(oriel.json(&["doctor"])["ok"], true);
}

#[test]
fn without_tesseract_a_scan_says_what_to_install_and_is_read_once_that_is_done() {
    let oriel = Oriel::new();
    oriel.write("scan.pdf", scan(pages(LEASE, 1)));
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
