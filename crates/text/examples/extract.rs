//! Prints the text of a file as Oriel would index it: `extract FILE [--pages]`.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use oriel_core::Kind;
use oriel_text::{Limits, extract};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        eprintln!("usage: extract FILE [--pages]");
        return ExitCode::from(2);
    };
    match print(Path::new(&path), arguments.next().as_deref() == Some("--pages")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

fn print(path: &Path, with_pages: bool) -> Result<(), String> {
    let kind = Kind::of_path(path).ok_or("unreadable: not a kind that Oriel reads")?;
    let bytes = std::fs::read(path).map_err(|error| format!("unreadable: {error}"))?;
    let raw = extract(kind, &bytes, &Limits::default())
        .map_err(|failure| format!("{}: {}", failure.code.name(), failure.reason))?;
    let mut out = std::io::stdout().lock();
    let written = if with_pages {
        let ends = raw.pages.0.iter().skip(1).map(|&end| end as usize).chain([raw.text.len()]);
        let starts = raw.pages.0.iter().map(|&start| start as usize);
        starts.zip(ends).enumerate().try_for_each(|(page, (start, end))| {
            writeln!(out, "--- page {} ---\n{}", page + 1, &raw.text[start..end])
        })
    } else {
        out.write_all(raw.text.as_bytes())
    };
    written.map_err(|error| error.to_string())
}
