//! Hostile documents: each contains one harmless sentence and tries everything else.

use crate::harness::Harness;

/// The question that all of them answer.
pub const QUESTION: &str = "How many litres of oil does the lighthouse at Skerry Point burn?";

/// All the attacks that HTML allows, for a listener on `port`; `name` distinguishes the documents.
pub fn hostile(port: u16, name: &str) -> String {
    let at = format!("http://127.0.0.1:{port}/{name}");
    format!(
        "<script>window.pwned='{name}'</script><script src={at}/s.js></script>\
         <img src={at}/i.png onerror=\"window.pwned='{name}'\"><svg onload=\"window.pwned='{name}'\"></svg>\
         <iframe src={at}/f srcdoc=\"<script>parent.pwned='{name}'</script>\"></iframe>\
         <link rel=stylesheet href={at}/c.css><style>@import url({at}/i.css); body{{background:url({at}/b.png)}}</style>\
         <meta http-equiv=refresh content=\"0;url={at}/r\"><base href={at}/>\
         <form action={at}/form><button>Go</button></form><video src={at}/v autoplay></video>\
         <object data={at}/o></object><embed src={at}/e><a href=\"javascript:window.pwned='{name}'\">here</a> \
         <a href=\"data:text/html,<script>opener.pwned=1</script>\">there</a> \
         ![picture]({at}/m.png) [link](javascript:window.pwned='{name}') [other](data:text/html,x) <{at}/auto> \
         {{{{constructor.constructor('window.pwned=1')()}}}} ${{window.pwned=1}}"
    )
}

fn sentence(port: u16, name: &str) -> String {
    format!(
        "The lighthouse at Skerry Point burns 4,200 litres of oil, says the {name} {}.",
        hostile(port, name)
    )
}

/// One document of every kind.
pub fn write_all(harness: &Harness, port: u16) {
    let text = |name: &str| sentence(port, name);
    harness.write(
        "keeper.md",
        format!("# Oil <img src=x onerror=\"window.pwned='title'\">\n\n{}\n", text("markdown")),
    );
    harness.write("keeper.txt", format!("{}\n", text("text")));
    let page = text("page");
    let shown = page.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    // Once as markup, and once as text that looks like markup.
    harness.write("keeper.html", format!("<html><body><p>{page}</p><p>{shown}</p></body></html>"));
    harness.write("keeper.docx", docx(port, &shown.replace("page", "letter")));
    harness.write("keeper.pdf", pdf(port, &text("print")));
}

/// A PDF of one page that tries to run a script, to submit a form and to open an address.
fn pdf(port: u16, text: &str) -> Vec<u8> {
    let escaped = text.replace('\\', "\\\\").replace('(', "\\(").replace(')', "\\)");
    let words: Vec<&str> = escaped.split(' ').collect();
    let lines: String = words.chunks(6).map(|line| format!("({}) Tj T*\n", line.join(" ") + " ")).collect();
    let content = format!("BT /F1 9 Tf 11 TL 30 800 Td\n{lines}ET");
    let uri = format!("/S /URI /URI (http://127.0.0.1:{port}/pdf)");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R /OpenAction 6 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Annots [7 0 R] \
         /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
        format!(
            "<< /S /JavaScript /JS (app.launchURL\\('http://127.0.0.1:{port}/js'\\); window.pwned='pdf') >>"
        ),
        format!("<< /Type /Annot /Subtype /Link /Rect [0 0 595 842] /A << {uri} >> >>"),
    ];
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    for (number, object) in (1..).zip(&objects) {
        places.push(file.len());
        file.extend(format!("{number} 0 obj\n{object}\nendobj\n").bytes());
    }
    let start = file.len();
    file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    for place in places {
        file.extend(format!("{place:010} 00000 n \n").bytes());
    }
    let size = objects.len() + 1;
    file.extend(format!("trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n").bytes());
    file
}

/// A Word file with an external picture and an external template. `text` is escaped for XML.
fn docx(port: u16, text: &str) -> Vec<u8> {
    let types = r#"<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"#;
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let package = "http://schemas.openxmlformats.org/package/2006/relationships";
    let root = format!(
        r#"<?xml version="1.0"?><Relationships xmlns="{package}"><Relationship Id="r1" Type="{office}/officeDocument" Target="word/document.xml"/></Relationships>"#
    );
    let elsewhere = format!("http://127.0.0.1:{port}/docx");
    let related = format!(
        r#"<?xml version="1.0"?><Relationships xmlns="{package}"><Relationship Id="r2" Type="{office}/image" Target="{elsewhere}.png" TargetMode="External"/><Relationship Id="r3" Type="{office}/attachedTemplate" Target="{elsewhere}.dotm" TargetMode="External"/></Relationships>"#
    );
    let document = format!(
        r#"<?xml version="1.0"?><!DOCTYPE w [<!ENTITY x SYSTEM "{elsewhere}.xml">]><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:body></w:document>"#
    );
    zip(&[
        ("[Content_Types].xml", types),
        ("_rels/.rels", &root),
        ("word/document.xml", &document),
        ("word/_rels/document.xml.rels", &related),
    ])
}

/// A ZIP archive without compression.
fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (name, text) in files {
        let at = u32::try_from(archive.len()).unwrap();
        let size = u32::try_from(text.len()).unwrap();
        let mut head = Vec::new();
        // Version, flags, method, time, date.
        head.extend([20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0]);
        head.extend(crc(text.as_bytes()).to_le_bytes());
        head.extend(size.to_le_bytes());
        head.extend(size.to_le_bytes());
        head.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        head.extend([0, 0]);
        archive.extend(b"PK\x03\x04");
        archive.extend(&head);
        archive.extend(name.bytes());
        archive.extend(text.bytes());
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&head);
        directory.extend([0; 10]);
        directory.extend(at.to_le_bytes());
        directory.extend(name.bytes());
    }
    let (start, size) = (u32::try_from(archive.len()).unwrap(), u32::try_from(directory.len()).unwrap());
    let count = u16::try_from(files.len()).unwrap().to_le_bytes();
    archive.extend(directory);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend(count);
    archive.extend(count);
    archive.extend(size.to_le_bytes());
    archive.extend(start.to_le_bytes());
    archive.extend([0, 0]);
    archive
}

/// The CRC-32 of a file in an archive.
fn crc(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for &byte in bytes {
        sum ^= u32::from(byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
        }
    }
    !sum
}
