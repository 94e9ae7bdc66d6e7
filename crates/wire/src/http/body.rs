//! The body of a response, decoded as it arrives.
//!
//! The HTTP library does not decode, because it would remove `Content-Encoding` from the head before the log has seen
//! it.

use std::{io, pin::Pin, time::Duration};

use async_compression::{
    tokio::bufread::{BrotliDecoder, GzipDecoder, ZlibDecoder, ZstdDecoder},
    zstd::DParameter,
};
use bytes::{Bytes, BytesMut};
use futures_util::TryStreamExt as _;
use reqwest::{Response, header::CONTENT_ENCODING};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _},
    time::timeout,
};
use tokio_util::io::StreamReader;

use crate::WireError;

/// Encodings that servers may use for bodies, as `Accept-Encoding`.
pub(super) const ENCODINGS: &str = "gzip, br, zstd, deflate";

/// Largest window of zstd, as a power of two: 8 MiB (RFC 9659).
const ZSTD_WINDOW_LOG: u32 = 23;

/// Bytes decoded at once.
const PIECE: usize = 32 * 1024;

/// A body that is read piece by piece.
pub(super) struct Body {
    source: Source,
    /// Longest pause between two pieces.
    idle: Option<Duration>,
}

enum Source {
    Plain(Box<Response>),
    Decoded(Pin<Box<dyn AsyncRead + Send>>),
}

/// Errors of reading a body.
pub(super) enum Broken {
    /// The connection failed.
    Connection(reqwest::Error),
    /// The body is silent for too long, not encoded as its head says, or beyond a limit of Sonde.
    Wire(WireError),
}

impl Body {
    pub(super) fn new(response: Response, idle: Option<Duration>) -> Self {
        let encoding = response
            .headers()
            .get(CONTENT_ENCODING)
            .map(|value| {
                String::from_utf8_lossy(value.as_bytes())
                    .trim()
                    .to_ascii_lowercase()
            })
            .unwrap_or_default();
        let known = matches!(
            encoding.as_str(),
            "gzip" | "x-gzip" | "br" | "zstd" | "deflate"
        );
        if !known {
            return Self {
                source: Source::Plain(Box::new(response)),
                idle,
            };
        }
        let raw = StreamReader::new(response.bytes_stream().map_err(io::Error::other));
        let decoded: Pin<Box<dyn AsyncRead + Send>> = match encoding.as_str() {
            "br" => Box::pin(BrotliDecoder::new(raw)),
            "zstd" => Box::pin(ZstdDecoder::with_params(
                raw,
                &[DParameter::window_log_max(ZSTD_WINDOW_LOG)],
            )),
            "deflate" => Box::pin(ZlibDecoder::new(raw)),
            _ => Box::pin(GzipDecoder::new(raw)),
        };
        Self {
            source: Source::Decoded(decoded),
            idle,
        }
    }

    /// Returns the length that the head declares, in bytes; 0 if it declares none or the body is encoded.
    pub(super) fn expected(&self) -> u64 {
        match &self.source {
            Source::Plain(response) => response.content_length().unwrap_or(0),
            Source::Decoded(_) => 0,
        }
    }

    /// Returns the next piece; `None` at the regular end.
    pub(super) async fn chunk(&mut self) -> Result<Option<Bytes>, Broken> {
        let next = async {
            match &mut self.source {
                Source::Plain(response) => response.chunk().await.map_err(Broken::Connection),
                Source::Decoded(reader) => {
                    let mut piece = BytesMut::with_capacity(PIECE);
                    match reader.read_buf(&mut piece).await {
                        Ok(0) => Ok(None),
                        Ok(_) => Ok(Some(piece.freeze())),
                        Err(error) => Err(body_error(error)),
                    }
                }
            }
        };
        match self.idle {
            None => next.await,
            Some(idle) => timeout(idle, next).await.unwrap_or_else(|_| {
                Err(Broken::Wire(WireError::Idle {
                    seconds: idle.as_secs(),
                }))
            }),
        }
    }
}

/// Converts an error of reading the body: the connection failed, or the decoder.
fn body_error(error: io::Error) -> Broken {
    match error.downcast::<reqwest::Error>() {
        Ok(error) => Broken::Connection(error),
        Err(error) => Broken::Wire(WireError::Broken {
            reason: format!("the compressed body is damaged: {error}"),
        }),
    }
}
