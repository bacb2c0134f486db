//! The app window: made in code, and kept on our own page.
//!
//! The content policy (`tauri.conf.json`) loads scripts, styles and fonts only from the app. A policy does not stop
//! navigation, so this file refuses every other address and every new window. The page may call one function of Tauri,
//! to listen to events; dialogs, notifications and the file browser are called from Rust.
//!
//! Without a graphics card WebKit would compose each frame with an emulated one, so compositing is off then. A render
//! node (`/dev/dri/renderD*`) counts as a card; a virtual machine may have one without a card behind it, and then draws
//! slowly. WebKit's driver cannot take screenshots without compositing (it waits for ever), so the tests capture the
//! screen.

use tauri::webview::{Color, WebviewWindowBuilder};
use tauri::{AppHandle, Manager as _, Theme, Url, WebviewUrl, WebviewWindow, Wry};
use tauri_plugin_window_state::StateFlags;

use crate::api::Settings;
#[cfg(target_os = "linux")]
use crate::desktop::page;

/// The window's label in capabilities and events.
const LABEL: &str = "main";

/// A proxy address at which nothing can listen.
#[cfg(target_os = "linux")]
const DEAD_PROXY: &str = "http://127.0.0.1:0";

/// Keeps the window's size, place and whether it is maximised over a restart.
pub(crate) fn state_plugin() -> tauri::plugin::TauriPlugin<Wry> {
    let flags = StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED;
    tauri_plugin_window_state::Builder::new().with_state_flags(flags).build()
}

/// Makes the window.
pub(crate) fn create(app: &tauri::App, settings: &Settings) -> tauri::Result<()> {
    let theme = chosen(settings);
    let window = WebviewWindowBuilder::new(app, LABEL, WebviewUrl::App("index.html".into()))
        .title("Oriel")
        .inner_size(1440.0, 900.0)
        .min_inner_size(720.0, 480.0)
        .theme(theme)
        .background_color(ground(theme.unwrap_or(Theme::Light)))
        .on_navigation(is_ours)
        .on_new_window(|_, _| tauri::webview::NewWindowResponse::Deny);
    // WebKit connects ahead of a link, before it is refused. With a dead proxy it reaches nobody.
    #[cfg(target_os = "linux")]
    let window = window.proxy_url(DEAD_PROXY.parse().expect("it is an address"));
    let window = window.build()?;
    repaint(app.handle(), settings);
    #[cfg(target_os = "linux")]
    {
        if !has_graphics_card() {
            window.with_webview(|webview| draw_without_compositing(&webview.inner()))?;
        }
        let reloaded = window.clone();
        window.with_webview(|webview| page::reload_after_crash(&webview.inner(), reloaded))?;
    }
    // Elsewhere the system handles both.
    #[cfg(not(target_os = "linux"))]
    drop(window);
    Ok(())
}

/// The theme that the user chose; `None` for the system's.
fn chosen(settings: &Settings) -> Option<Theme> {
    match settings.theme {
        crate::api::Theme::System => None,
        crate::api::Theme::Light => Some(Theme::Light),
        crate::api::Theme::Dark => Some(Theme::Dark),
    }
}

/// The colour behind the page before it is drawn: `--paper` of `tokens.css`.
fn ground(theme: Theme) -> Color {
    match theme {
        Theme::Dark => Color(0x19, 0x1b, 0x19, 0xff),
        _ => Color(0xfa, 0xf9, 0xf6, 0xff),
    }
}

/// Sets the colour behind the page to that of the theme, so that nothing flashes before the page is drawn.
pub(crate) fn repaint(handle: &AppHandle, settings: &Settings) {
    let Some(window) = main(handle) else { return };
    let theme = chosen(settings).or_else(|| window.theme().ok()).unwrap_or(Theme::Light);
    if let Err(error) = window.set_background_color(Some(ground(theme))) {
        tracing::debug!(%error, "the window cannot be coloured");
    }
}

/// Whether there is a graphics card to draw with: a render node, or the devices of NVIDIA's driver or of the Windows
/// Subsystem for Linux.
#[cfg(target_os = "linux")]
fn has_graphics_card() -> bool {
    let devices = std::fs::read_dir("/dev/dri").into_iter().flatten().flatten();
    let has_node = devices.into_iter().any(|one| one.file_name().to_string_lossy().starts_with("renderD"));
    has_node || ["/dev/nvidia0", "/dev/dxg"].iter().any(|device| std::path::Path::new(device).exists())
}

/// Turns compositing off. Without a graphics card WebKit composes the whole window on the processor for every word of an
/// answer: 200 ms a frame on two busy cores, where drawing what has changed takes 15.
#[cfg(target_os = "linux")]
fn draw_without_compositing(webview: &webkit2gtk::WebView) {
    use webkit2gtk::{HardwareAccelerationPolicy, SettingsExt as _, WebViewExt as _};
    if let Some(settings) = webview.settings() {
        settings.set_hardware_acceleration_policy(HardwareAccelerationPolicy::Never);
    }
}

/// Whether the window may navigate there: only to its own page. A content security policy does not stop navigation.
fn is_ours(url: &Url) -> bool {
    match url.scheme() {
        "tauri" => url.host_str() == Some("localhost"),
        // Windows and Android know no custom schemes.
        "http" | "https" => url.host_str() == Some("tauri.localhost"),
        _ => false,
    }
}

/// The window, if it exists.
pub(crate) fn main(handle: &AppHandle) -> Option<WebviewWindow> {
    handle.get_webview_window(LABEL)
}

/// Shows the window: after a second start, from the tray.
pub(crate) fn show(handle: &AppHandle) {
    let Some(window) = main(handle) else { return };
    for done in [window.show(), window.unminimize(), window.set_focus()] {
        if let Err(error) = done {
            tracing::debug!(%error, "the window cannot be shown");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_background_is_that_of_the_page() {
        let tokens = include_str!("../../../ui/src/styles/tokens.css");
        let mut papers = tokens.split("--paper: ").skip(1).map(|rest| &rest[..7]);
        for theme in [Theme::Light, Theme::Dark] {
            let Color(red, green, blue, _) = ground(theme);
            assert_eq!(papers.next(), Some(format!("#{red:02x}{green:02x}{blue:02x}").as_str()), "{theme:?}");
        }
    }

    #[test]
    fn the_window_stays_on_its_own_page() {
        let may = |url: &str| is_ours(&url.parse().unwrap());
        assert!(may("tauri://localhost/index.html"));
        for foreign in [
            "https://example.com/",
            "http://localhost:8080/",
            "file:///etc/passwd",
            "data:text/html,<script>1</script>",
            "javascript:alert(1)",
            "doc://localhost/1",
            "about:blank",
            "tauri://elsewhere/",
            "https://tauri.localhost.example.com/",
        ] {
            assert!(!may(foreign), "{foreign}");
        }
    }
}
