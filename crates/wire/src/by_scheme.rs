//! Choice of the transport by the scheme of an address.

use std::sync::Arc;

use crate::{
    Tap, Wire, WireError,
    http::{self, HttpSpec},
    websocket,
};

/// Prepares the transport for the scheme of an address: a WebSocket for `ws` and `wss`, else
/// Streamable HTTP. Call it inside a tokio runtime.
///
/// # Errors
///
/// [`WireError::UnknownScheme`] if no transport handles the address; else as [`http::open`] and
/// [`websocket::open`].
pub fn open_by_scheme(spec: HttpSpec, tap: Arc<dyn Tap>) -> Result<Wire, WireError> {
    let scheme = spec.url.trim().split_once(':').map(|(scheme, _)| scheme);
    match scheme.map(str::to_ascii_lowercase).as_deref() {
        Some("ws" | "wss") => websocket::open(spec, tap),
        Some("http" | "https") | None => http::open(spec, tap),
        Some(other)
            if other
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')) =>
        {
            Err(WireError::UnknownScheme {
                scheme: other.to_owned(),
            })
        }
        Some(_) => http::open(spec, tap),
    }
}
