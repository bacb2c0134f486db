//! Builds the app's border: its configuration, permissions and capabilities.

use std::path::Path;

fn main() {
    // A fresh clone has no window yet; the macro that embeds it fails where the folder is missing.
    let page = Path::new("ui/dist/index.html");
    if !page.exists() {
        std::fs::create_dir_all("ui/dist").expect("ui/dist can be made");
        std::fs::write(page, "<!doctype html><title>Oriel</title><p>Run make build.</p>\n")
            .expect("ui/dist can be written");
    }
    let attributes =
        tauri_build::Attributes::new().capabilities_path_pattern("src-tauri/capabilities/*.json");
    tauri_build::try_build(attributes).expect("tauri.conf.json and the capabilities are sound");
}
