//! The scheme `doc:`: the pages of a PDF, an image or a document of iWork, as a PDF, by the document's number. The UI
//! never names a path.
//!
//! Windows supports no such schemes and uses `http://doc.localhost`, which `tauri.windows.conf.json` allows there only.
//! All other formats are drawn from the extracted text, never from the file.

use std::fs::File;
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use http_range::HttpRange;
use oriel_core::{DocumentId, Kind};
use tauri::http::{Request, Response, StatusCode, header};
use tauri::{AppHandle, Manager as _, UriSchemeResponder};

use crate::state::app::App;

/// The most bytes of one response. The viewer asks for ranges.
const MAX_RESPONSE_BYTES: u64 = 64 << 20;

/// Answers a request for a document's bytes.
pub(crate) fn serve(handle: &AppHandle, request: Request<Vec<u8>>, responder: UriSchemeResponder) {
    let app = Arc::clone(&handle.state::<Arc<App>>());
    tauri::async_runtime::spawn_blocking(move || {
        let origin = request.headers().get(header::ORIGIN).and_then(|origin| origin.to_str().ok());
        let origin = origin.filter(|origin| is_ours(origin)).unwrap_or("tauri://localhost").to_owned();
        let mut response = answer(&app, &request);
        let headers = response.headers_mut();
        if let Ok(origin) = origin.parse() {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        }
        for (name, value) in [
            (header::ACCESS_CONTROL_ALLOW_HEADERS, "range"),
            (header::ACCESS_CONTROL_EXPOSE_HEADERS, "accept-ranges, content-range, content-length"),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::CACHE_CONTROL, "no-store"),
        ] {
            headers.insert(name, header::HeaderValue::from_static(value));
        }
        responder.respond(response);
    });
}

/// The address under which the viewer gets a document's pages.
pub(crate) fn address(id: DocumentId) -> String {
    // Windows knows no custom schemes.
    if cfg!(windows) { format!("http://doc.localhost/{}", id.0) } else { format!("doc://localhost/{}", id.0) }
}

fn is_ours(origin: &str) -> bool {
    matches!(origin, "tauri://localhost" | "http://tauri.localhost" | "https://tauri.localhost")
}

fn answer(app: &App, request: &Request<Vec<u8>>) -> Response<Vec<u8>> {
    if request.method() == "OPTIONS" {
        return empty(StatusCode::NO_CONTENT);
    }
    let Some(path) = request.uri().path().strip_prefix('/').and_then(|number| number.parse().ok()) else {
        return empty(StatusCode::NOT_FOUND);
    };
    let Ok(session) = app.session() else { return empty(StatusCode::NOT_FOUND) };
    // Everything else is shown as it was extracted.
    let document = session.library.document(DocumentId(path)).ok();
    let Some(document) = document.filter(|document| document.kind.is_drawn()) else {
        return empty(StatusCode::NOT_FOUND);
    };
    let range = request.headers().get(header::RANGE).and_then(|range| range.to_str().ok());
    let response = match document.within {
        None if document.kind == Kind::Pdf && !document.locked => {
            read_file(&document.path, range).map_err(|error| error.to_string())
        }
        _ => {
            app.shown_pages.bytes(&session.library, document.id).map_err(|error| error.to_string()).and_then(
                |bytes| {
                    read(Cursor::new(&bytes), bytes.len() as u64, range).map_err(|error| error.to_string())
                },
            )
        }
    };
    response.unwrap_or_else(|error| {
        tracing::debug!(%error, "a document cannot be read");
        empty(StatusCode::NOT_FOUND)
    })
}

fn read_file(path: &Path, range: Option<&str>) -> std::io::Result<Response<Vec<u8>>> {
    let file = File::open(path)?;
    let found = file.metadata()?;
    if !found.is_file() {
        return Ok(empty(StatusCode::NOT_FOUND));
    }
    read(file, found.len(), range)
}

/// Answers with a range of a file of `size` bytes.
fn read(mut file: impl Read + Seek, size: u64, range: Option<&str>) -> std::io::Result<Response<Vec<u8>>> {
    if range.is_none() && size > MAX_RESPONSE_BYTES {
        return Ok(empty(StatusCode::PAYLOAD_TOO_LARGE));
    }
    let (from, to, status) = match range {
        None => (0, size, StatusCode::OK),
        Some(range) => match parse_range(range, size) {
            Some((from, to)) => (from, to, StatusCode::PARTIAL_CONTENT),
            None => return Ok(empty(StatusCode::RANGE_NOT_SATISFIABLE)),
        },
    };
    let to = if range.is_some() { to.min(from + MAX_RESPONSE_BYTES) } else { to };
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(from))?;
    file.take(to - from).read_to_end(&mut bytes)?;
    let mut response = Response::new(bytes);
    *response.status_mut() = status;
    let length = response.body().len();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/pdf"));
    headers.insert(header::ACCEPT_RANGES, header::HeaderValue::from_static("bytes"));
    headers.insert(header::CONTENT_LENGTH, length.into());
    if status == StatusCode::PARTIAL_CONTENT {
        let last = (from + length as u64).saturating_sub(1);
        if let Ok(value) = format!("bytes {from}-{last}/{size}").parse() {
            headers.insert(header::CONTENT_RANGE, value);
        }
    }
    Ok(response)
}

/// Parses a range header: the first byte and one past the last. Several ranges at once are not served.
fn parse_range(range: &str, size: u64) -> Option<(u64, u64)> {
    match HttpRange::parse(range, size).ok()?.as_slice() {
        [one] if one.length > 0 => Some((one.start, one.start + one.length)),
        _ => None,
    }
}

fn empty(status: StatusCode) -> Response<Vec<u8>> {
    let mut response = Response::new(Vec::new());
    *response.status_mut() = status;
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_parsed() {
        assert_eq!(parse_range("bytes=0-499", 1000), Some((0, 500)));
        assert_eq!(parse_range("bytes=500-", 1000), Some((500, 1000)));
        assert_eq!(parse_range("bytes=-300", 1000), Some((700, 1000)));
        assert_eq!(parse_range("bytes=900-2000", 1000), Some((900, 1000)));
        for wrong in ["bytes=1000-", "bytes=5-4", "bytes=a-b", "lines=0-1", "bytes=0-1,5-6", "bytes=-"] {
            assert_eq!(parse_range(wrong, 1000), None, "{wrong}");
        }
    }

    #[test]
    fn a_range_of_a_file_is_answered_with_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pdf");
        std::fs::write(&path, b"0123456789").unwrap();
        let response = read_file(&path, Some("bytes=2-4")).unwrap();
        assert_eq!(response.status(), StatusCode::PARTIAL_CONTENT);
        assert_eq!(response.body(), b"234");
        assert_eq!(response.headers()[header::CONTENT_RANGE], "bytes 2-4/10");
        assert_eq!(read_file(&path, None).unwrap().body().len(), 10);
        assert_eq!(
            read_file(folder.path(), None).unwrap().status(),
            StatusCode::NOT_FOUND,
            "a folder has no bytes"
        );
        assert_eq!(read_file(&path, Some("bytes=10-")).unwrap().status(), StatusCode::RANGE_NOT_SATISFIABLE);
    }
}
