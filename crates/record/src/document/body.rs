//! Sources of a document's content.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::value::RawValue;
use sonde_wire::{Body, TextPart};

/// The bytes of a document, shared with their other owners.
#[derive(Clone, Debug)]
pub enum DocumentBody {
    /// Text.
    Text(Arc<String>),
    /// JSON as received.
    Json(Arc<RawValue>),
    /// JSON that is a part of a text, such as the result in a message.
    JsonPart(TextPart),
    /// Bytes that need not be text; invalid UTF-8 is shown as replacement characters.
    Bytes(Bytes),
}

impl DocumentBody {
    /// Returns all bytes as received.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Json(json) => json.get().as_bytes(),
            Self::JsonPart(part) => part.get().as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }

    /// Converts the body to text; copies bytes that are not known to be text.
    pub(super) fn into_text(self) -> Text {
        let decoded = match &self {
            Self::Bytes(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
            Self::Text(_) | Self::Json(_) | Self::JsonPart(_) => None,
        };
        Text {
            body: self,
            decoded,
        }
    }
}

impl From<Arc<String>> for DocumentBody {
    fn from(text: Arc<String>) -> Self {
        Self::Text(text)
    }
}

impl From<String> for DocumentBody {
    fn from(text: String) -> Self {
        Self::Text(Arc::new(text))
    }
}

impl From<Arc<RawValue>> for DocumentBody {
    fn from(json: Arc<RawValue>) -> Self {
        Self::Json(json)
    }
}

impl From<Bytes> for DocumentBody {
    fn from(bytes: Bytes) -> Self {
        Self::Bytes(bytes)
    }
}

impl From<Body> for DocumentBody {
    fn from(body: Body) -> Self {
        match body {
            Body::Empty => Self::Bytes(Bytes::new()),
            Body::Text(text) => Self::Text(text),
            Body::Bytes(bytes) => Self::Bytes(bytes),
        }
    }
}

/// A body that is text.
#[derive(Clone, Debug)]
pub(super) struct Text {
    body: DocumentBody,
    /// Bytes as text; invalid UTF-8 is replaced. Other bodies are text already.
    decoded: Option<String>,
}

impl Text {
    pub(super) fn as_str(&self) -> &str {
        match &self.body {
            DocumentBody::Text(text) => text,
            DocumentBody::Json(json) => json.get(),
            DocumentBody::JsonPart(part) => part.get(),
            DocumentBody::Bytes(_) => self.decoded.as_deref().unwrap_or_default(),
        }
    }

    /// Returns the memory that the text takes in addition to the bytes, in bytes.
    pub(super) fn extra(&self) -> usize {
        self.decoded.as_ref().map_or(0, String::len)
    }

    /// Returns the bytes as received.
    pub(super) fn bytes(&self) -> &[u8] {
        self.body.bytes()
    }
}
