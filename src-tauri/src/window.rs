//! The one window: made in code, kept on our own pages, told of what is dropped on it.

use std::path::PathBuf;
use std::sync::Arc;

use tauri::webview::{Color, WebviewWindowBuilder};
use tauri::{
    AppHandle, DragDropEvent, Manager as _, Theme, Url, WebviewUrl, WebviewWindow, Window, WindowEvent, Wry,
};
use tauri_plugin_window_state::StateFlags;

use crate::app::App;
use crate::ipc::{DragEvent, Settings};
#[cfg(target_os = "linux")]
use crate::page;
use crate::{choosing, tray};

/// The window's name in capabilities and events.
const MAIN: &str = "main";

/// Where nobody can listen.
#[cfg(target_os = "linux")]
const NOWHERE: &str = "http://127.0.0.1:0";

/// Size, place and whether it is maximised survive a restart.
pub(crate) fn remembered() -> tauri::plugin::TauriPlugin<Wry> {
    let flags = StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED;
    tauri_plugin_window_state::Builder::new().with_state_flags(flags).build()
}

/// Makes the window.
pub(crate) fn create(app: &tauri::App, settings: &Settings) -> tauri::Result<()> {
    let theme = chosen(settings);
    let window = WebviewWindowBuilder::new(app, MAIN, WebviewUrl::App("index.html".into()))
        .title("Oriel")
        .inner_size(1440.0, 900.0)
        .min_inner_size(720.0, 480.0)
        .theme(theme)
        .background_color(ground(theme.unwrap_or(Theme::Light)))
        .on_navigation(is_ours)
        .on_new_window(|_, _| tauri::webview::NewWindowResponse::Deny);
    // WebKit connects ahead of a link that is then refused; behind a proxy that is nowhere it reaches nobody.
    #[cfg(target_os = "linux")]
    let window = window.proxy_url(NOWHERE.parse().expect("it is an address"));
    let window = window.build()?;
    repaint(app.handle(), settings);
    #[cfg(target_os = "linux")]
    {
        if !has_graphics_card() {
            window.with_webview(|webview| draw_without_compositing(&webview.inner()))?;
        }
        let handle = app.handle().clone();
        window.with_webview(|webview| page::reload_after_crash(&webview.inner(), handle))?;
    }
    // Elsewhere the system sees to it.
    #[cfg(not(target_os = "linux"))]
    drop(window);
    Ok(())
}

/// The theme that the person chose; `None` for the system's.
fn chosen(settings: &Settings) -> Option<Theme> {
    match settings.theme {
        crate::ipc::Theme::System => None,
        crate::ipc::Theme::Light => Some(Theme::Light),
        crate::ipc::Theme::Dark => Some(Theme::Dark),
    }
}

/// What stands behind the page before it is drawn: `--paper` of `tokens.css`.
fn ground(theme: Theme) -> Color {
    match theme {
        Theme::Dark => Color(0x19, 0x1b, 0x19, 0xff),
        _ => Color(0xfa, 0xf9, 0xf6, 0xff),
    }
}

/// Puts the ground of the theme behind the page, so that nothing flashes before it is drawn.
pub(crate) fn repaint(handle: &AppHandle, settings: &Settings) {
    let Some(window) = main(handle) else { return };
    let theme = chosen(settings).or_else(|| window.theme().ok()).unwrap_or(Theme::Light);
    if let Err(error) = window.set_background_color(Some(ground(theme))) {
        tracing::debug!(%error, "the window cannot be coloured");
    }
}

/// Whether the system offers a graphics card to draw with: a render node, or what NVIDIA's driver or Windows' subsystem for
/// Linux have beside it.
#[cfg(target_os = "linux")]
fn has_graphics_card() -> bool {
    let devices = std::fs::read_dir("/dev/dri").into_iter().flatten().flatten();
    let has_node = devices.into_iter().any(|one| one.file_name().to_string_lossy().starts_with("renderD"));
    has_node || ["/dev/nvidia0", "/dev/dxg"].iter().any(|device| std::path::Path::new(device).exists())
}

/// Without a graphics card WebKit still puts the window together as one would, with every pixel of it reckoned by the
/// processor for each word that is written: 200 ms a frame on two busy cores, where drawing what has changed takes 15.
#[cfg(target_os = "linux")]
fn draw_without_compositing(webview: &webkit2gtk::WebView) {
    use webkit2gtk::{HardwareAccelerationPolicy, SettingsExt as _, WebViewExt as _};
    if let Some(settings) = webview.settings() {
        settings.set_hardware_acceleration_policy(HardwareAccelerationPolicy::Never);
    }
}

/// Whether the window may go there: only to its own page. A content security policy does not stop navigation.
fn is_ours(url: &Url) -> bool {
    match url.scheme() {
        "tauri" => url.host_str() == Some("localhost"),
        // Windows and Android have no schemes of their own.
        "http" | "https" => url.host_str() == Some("tauri.localhost"),
        _ => false,
    }
}

/// The window, where it is there.
pub(crate) fn main(handle: &AppHandle) -> Option<WebviewWindow> {
    handle.get_webview_window(MAIN)
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

/// What happens to the window from outside.
pub(crate) fn on_event(window: &Window, event: &WindowEvent) {
    let Some(app) = window.try_state::<Arc<App>>() else { return };
    match event {
        // Without a tray nothing would bring it back.
        WindowEvent::CloseRequested { api, .. }
            if app.settings().close_to_tray && tray::is_there(window.app_handle()) =>
        {
            api.prevent_close();
            if let Err(error) = window.hide() {
                tracing::debug!(%error, "the window cannot be hidden");
            }
        }
        WindowEvent::ThemeChanged(_) => repaint(window.app_handle(), &app.settings()),
        WindowEvent::DragDrop(DragDropEvent::Enter { .. }) => app.send("drag", DragEvent::Over),
        WindowEvent::DragDrop(DragDropEvent::Leave) => app.send("drag", DragEvent::Left),
        WindowEvent::DragDrop(DragDropEvent::Drop { paths, .. }) => {
            let (app, paths): (_, Vec<PathBuf>) = (Arc::clone(&app), paths.clone());
            // Looking at files may take its time; the window does not wait for it.
            tauri::async_runtime::spawn_blocking(move || choosing::dropped(&app, paths));
        }
        WindowEvent::Focused(true) => {
            if let Ok(opened) = app.opened() {
                opened.indexing.rescan_if_stale();
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ground_is_that_of_the_page() {
        let tokens = include_str!("../../ui/src/styles/tokens.css");
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
