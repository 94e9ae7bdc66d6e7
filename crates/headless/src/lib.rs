//! The explorer without a window: what a person does and sees in it, for tests and programs.
//!
//! [`Headless`] opens a [`Backend`](sonde_ipc::Backend), subscribes to it as the window does, and
//! keeps the [`State`] that the window would show. Its methods do what a user does and
//! wait for what comes of it; a wait ends with its limit, and the error says what was waited for and
//! what there was instead. Every other command is a method of [`Headless::backend`].
//!
//! ```no_run
//! # async fn example() -> Result<(), sonde_headless::Error> {
//! use sonde_headless::{Error, Headless, Options};
//!
//! let app = Headless::open(Options::new("data").secrets_in_memory()).await?;
//! let servers = app.import(r#"{"mcpServers": {"files": {"command": "file-server"}}}"#).await?;
//! match app.connect(&servers[0]).await {
//!     // Show the user `preview` first.
//!     Err(Error::NotConfirmed(preview)) => {
//!         app.connect_confirmed(&servers[0], &preview.fingerprint).await?;
//!     }
//!     connected => connected?,
//! }
//! app.ready(&servers[0]).await?;
//! for tool in app.tools(&servers[0]).await? {
//!     println!("{}", tool.name);
//! }
//! let operation = app.run_tool(&servers[0], "read", Some(r#"{"path": "a.txt"}"#)).await?;
//! println!("{:?}", operation.outcome);
//! app.shutdown().await;
//! # Ok(())
//! # }
//! ```

mod error;
mod options;
mod state;
mod headless;
mod servers;
mod catalogs;
mod operations;
mod server_requests;
mod sign_in;
mod log;

pub use error::Error;
pub use headless::Headless;
pub use options::Options;
pub use sonde_explorer::SavePlace;
pub use state::{MissingBatch, State};
