//! The scanner of JSON and the documents built with it: they accept exactly the JSON that serde_json accepts, and read
//! every value, key and place like serde_json.

use std::{future::Future, sync::LazyLock};

use serde::de::IgnoredAny;
use serde_json::{Map, Value};
use sonde_record::document::{DocumentMode, DocumentRow, Documents, NodeKind};
use sonde_wire::json::{ScanError, Sink, members, scan};
use tokio::runtime::{Builder, Runtime};

use crate::{choices::Choices, seen::Seen};

pub(crate) const WORDS: &[&[u8]] = &[
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\"",
    b"\"a\":",
    b"\"\"",
    b"true",
    b"false",
    b"null",
    b"-1.5e+9",
    b"0",
    b"1e",
    b"\\u00e9",
    b"\\ud83d\\ude00",
    b"\\ud800",
    b"\\n",
    b"\\",
    b"[[[[",
    b"\xe2\x82\xac",
    b" ",
    b"\n",
];

pub(crate) fn run(input: &[u8], seen: &mut Seen) {
    let mut choices = Choices(input);
    let (cut, columns) = (usize::from(choices.byte()), u32::from(choices.byte()));
    let text = String::from_utf8_lossy(choices.0);
    let mut tree = Tree::new(text.as_bytes());
    let scanned = scan(text.as_bytes(), &mut tree);
    let valid = serde_json::from_str::<IgnoredAny>(&text).is_ok();
    assert_eq!(scanned.is_ok(), valid, "{scanned:?}");
    if let Err(ScanError::Syntax { offset, problem }) = scanned {
        assert!(offset <= text.len());
        seen.note(problem);
    }
    seen.note_count("values", tree.count);
    if valid && let Ok(value) = serde_json::from_str::<Value>(&text) {
        assert_eq!(tree.root, Some(value));
    }
    cut_members(&text, cut, valid);
    RUNTIME.block_on(document(&text, columns, valid, tree.count));
}

/// Asserts that the members of the beginning of an object are the first ones of the whole.
fn cut_members(text: &str, cut: usize, valid: bool) {
    let Some(whole) = members(text.as_bytes()) else {
        return;
    };
    if valid {
        assert!(whole.whole);
        let values = whole.members.iter().map(|(_, value)| value);
        for value in values {
            let value = value.unwrap_or_default();
            assert!(serde_json::from_slice::<IgnoredAny>(value).is_ok());
        }
    }
    let cut = &text.as_bytes()[..cut.min(text.len())];
    let Some(part) = members(cut) else { return };
    assert!(part.members.len() <= whole.members.len());
    for (part, whole) in part.members.iter().zip(&whole.members) {
        assert_eq!(part.0, whole.0);
        assert!(part.1.is_none() || part.1 == whole.1);
    }
}

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    Builder::new_current_thread()
        .max_blocking_threads(1)
        .build()
        .unwrap_or_else(|error| panic!("no runtime: {error}"))
});

async fn document(text: &str, columns: u32, valid: bool, values: usize) {
    let documents = Documents::new();
    let mut view = documents
        .open(text.to_owned().into(), DocumentMode::Tree, columns)
        .await;
    assert_eq!(view.not_json.is_none(), valid);
    if valid {
        assert_eq!(view.nodes, Some(values as u64));
        let found = within(documents.expand(view.document, true)).await;
        assert_eq!(found.rows, values as u64);
        nodes(&within(documents.rows(view.document, 0, 1000)).await);
    }
    for mode in [DocumentMode::Pretty, DocumentMode::Raw] {
        view = within(documents.show(view.document, mode, columns)).await;
        assert_eq!(view.not_json.is_none(), valid || mode == DocumentMode::Raw);
        let rows = within(documents.rows(view.document, 0, 1000)).await;
        assert_eq!(rows.len() as u64, view.rows.min(1000));
        if mode == DocumentMode::Pretty && valid && view.rows <= 1000 {
            pretty(text, values, &rows);
        }
    }
}

async fn within<T>(answer: impl Future<Output = Option<T>>) -> T {
    match answer.await {
        Some(answer) => answer,
        None => panic!("the document is closed"),
    }
}

/// Asserts that every container has the declared number of rows below it.
fn nodes(rows: &[DocumentRow]) {
    let mut open: Vec<(u32, u32)> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let DocumentRow::Node {
            node,
            depth,
            kind,
            children,
            key,
            index,
            ..
        } = row
        else {
            panic!("{row:?} is no node");
        };
        assert_eq!(*node as usize, at);
        while open.last().is_some_and(|(_, left)| *left == 0) {
            open.pop();
        }
        assert_eq!(*depth as usize, open.len());
        match open.last_mut() {
            Some((_, left)) => {
                *left -= 1;
                assert_ne!(key.is_some(), index.is_some());
            }
            None => assert!(key.is_none() && index.is_none()),
        }
        if matches!(kind, NodeKind::Object | NodeKind::Array) {
            open.push((*depth, *children));
        }
    }
}

/// Asserts that the lines are those that serde_json writes, unless a key occurs twice.
fn pretty(text: &str, values: usize, rows: &[DocumentRow]) {
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        return;
    };
    if count(&value) != values {
        return;
    }
    let lines = rows
        .iter()
        .filter(|row| matches!(row, DocumentRow::Text { line: Some(_), .. }))
        .count();
    let written = serde_json::to_string_pretty(&value).unwrap_or_default();
    assert_eq!(lines, written.lines().count(), "{written}");
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(members) => members.values().map(count).sum(),
        _ => 0,
    }
}

/// Rebuilds the values from the tokens of the scanner.
struct Tree<'a> {
    bytes: &'a [u8],
    open: Vec<(usize, Value)>,
    /// The keys of the open values, and of the next one.
    keys: Vec<String>,
    root: Option<Value>,
    count: usize,
}

impl<'a> Tree<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            open: Vec::new(),
            keys: Vec::new(),
            root: None,
            count: 0,
        }
    }

    fn add(&mut self, value: Value) {
        match self.open.last_mut() {
            Some((_, Value::Array(items))) => items.push(value),
            Some((_, Value::Object(members))) => {
                let key = self.keys.pop().unwrap_or_else(|| panic!("no key came"));
                members.insert(key, value);
            }
            _ => assert!(self.root.replace(value).is_none(), "there are two roots"),
        }
    }
}

impl Sink for Tree<'_> {
    fn open(&mut self, start: usize) {
        self.count += 1;
        let value = match self.bytes[start] {
            b'{' => Value::Object(Map::new()),
            b'[' => Value::Array(Vec::new()),
            other => panic!("{other} opens nothing"),
        };
        self.open.push((start, value));
    }

    fn close(&mut self, end: usize) {
        let Some((start, value)) = self.open.pop() else {
            panic!("nothing is open");
        };
        let text = &self.bytes[start..end];
        assert!(matches!(
            (text.first(), text.last()),
            (Some(b'{'), Some(b'}')) | (Some(b'['), Some(b']'))
        ));
        self.add(value);
    }

    fn key(&mut self, start: usize, end: usize) {
        let key = serde_json::from_slice(&self.bytes[start..end]);
        self.keys.push(key.unwrap_or_default());
    }

    fn scalar(&mut self, start: usize, end: usize) {
        self.count += 1;
        let text = &self.bytes[start..end];
        assert!(serde_json::from_slice::<IgnoredAny>(text).is_ok());
        let value = serde_json::from_slice(text).unwrap_or_default();
        self.add(value);
    }
}
