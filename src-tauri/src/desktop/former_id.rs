//! The app's folders from the time when its id was another one.

use std::fs;

/// The id until version 0.1.
const FORMER: &str = "app.oriel.desktop";

/// Gives the folders of the former id the name `id`, so that the size of the app window and what the page remembers are
/// found. A folder that already has the new name stays as it is.
pub(crate) fn adopt(id: &str) {
    let folders = [dirs::config_dir(), dirs::data_dir(), dirs::data_local_dir(), dirs::cache_dir()];
    for base in folders.into_iter().flatten() {
        let (former, new) = (base.join(FORMER), base.join(id));
        if former.is_dir()
            && !new.exists()
            && let Err(error) = fs::rename(&former, &new)
        {
            tracing::warn!("{} cannot be renamed to {}: {error}", former.display(), new.display());
        }
    }
}
