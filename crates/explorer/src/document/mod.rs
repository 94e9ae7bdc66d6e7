//! Documents.
#![allow(clippy::unimplemented, missing_docs, unused)]
mod text;
pub(crate) use text::{Needle, preview, visible};
use std::sync::Arc;
use bytes::Bytes;
use serde_json::value::RawValue;
use crate::ipc::*;
#[derive(Clone, Debug)]
pub enum DocumentBody { Text(Arc<String>), Json(Arc<RawValue>), Bytes(Bytes) }
impl From<Arc<String>> for DocumentBody { fn from(text: Arc<String>) -> Self { Self::Text(text) } }
impl From<String> for DocumentBody { fn from(text: String) -> Self { Self::Text(Arc::new(text)) } }
impl From<Arc<RawValue>> for DocumentBody { fn from(json: Arc<RawValue>) -> Self { Self::Json(json) } }
impl From<Bytes> for DocumentBody { fn from(bytes: Bytes) -> Self { Self::Bytes(bytes) } }
impl From<sonde_wire::Body> for DocumentBody { fn from(body: sonde_wire::Body) -> Self { match body { sonde_wire::Body::Empty => Self::Bytes(Bytes::new()), sonde_wire::Body::Text(t) => Self::Text(t), sonde_wire::Body::Bytes(b) => Self::Bytes(b) } } }
impl DocumentBody { pub fn bytes(&self) -> &[u8] { match self { Self::Text(t) => t.as_bytes(), Self::Json(j) => j.get().as_bytes(), Self::Bytes(b) => b } } }
#[derive(Debug, Default)]
pub struct Documents;
impl Documents {
    pub fn new() -> Self { unimplemented!() }
    pub async fn open(&self, body: DocumentBody, mode: DocumentMode, columns: u32) -> DocumentView { unimplemented!() }
    pub async fn show(&self, document: u64, mode: DocumentMode, columns: u32) -> Option<DocumentView> { unimplemented!() }
    pub async fn rows(&self, document: u64, from: u64, count: u32) -> Option<Vec<DocumentRow>> { unimplemented!() }
    pub async fn toggle(&self, document: u64, node: u32) -> Option<DocumentView> { unimplemented!() }
    pub async fn expand(&self, document: u64, expanded: bool) -> Option<DocumentView> { unimplemented!() }
    pub async fn search(&self, document: u64, text: String, ordinal: u64) -> Option<Option<SearchHit>> { unimplemented!() }
    pub fn view(&self, document: u64) -> Option<DocumentView> { unimplemented!() }
    pub fn close(&self, document: u64) { unimplemented!() }
}
