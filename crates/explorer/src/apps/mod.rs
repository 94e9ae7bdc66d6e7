//! Apps of servers (extension `io.modelcontextprotocol/ui`, version 2026-01-26): reading their resources, the origins
//! that their pages may load from, and the pages that the window shows.
//!
//! The host isolates an app ([`Host::app_url`](crate::Host::app_url)); the window handles its messages and requests,
//! and records them here.

mod policy;
mod resource;
mod pages;
mod lifecycle;

pub use self::{
    lifecycle::{AppEntry, OpenedApp, UNRESPONSIVE},
    pages::AppPage,
    policy::AppDomains,
};
pub(crate) use pages::Apps;

/// The identifier of the extension.
pub const EXTENSION: &str = "io.modelcontextprotocol/ui";
/// The settings with which a host that shows apps declares it, as JSON text.
pub const SETTINGS: &str = r#"{"mimeTypes":["text/html;profile=mcp-app"]}"#;
