//! One connection to one server of the Model Context Protocol (MCP): its session over any transport, its wire log, lists,
//! operations, requests of the server, sign-in and findings.
//!
//! [`Connection`] is the entry point. It knows no other server, no settings, no files and no window: its owner receives
//! its events ([`Owner`]), reads its state ([`Connection::read`]), and stores what should outlive it.
//!
//! ```no_run
//! # use std::{error::Error, sync::Arc};
//! # use sonde_client::{Connection, ConnectionOptions, Services, catalogs::CatalogKind, sessions::ConnectInput};
//! # use sonde_client::{config::{ServerConfig, Transport}, operations::OperationInput};
//! # async fn echo(transport: Transport) -> Result<(), Box<dyn Error>> {
//! let config = ServerConfig::new("My server", transport);
//! let services = Arc::new(Services::in_memory());
//! let connection = Connection::new(ConnectionOptions::new("my-server", config, services));
//! connection.connect(ConnectInput::default())?;
//! connection.wait_until_open().await?;
//! let tools = connection.wait_for_catalog(CatalogKind::Tools).await?;
//! println!("{:?}", tools.keys);
//! let call = OperationInput::tool("echo", Some(r#"{"message": "Hello"}"#.to_owned()));
//! let run = connection.start_operation(call).await?;
//! let outcome = connection.wait_for_operation(run, |run| run.outcome.clone()).await?;
//! println!("{outcome:?}");
//! # Ok(())
//! # }
//! ```

#![warn(missing_docs)]

mod error;
mod json_error;
mod changes;
mod services;
mod core;
mod connection;
mod waits;
mod options;
pub mod config;
pub mod catalogs;
pub mod sessions;
pub mod auth;
pub mod skills;
pub mod operations;
pub mod completions;
pub mod resource_subscriptions;
pub mod task_list;
mod ring;
mod lock;
pub mod canonical;
pub mod limits;
pub mod icons;
#[cfg(test)]
mod testing;

pub use changes::{Change, NoticeLevel, Owner, SavedReply, WATCHDOG_NOT_STARTED, Wait};
pub use connection::Connection;
pub use core::State;
pub use error::{Error, blocking};
pub use json_error::words as json_error_words;
pub use lock::lock;
pub use options::ConnectionOptions;
pub use ring::Ring;
pub use services::{DemoProgram, Services};
pub use sonde_record::{clock, log};
use sonde_record::{document, text};
