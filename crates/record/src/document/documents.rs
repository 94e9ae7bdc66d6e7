//! The open documents of the window.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::open::Document;
use super::{DocumentBody, DocumentMode, DocumentRow, DocumentView, SearchHit};
use crate::budget::{Budget, Holder, Share};

/// Documents that can be open at once. Opening another one closes the least recently used.
const MAX_DOCUMENTS: usize = 64;

/// The documents that the window has open, by number. Methods return `None` for a document that does not exist, or that
/// was closed to make room.
#[derive(Debug)]
pub struct Documents {
    open: Mutex<Open>,
    share: Share,
}

#[derive(Debug, Default)]
struct Open {
    last: u64,
    /// Number of uses so far.
    clock: u64,
    documents: HashMap<u64, OpenDocument>,
}

#[derive(Debug)]
struct OpenDocument {
    document: Arc<Document>,
    /// Value of the clock at its last use.
    used: u64,
    /// Memory of the document, in bytes.
    weight: u64,
}

impl Open {
    fn close_oldest(&mut self) {
        let documents = self.documents.iter();
        let oldest = documents.min_by_key(|(_, one)| one.used);
        if let Some(oldest) = oldest.map(|(id, _)| *id) {
            self.documents.remove(&oldest);
        }
    }

    fn held(&self) -> u64 {
        self.documents.values().map(|one| one.weight).sum()
    }
}

impl Documents {
    /// Creates an empty set with a budget of its own.
    #[must_use]
    pub fn new() -> Arc<Self> {
        Self::within(&Arc::new(Budget::new(u64::MAX)))
    }

    /// Creates an empty set that shares a budget with others. Above the budget, the least recently used documents are
    /// closed.
    #[must_use]
    pub fn within(budget: &Arc<Budget>) -> Arc<Self> {
        let documents = Arc::new(Self {
            open: Mutex::default(),
            share: Share::of(budget),
        });
        let holder: Weak<Self> = Arc::downgrade(&documents);
        budget.join(holder);
        documents
    }

    /// Opens a document. `columns` is the width of a row in characters. `Tree` and `Pretty` fall back to `Raw` for text
    /// that is not JSON, and the view has the reason.
    pub async fn open(&self, body: DocumentBody, mode: DocumentMode, columns: u32) -> DocumentView {
        let id = {
            let mut open = self.lock();
            open.last += 1;
            open.last
        };
        let (document, view) = blocking(move || {
            let document = Document::new(id, body.into_text());
            let view = document.show(mode, columns);
            (Arc::new(document), view)
        })
        .await;
        let weight = document.weight();
        {
            let mut open = self.lock();
            open.clock += 1;
            let used = open.clock;
            let one = OpenDocument {
                document,
                used,
                weight,
            };
            open.documents.insert(id, one);
            while open.documents.len() > MAX_DOCUMENTS {
                open.close_oldest();
            }
            self.share.set(open.held());
        }
        self.share.budget().keep();
        view
    }

    /// Shows a document in another mode or width. Open nodes of its tree stay open.
    pub async fn show(
        &self,
        document: u64,
        mode: DocumentMode,
        columns: u32,
    ) -> Option<DocumentView> {
        let shown = self.get(document)?;
        let laid_out = blocking(move || (shown.show(mode, columns), shown.weight()));
        let (view, weight) = laid_out.await;
        {
            let mut open = self.lock();
            if let Some(one) = open.documents.get_mut(&document) {
                one.weight = weight;
            }
            self.share.set(open.held());
        }
        self.share.budget().keep();
        Some(view)
    }

    /// Returns at most 1,000 rows, by index.
    pub async fn rows(&self, document: u64, from: u64, count: u32) -> Option<Vec<DocumentRow>> {
        Some(self.get(document)?.rows(from, count))
    }

    /// Opens or closes a node of the tree.
    pub async fn toggle(&self, document: u64, node: u32) -> Option<DocumentView> {
        let document = self.get(document)?;
        Some(blocking(move || document.toggle(node)).await)
    }

    /// Opens all nodes of the tree, or closes all but the root.
    pub async fn expand(&self, document: u64, expanded: bool) -> Option<DocumentView> {
        let document = self.get(document)?;
        Some(blocking(move || document.expand(expanded)).await)
    }

    /// Finds the n-th place that contains the text, ignoring case; after the last place, the count restarts at the
    /// first. In the tree, keys and scalar values are searched and the way to the hit is opened: then
    /// [`Documents::view`] has another number of rows. The inner `None`: nothing found.
    pub async fn search(
        &self,
        document: u64,
        text: String,
        ordinal: u64,
    ) -> Option<Option<SearchHit>> {
        let document = self.get(document)?;
        Some(blocking(move || document.search(&text, ordinal)).await)
    }

    /// Returns the row of the value that a JSON Pointer leads to, from the root of the tree or, if nothing is there,
    /// from the result, the params or the error of a message. Opens the way to the value, as [`Documents::search`]
    /// does. The inner `None`: there is no such value, or the document is not shown as a tree.
    pub async fn locate(&self, document: u64, pointer: String) -> Option<Option<u64>> {
        let document = self.get(document)?;
        Some(blocking(move || document.locate(&pointer)).await)
    }

    /// Returns the value of a node of the tree: strings without quotes and escapes, containers with indentation,
    /// numbers and words as received. The inner `None`: there is no such node, or the value is longer than 16 MiB.
    pub async fn node_value(&self, document: u64, node: u32) -> Option<Option<String>> {
        let document = self.get(document)?;
        Some(blocking(move || document.node_value(node)).await)
    }

    /// Returns the path of a node of the tree as in code, for example `$.users[3]["first name"]`. The inner `None`:
    /// there is no such node, or the path is longer than 16 MiB.
    pub async fn node_path(&self, document: u64, node: u32) -> Option<Option<String>> {
        let document = self.get(document)?;
        Some(blocking(move || document.node_path(node)).await)
    }

    /// Returns the view of a document.
    #[must_use]
    pub fn view(&self, document: u64) -> Option<DocumentView> {
        Some(self.get(document)?.view())
    }

    /// Closes a document.
    pub fn close(&self, document: u64) {
        let mut open = self.lock();
        open.documents.remove(&document);
        self.share.set(open.held());
    }

    fn get(&self, document: u64) -> Option<Arc<Document>> {
        let mut open = self.lock();
        open.clock += 1;
        let now = open.clock;
        let one = open.documents.get_mut(&document)?;
        one.used = now;
        Some(one.document.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Holder for Documents {
    fn held(&self) -> u64 {
        self.share.held()
    }

    fn release(&self, bytes: u64) {
        let mut open = self.lock();
        let aim = open.held().saturating_sub(bytes);
        while open.held() > aim && open.documents.len() > 1 {
            open.close_oldest();
        }
        self.share.set(open.held());
    }
}

/// Runs work that may take long on a thread that may block.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The runtime is shutting down, and the caller's task with it.
            Err(_) => std::future::pending().await,
        },
    }
}
