//! One open document.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::body::Text;
use super::hex;
use super::lines::Lines;
use super::nodes::{Node, nodes};
use super::pretty::pretty;
use super::tree::{self, Tree};
use super::{DocumentMode, DocumentRow, DocumentView, SearchHit, not_json};
use crate::text::Needle;

/// Limit of the rows in one response.
const MAX_ROWS: u32 = 1000;
/// Limit of the rows that come with a view: a page of the window's.
const FIRST_ROWS: u64 = 200;
/// Limit of the hits that are counted.
const MAX_HITS: usize = 10_000;
/// Widths that make sense: rows stay short enough for layout.
const COLUMNS: std::ops::RangeInclusive<u32> = 16..=1000;

/// A text and its layout.
#[derive(Debug)]
pub(super) struct Document {
    id: u64,
    text: Text,
    shown: Mutex<Shown>,
}

#[derive(Debug, Default)]
struct Shown {
    layout: Layout,
    not_json: Option<String>,
    /// The tree, kept with its open nodes while another mode is shown.
    tree: Option<Tree>,
    found: Option<KnownSearch>,
    /// Number of layouts so far: hits of an earlier layout are invalid.
    version: u64,
}

#[derive(Clone, Debug, Default)]
enum Layout {
    Raw(Arc<Lines>),
    Pretty(Arc<String>, Arc<Lines>),
    /// Number of bytes in a row.
    Hex(usize),
    /// The rows of `Shown::tree`.
    #[default]
    Tree,
}

/// Results of a search: offsets in the shown text, or nodes.
#[derive(Clone, Debug)]
struct KnownSearch {
    text: String,
    places: Arc<Vec<u32>>,
}

impl Document {
    /// Creates a document that is not laid out yet.
    pub(super) fn new(id: u64, text: Text) -> Self {
        Self {
            id,
            text,
            shown: Mutex::default(),
        }
    }

    /// Computes the layout of the text. Takes as long as reading all of the text.
    pub(super) fn show(&self, mode: DocumentMode, columns: u32) -> DocumentView {
        let columns = columns.clamp(*COLUMNS.start(), *COLUMNS.end()) as usize;
        let (known_tree, known) = {
            let shown = self.lock();
            (shown.tree.is_some(), shown.layout.clone())
        };
        let text = self.text.as_str();
        let mut tree = None;
        let laid_out = match (mode, known) {
            (DocumentMode::Raw, known) => Ok(raw(text, columns, known)),
            (DocumentMode::Hex, _) => Ok(Layout::Hex(hex::width(columns))),
            (DocumentMode::Pretty, Layout::Pretty(text, lines)) if lines.columns() == columns => {
                Ok(Layout::Pretty(text, lines))
            }
            (DocumentMode::Pretty, known) => match known {
                Layout::Pretty(text, _) => Ok(text),
                _ => pretty(text).map(Arc::new),
            }
            .map(|text| {
                let lines = Lines::new(&text, columns);
                Layout::Pretty(text, Arc::new(lines))
            }),
            (DocumentMode::Tree, _) if known_tree => Ok(Layout::Tree),
            (DocumentMode::Tree, _) => nodes(text).map(|nodes| {
                tree = Some(Tree::new(nodes));
                Layout::Tree
            }),
        };
        let (layout, not_json) = match laid_out {
            Ok(layout) => (layout, None),
            Err(problem) => {
                let known = self.lock().layout.clone();
                (
                    raw(text, columns, known),
                    Some(not_json::sentence(problem, text)),
                )
            }
        };
        let mut shown = self.lock();
        shown.layout = layout;
        shown.not_json = not_json;
        if shown.tree.is_none() {
            shown.tree = tree;
        }
        shown.found = None;
        shown.version += 1;
        self.viewed_anew(&shown)
    }

    /// Returns the memory of the document in bytes: its text, which may be shared, and its layout.
    pub(super) fn weight(&self) -> u64 {
        let shown = self.lock();
        let layout = match &shown.layout {
            Layout::Raw(lines) => lines.weight(),
            Layout::Pretty(text, lines) => text.len() + lines.weight(),
            Layout::Hex(_) | Layout::Tree => 0,
        };
        let bytes = self.text.bytes().len() + self.text.extra();
        let tree = shown.tree.as_ref().map_or(0, Tree::weight);
        (bytes + layout + tree) as u64
    }

    pub(super) fn view(&self) -> DocumentView {
        self.viewed(&self.lock())
    }

    fn viewed(&self, shown: &Shown) -> DocumentView {
        let (mode, rows, nodes) = match (&shown.layout, &shown.tree) {
            (Layout::Raw(lines), _) => (DocumentMode::Raw, lines.count(), None),
            (Layout::Pretty(_, lines), _) => (DocumentMode::Pretty, lines.count(), None),
            (Layout::Hex(width), _) => {
                let rows = hex::count(self.text.bytes().len(), *width);
                (DocumentMode::Hex, rows, None)
            }
            (Layout::Tree, Some(tree)) => (
                DocumentMode::Tree,
                tree.count(),
                Some(tree.nodes().len() as u64),
            ),
            (Layout::Tree, None) => (DocumentMode::Tree, 0, None),
        };
        DocumentView {
            document: self.id,
            mode,
            rows,
            bytes: self.text.bytes().len() as u64,
            nodes,
            not_json: shown.not_json.clone(),
            first: Vec::new(),
        }
    }

    /// Returns the view after all rows have changed.
    fn viewed_anew(&self, shown: &Shown) -> DocumentView {
        DocumentView {
            first: self.rows_of(shown, 0, FIRST_ROWS),
            ..self.viewed(shown)
        }
    }

    pub(super) fn rows(&self, from: u64, count: u32) -> Vec<DocumentRow> {
        self.rows_of(&self.lock(), from, u64::from(count.min(MAX_ROWS)))
    }

    fn rows_of(&self, shown: &Shown, from: u64, count: u64) -> Vec<DocumentRow> {
        let text = self.text.as_str();
        match (&shown.layout, &shown.tree) {
            (Layout::Raw(lines), _) => lines.rows(text, from, count),
            (Layout::Pretty(text, lines), _) => lines.rows(text, from, count),
            (Layout::Hex(width), _) => hex::rows(self.text.bytes(), *width, from, count),
            (Layout::Tree, Some(tree)) => tree.rows(text, from, count),
            (Layout::Tree, None) => Vec::new(),
        }
    }

    pub(super) fn toggle(&self, node: u32) -> DocumentView {
        let mut shown = self.lock();
        if let Some(tree) = &mut shown.tree {
            tree.toggle(node);
        }
        self.viewed(&shown)
    }

    pub(super) fn expand(&self, expanded: bool) -> DocumentView {
        let mut shown = self.lock();
        if let Some(tree) = &mut shown.tree {
            tree.set_all(expanded);
        }
        self.viewed_anew(&shown)
    }

    /// Returns the hit at this place; after the last place, the count restarts at the first.
    pub(super) fn search(&self, text: &str, ordinal: u64) -> Option<SearchHit> {
        let needle = Needle::new(text)?;
        // Clones of shared parts, so that the search holds no lock.
        let (version, layout, nodes, known) = {
            let shown = self.lock();
            let nodes = shown.tree.as_ref().map(|tree| tree.nodes().clone());
            let known = shown.found.clone().filter(|found| found.text == text);
            (shown.version, shown.layout.clone(), nodes, known)
        };
        let found = match known {
            Some(known) => known,
            None => KnownSearch {
                text: text.to_owned(),
                places: Arc::new(match layout {
                    Layout::Raw(_) => offsets(self.text.as_str(), &needle),
                    Layout::Pretty(text, _) => offsets(&text, &needle),
                    Layout::Hex(_) => hex::search(self.text.bytes(), text, MAX_HITS),
                    Layout::Tree => tree::search(&nodes?, self.text.as_str(), &needle, MAX_HITS),
                }),
            },
        };
        let total = found.places.len() as u64;
        let ordinal = ordinal.checked_rem(total)?;
        let place = *found.places.get(usize::try_from(ordinal).ok()?)?;
        let mut shown = self.lock();
        if shown.version != version {
            // The layout changed meanwhile: the window asks again.
            return None;
        }
        shown.found = Some(found);
        let shown = &mut *shown;
        let row = match (&shown.layout, &mut shown.tree) {
            (Layout::Raw(lines), _) => lines.row_of(self.text.as_str(), place as usize),
            (Layout::Pretty(text, lines), _) => lines.row_of(text, place as usize),
            (Layout::Hex(width), _) => u64::from(place) / *width as u64,
            (Layout::Tree, tree) => tree.as_mut()?.reveal(place),
        };
        Some(SearchHit {
            row,
            total,
            ordinal,
        })
    }

    /// Returns the row of the value that a JSON Pointer leads to in the tree; `None` in another layout, or if there is
    /// none.
    pub(super) fn locate(&self, pointer: &str) -> Option<u64> {
        let node = tree::locate(&self.nodes()?, self.text.as_str(), pointer)?;
        let mut shown = self.lock();
        Some(shown.tree.as_mut()?.reveal(node))
    }

    pub(super) fn node_value(&self, node: u32) -> Option<String> {
        tree::value(&self.nodes()?, self.text.as_str(), node)
    }

    pub(super) fn node_path(&self, node: u32) -> Option<String> {
        tree::path(&self.nodes()?, self.text.as_str(), node)
    }

    /// Returns the nodes of the tree, if it is shown.
    fn nodes(&self) -> Option<Arc<Vec<Node>>> {
        let shown = self.lock();
        match (&shown.layout, &shown.tree) {
            (Layout::Tree, Some(tree)) => Some(tree.nodes().clone()),
            _ => None,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn raw(text: &str, columns: usize, known: Layout) -> Layout {
    match known {
        Layout::Raw(lines) if lines.columns() == columns => Layout::Raw(lines),
        _ => Layout::Raw(Arc::new(Lines::new(text, columns))),
    }
}

fn offsets(text: &str, needle: &Needle) -> Vec<u32> {
    let mut all = Vec::new();
    let mut from = 0;
    while let Some(range) = needle.find(text, from) {
        all.push(u32::try_from(range.start).unwrap_or(u32::MAX));
        if all.len() == MAX_HITS {
            break;
        }
        from = range.end;
    }
    all
}
