//! The pages of servers' apps. Each has an origin of its own, which shares nothing with Tauri's or the window's page.
//! `docs/adr/0024-mcp-apps.md` has the reasons, and explains why some systems show no apps.

use sonde_ipc::Backend;
#[cfg(target_os = "linux")]
use tauri::http::{Method, Request, Response, StatusCode, header};
use tauri::{AppHandle, Manager as _, Runtime, Url};

#[cfg(target_os = "linux")]
use crate::page_network;

/// The scheme of the pages. An address leads only to the page itself.
pub(crate) const SCHEME: &str = "mcp-app";

/// Script that runs in every frame of the window before any script of its page.
#[cfg(target_os = "linux")]
pub(crate) const FRAME_SCRIPT: &str = include_str!("apps.js");

/// Permissions policy of a page: nothing is allowed.
#[cfg(target_os = "linux")]
const PERMISSIONS: &str = "camera=(), microphone=(), geolocation=(), clipboard-read=(), clipboard-write=(), \
                           display-capture=(), fullscreen=(), payment=(), usb=(), serial=(), hid=(), \
                           bluetooth=(), midi=(), publickey-credentials-get=(), screen-wake-lock=(), \
                           accelerometer=(), gyroscope=(), magnetometer=(), web-share=(), \
                           storage-access=(), autoplay=(), picture-in-picture=()";

/// Returns the address of an app's page.
///
/// # Errors
/// The reason why this system shows no apps: one plain sentence.
pub(crate) fn address(app: &str) -> Result<String, String> {
    if cfg!(target_os = "linux") {
        Ok(format!("{SCHEME}://{app}/"))
    } else if cfg!(windows) {
        // wry: "scripts are always added to subframes regardless of the `for_main_frame_only` option".
        Err(
            "On Windows the system's web view runs Sonde's own scripts inside every page in a frame, an app's too, \
             so an app could reach what only the window may."
                .to_owned(),
        )
    } else {
        Err(
            "On this system it has not been proven that an app cannot reach what only the window may."
                .to_owned(),
        )
    }
}

/// True if an address belongs to a page that waits to be served. An app knows only its own address, which is served
/// once, so an app cannot navigate to any page.
pub(crate) fn waits<R: Runtime>(app: &AppHandle<R>, url: &Url) -> bool {
    let Some(id) = url.host_str().filter(|_| url.scheme() == SCHEME) else {
        return false;
    };
    app.try_state::<Backend>()
        .is_some_and(|backend| backend.explorer().app_waits(id))
}

/// Serves the page of an app.
#[cfg(target_os = "linux")]
pub(crate) fn serve<R: Runtime>(
    app: &AppHandle<R>,
    request: &Request<Vec<u8>>,
) -> Response<Vec<u8>> {
    let uri = request.uri();
    let asked = uri
        .host()
        .filter(|_| uri.path() == "/" && request.method() == Method::GET);
    let page = asked.and_then(|id| {
        let backend = app.try_state::<Backend>()?;
        let page = backend.explorer().take_app_page(id)?;
        page_network::open(app, id, page.hosts.clone());
        Some(page)
    });
    let (status, policy, body) = match page {
        Some(page) => (StatusCode::OK, page.policy, page.html),
        None => (
            StatusCode::NOT_FOUND,
            "default-src 'none'; sandbox".to_owned(),
            String::new(),
        ),
    };
    let response = Response::builder()
        .status(status)
        .header(header::CONTENT_TYPE, "text/html; charset=utf-8")
        .header(header::CONTENT_SECURITY_POLICY, policy)
        .header("Permissions-Policy", PERMISSIONS)
        .header(header::REFERRER_POLICY, "no-referrer")
        .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
        .header(header::CACHE_CONTROL, "no-store")
        .header(header::X_DNS_PREFETCH_CONTROL, "off")
        .body(body.into_bytes());
    response.unwrap_or_else(|error| {
        tracing::error!(%error, "the page of an app could not be served");
        let mut nothing = Response::new(Vec::new());
        *nothing.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
        nothing
    })
}
