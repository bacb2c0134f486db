//! The downloads of models that the UI shows.

use std::sync::Mutex;

use oriel_api::lock;

use crate::api::Download;

/// Downloads that run, and those that failed and were not dismissed.
#[derive(Default)]
pub(crate) struct Downloads {
    all: Mutex<Vec<Download>>,
}

impl Downloads {
    /// As the UI shows them.
    pub(crate) fn list(&self) -> Vec<Download> {
        lock(&self.all).clone()
    }

    /// Adds a download; `false` if it runs already.
    pub(crate) fn add(&self, new: Download) -> bool {
        let mut all = lock(&self.all);
        if all.iter().any(|one| one.id == new.id && one.error.is_none()) {
            return false;
        }
        all.retain(|one| one.id != new.id);
        all.push(new);
        true
    }

    pub(crate) fn change(&self, id: &str, change: impl FnOnce(&mut Download)) {
        if let Some(one) = lock(&self.all).iter_mut().find(|one| one.id == id) {
            change(one);
        }
    }

    pub(crate) fn remove(&self, id: &str) {
        lock(&self.all).retain(|one| one.id != id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::IpcError;
    use oriel_core::Notice;
    use oriel_models::Stage;

    #[test]
    fn one_download_of_a_model_runs_and_a_failed_one_can_be_started_again() {
        let downloads = Downloads::default();
        let new = |id: &str| Download {
            id: id.into(),
            name: id.into(),
            host: "h".into(),
            stage: Stage::Downloading,
            work: None,
            error: None,
        };
        assert!(downloads.add(new("a")) && downloads.add(new("b")));
        assert!(!downloads.add(new("a")), "it runs");
        downloads.change("a", |one| one.error = Some(IpcError::failed(Notice::text("no network"))));
        assert!(downloads.add(new("a")), "it failed, and is tried again");
        assert_eq!(downloads.list().len(), 2);
        downloads.remove("a");
        assert_eq!(downloads.list().first().map(|one| one.id.as_str()), Some("b"));
    }
}
