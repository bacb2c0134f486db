//! A window from which files can be dragged, like a file browser: `drag-source FILE…`. It prints `ready` and its
//! position on the screen when it is shown.
#![expect(clippy::print_stdout, reason = "that is how it answers")]

use gtk::prelude::*;

fn main() {
    let files: Vec<String> = std::env::args()
        .skip(1)
        .map(|file| gtk::glib::filename_to_uri(&file, None).expect("an absolute path").into())
        .collect();
    gtk::init().expect("there is a screen");
    let window = gtk::Window::new(gtk::WindowType::Popup);
    window.set_default_size(120, 60);
    window.move_(0, 0);
    let target = gtk::TargetEntry::new("text/uri-list", gtk::TargetFlags::OTHER_APP, 0);
    window.drag_source_set(gtk::gdk::ModifierType::BUTTON1_MASK, &[target], gtk::gdk::DragAction::COPY);
    window.connect_drag_data_get(move |_, _, data, _, _| {
        data.set_uris(&files.iter().map(String::as_str).collect::<Vec<_>>());
    });
    window.connect_drag_end(|_, _| gtk::main_quit());
    window.connect_map_event(|_, _| {
        println!("ready");
        gtk::glib::Propagation::Proceed
    });
    window.show_all();
    gtk::main();
}
