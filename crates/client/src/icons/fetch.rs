//! Icons at URLs: fetched when they are shown, from the server's own origin, without credentials.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde::{Deserialize, Serialize};
use sonde_wire::{
    Cause,
    http::{FileRequest, Network, fetch_file},
};
use tokio::sync::{OnceCell, Semaphore};
use ts_rs::TS;
use url::Url;

use super::picture::{Format, data_uri};
use crate::{
    config::{NetworkConfig, Transport, network},
    limits::{ICON_FILE, ICON_FILE_BYTES, ICON_FILES, ICON_SECONDS, MESSAGE, redact_and_cut},
    lock,
    log::WireLog,
    text::sentence,
};

/// Number of icons fetched at once.
const AT_ONCE: usize = 4;

/// Results of fetching an icon.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum IconPicture {
    /// A PNG, JPEG or WebP picture that is neither animated nor larger than 1,024 × 1,024 pixels and 256 KiB.
    Picture {
        /// A `data:` URI with all of it.
        uri: String,
    },
    /// Not shown.
    Refused {
        /// Reason, one sentence.
        reason: String,
    },
}

impl IconPicture {
    pub(crate) fn refused(reason: impl Into<String>) -> Self {
        Self::Refused {
            reason: reason.into(),
        }
    }
}

/// A picture that is fetched once.
type Cell = Arc<OnceCell<IconPicture>>;

/// The icons that were fetched in one connect, and where they may come from.
#[derive(Debug)]
pub(crate) struct IconCache {
    /// The server's URL; `None` for a server without one.
    server: Option<(Url, NetworkConfig)>,
    /// Icons by `src` and media type.
    cells: Mutex<HashMap<(String, Option<String>), Cell>>,
    bytes: AtomicUsize,
    at_once: Semaphore,
}

impl Default for IconCache {
    fn default() -> Self {
        Self {
            server: None,
            cells: Mutex::default(),
            bytes: AtomicUsize::new(0),
            at_once: Semaphore::new(AT_ONCE),
        }
    }
}

impl IconCache {
    pub(crate) fn new(transport: &Transport) -> Self {
        let server = match transport {
            Transport::Http { url, network, .. } => Url::parse(url.trim())
                .ok()
                .map(|url| (url, network.clone())),
            Transport::Stdio { .. } | Transport::Demo { .. } => None,
        };
        Self {
            server,
            ..Self::default()
        }
    }

    /// True if an icon was fetched, or tried to be.
    pub(crate) fn has(&self, src: &str, mime_type: Option<&str>) -> bool {
        let cells = lock(&self.cells);
        let key = (src.to_owned(), mime_type.map(str::to_owned));
        cells.get(&key).is_some_and(|cell| cell.initialized())
    }

    /// Returns the picture of an icon at a URL, from the cache or fetched over `network`.
    pub(crate) async fn picture(
        &self,
        src: &str,
        mime_type: Option<&str>,
        network: impl AsyncFnOnce(&NetworkConfig) -> Result<Network, String>,
        log: &WireLog,
    ) -> IconPicture {
        let known = self.server.as_ref();
        let allowed = check(known.map(|(url, _)| url), src, mime_type)
            .and_then(|url| Ok((url, self.cell(src, mime_type)?)));
        let (url, cell) = match allowed {
            Ok(allowed) => allowed,
            Err(reason) => return IconPicture::refused(reason),
        };
        let fetched = cell.get_or_init(async || {
            let network = match known {
                Some((_, config)) => network(config).await,
                None => Ok(Network::default()),
            };
            let result = match network {
                Ok(network) => fetch(self, url, network, mime_type, log).await,
                Err(reason) => Err(reason),
            };
            match result {
                Ok(uri) => IconPicture::Picture { uri },
                Err(reason) => IconPicture::refused(reason),
            }
        });
        fetched.await.clone()
    }

    /// Returns the cache entry of an icon, or why it is not fetched.
    fn cell(&self, src: &str, mime_type: Option<&str>) -> Result<Cell, String> {
        let mut cells = lock(&self.cells);
        let key = (src.to_owned(), mime_type.map(str::to_owned));
        if let Some(cell) = cells.get(&key) {
            return Ok(Arc::clone(cell));
        }
        if cells.len() >= ICON_FILES {
            return Err(format!(
                "Not fetched: Sonde fetches at most {ICON_FILES} icons in one connection."
            ));
        }
        Ok(Arc::clone(cells.entry(key).or_default()))
    }

    /// Counts a picture that is kept, if there is room for it.
    fn keep(&self, bytes: usize) -> bool {
        let kept = self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if kept > ICON_FILE_BYTES {
            self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        }
        kept <= ICON_FILE_BYTES
    }
}

/// Checks before any request whether an icon may be fetched.
fn check(server: Option<&Url>, src: &str, mime_type: Option<&str>) -> Result<Url, String> {
    let url = Url::parse(src).map_err(|_| "Not fetched: this is not a valid URL.".to_owned())?;
    if !matches!(url.scheme(), "https" | "http") {
        return Err("Not fetched: the URL is neither https nor data.".to_owned());
    }
    let Some(server) = server else {
        return Err(
            "Not fetched: icons at URLs are fetched from the server's own origin only, and this server is not \
             reached by a URL."
                .to_owned(),
        );
    };
    if origin(server) != origin(&url) {
        return Err(
            "Not fetched: the URL has another origin than the server. Icons are fetched from the server's own \
             origin only."
                .to_owned(),
        );
    }
    if url.scheme() == "http" && !network::is_loopback(src) {
        return Err("Not fetched: http is used for servers on this computer only.".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("Not fetched: the URL has a user name or a password.".to_owned());
    }
    match mime_type {
        Some(mime_type) if Format::of_type(mime_type).is_none() => Err(
            "Not fetched: only PNG, JPEG and WebP images are shown, and its mimeType is another."
                .to_owned(),
        ),
        _ => Ok(url),
    }
}

/// Scheme, host and port. A WebSocket is an https (or http) connection first.
fn origin(url: &Url) -> (&str, Option<&str>, Option<u16>) {
    let scheme = match url.scheme() {
        "wss" => "https",
        "ws" => "http",
        other => other,
    };
    (scheme, url.host_str(), url.port_or_known_default())
}

/// Returns the `data:` URI of a picture, or why these bytes are none.
fn picture(bytes: &[u8], mime_type: Option<&str>) -> Result<String, String> {
    let Some(format) = Format::of_bytes(bytes) else {
        return Err("Not shown: it is not a PNG, JPEG or WebP image.".to_owned());
    };
    if let Some(mime_type) = mime_type
        && Format::of_type(mime_type) != Some(format)
    {
        return Err(format!(
            "Not shown: its mimeType is another one than that of its bytes, {}.",
            format.media_type()
        ));
    }
    match format.is_picture(bytes) {
        true => Ok(data_uri(format, bytes)),
        false => {
            Err("Not shown: it is damaged, animated or larger than 1024 × 1024 pixels.".to_owned())
        }
    }
}

async fn fetch(
    cache: &IconCache,
    url: Url,
    network: Network,
    mime_type: Option<&str>,
    log: &WireLog,
) -> Result<String, String> {
    let request = FileRequest {
        url: url.into(),
        network,
        accept: "image/png, image/jpeg, image/webp",
        time: Duration::from_secs(ICON_SECONDS),
        limit: ICON_FILE,
        cause: Cause::Icon,
    };
    // The semaphore is never closed.
    let _permit = cache.at_once.acquire().await;
    let bytes = fetch_file(request, log)
        .await
        .map_err(|error| sentence(&redact_and_cut(&error.to_string(), MESSAGE, log)))?;
    let uri = picture(&bytes, mime_type)?;
    match cache.keep(uri.len()) {
        true => Ok(uri),
        false => {
            Err("Not shown: the icons of this server are larger than 4 MiB in total.".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::picture::tests::png_of, *};

    #[test]
    fn only_the_servers_own_origin_is_asked() {
        let https = "https://mcp.example.org/mcp";
        for (expected, server, src) in [
            (true, https, "https://mcp.example.org/a.png"),
            (true, https, "https://MCP.example.org:443/a.png?x=1#y"),
            (true, "wss://mcp.example.org/", "https://mcp.example.org/a"),
            (true, "http://localhost:3000/mcp", "http://localhost:3000/a"),
            (true, "http://[::1]:3000/mcp", "http://[::1]:3000/a.png"),
            // Another scheme, host or port.
            (false, https, "http://mcp.example.org/a.png"),
            (false, https, "https://example.org/a.png"),
            (false, https, "https://mcp.example.org.evil.example/a.png"),
            (false, https, "https://mcp.example.org:8443/a.png"),
            (false, https, "https://169.254.169.254/latest"),
            (
                false,
                "http://localhost:3000/mcp",
                "http://127.0.0.1:3000/a",
            ),
            // In the clear over a network.
            (false, "http://192.168.0.2/mcp", "http://192.168.0.2/a.png"),
            (false, "http://example.org/mcp", "http://example.org/a.png"),
            // Credentials.
            (false, https, "https://me:pw@mcp.example.org/a.png"),
            (false, https, "https://me@mcp.example.org/a.png"),
            (false, https, "file:///etc/passwd"),
            (false, https, "javascript:alert(1)"),
            (false, https, "/a.png"),
            (false, https, ""),
        ] {
            let server = Url::parse(server).unwrap();
            let checked = check(Some(&server), src, None);
            assert_eq!(checked.is_ok(), expected, "{server} {src}");
        }
        let reason = check(None, "https://example.org/a.png", None).unwrap_err();
        assert!(reason.contains("not reached by a URL"), "{reason}");
        let server = Url::parse(https).unwrap();
        for (expected, mime_type) in [
            (true, "image/png"),
            (true, "Image/JPG"),
            (true, "image/webp; q=1"),
            (false, "image/svg+xml"),
            (false, "image/gif"),
            (false, ""),
        ] {
            let checked = check(Some(&server), "https://mcp.example.org/a", Some(mime_type));
            assert_eq!(checked.is_ok(), expected, "{mime_type}");
        }
    }

    #[test]
    fn a_picture_is_what_its_bytes_are() {
        let png = png_of(48, 48, b"");
        let uri = picture(&png, None).unwrap();
        assert!(super::super::picture::is_picture(&uri), "{uri}");
        assert_eq!(picture(&png, Some("image/png")).unwrap(), uri);
        for (bytes, mime_type, reason) in [
            (png.as_slice(), Some("image/jpeg"), "image/png"),
            (b"<svg/>".as_slice(), None, "not a PNG"),
            (b"GIF89a".as_slice(), Some("image/png"), "not a PNG"),
            (&png_of(2048, 1, b""), None, "larger"),
            (&png[..20], None, "damaged"),
            (b"", None, "not a PNG"),
        ] {
            let refused = picture(bytes, mime_type).unwrap_err();
            assert!(refused.contains(reason), "{refused}");
        }
    }

    #[test]
    fn what_is_fetched_in_one_connect_is_bounded() {
        let cache = IconCache::default();
        for number in 0..ICON_FILES {
            assert!(cache.cell(&number.to_string(), None).is_ok());
        }
        assert!(cache.cell("0", None).is_ok(), "it is there already");
        assert!(cache.cell("one more", None).is_err());
        assert!(cache.keep(ICON_FILE_BYTES));
        assert!(!cache.keep(1));
    }
}
