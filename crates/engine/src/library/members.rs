//! The files that a document is inside of, and those inside it.

use oriel_core::DocumentId;

use crate::error::EngineError;
use crate::library::Library;
use crate::library::document_row::DocumentRow;

impl Library {
    /// The files that a document is inside of, the one on the disk first; none if it is a file on the disk.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn containers_of(&self, id: DocumentId) -> Result<Vec<DocumentRow>, EngineError> {
        self.store.read(|view| {
            let Some(record) = view.document(id)?.filter(|record| record.within.is_some()) else {
                return Ok(Vec::new());
            };
            let mut containers = Vec::new();
            for path in record.path.ancestors().skip(1) {
                let Some(id) = view.document_at(path)? else { continue };
                let Some(container) = view.document(id)? else { continue };
                let is_on_disk = container.within.is_none();
                containers.push(DocumentRow::new(id, container));
                if is_on_disk {
                    break;
                }
            }
            containers.reverse();
            Ok(containers)
        })
    }

    /// The files directly inside a document, in its order; at most `limit`.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn members_of(&self, id: DocumentId, limit: usize) -> Result<Vec<DocumentRow>, EngineError> {
        self.store.read(|view| {
            let Some(record) = view.document(id)? else { return Ok(Vec::new()) };
            // The file on the disk lists all that is inside it; what is inside a member comes right after it.
            let inside = match record.within {
                None => record.members.clone(),
                Some(file) => {
                    let listed = view.document(file)?.map(|file| file.members).unwrap_or_default();
                    let own =
                        listed.iter().position(|member| *member == id).map_or(listed.len(), |at| at + 1);
                    listed[own..].to_vec()
                }
            };
            let mut members: Vec<DocumentRow> = Vec::new();
            for id in inside {
                let Some(member) = view.document(id)? else { continue };
                if members.len() == limit || !member.path.starts_with(&record.path) {
                    break;
                }
                if !members.last().is_some_and(|last| member.path.starts_with(&last.path)) {
                    members.push(DocumentRow::new(id, member));
                }
            }
            Ok(members)
        })
    }
}
