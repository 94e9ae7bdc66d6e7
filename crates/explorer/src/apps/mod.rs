//! Apps of servers (extension `io.modelcontextprotocol/ui`, version 2026-01-26): what reading one gave, what its page
//! may load, and the pages that the window shows.
//!
//! Where an app is isolated is the host's business ([`Host::app_url`](crate::Host::app_url)); what it says and asks for
//! is that of the window, which has it recorded here.

mod policy;
mod resource;
mod pages;
mod commands;

pub use self::{
    commands::{AppEntry, OpenedApp, UNRESPONSIVE},
    pages::AppPage,
    policy::AppDomains,
};
pub(crate) use pages::Apps;

/// The identifier of the extension.
pub const EXTENSION: &str = "io.modelcontextprotocol/ui";
/// The settings with which a host that shows apps declares it, as JSON text.
pub const SETTINGS: &str = r#"{"mimeTypes":["text/html;profile=mcp-app"]}"#;
