//! Suites: files of checks of an MCP server that live in git, their judging, editing and running.
//!
//! - [`format`]: `*.sonde.yaml` as types, each with its place ([`format::Suite::read`]).
//! - [`servers`]: the file `sonde.servers.yaml`.
//! - [`variables`]: `${vars.x}` and its siblings, and the masking of secrets.
//! - [`observed`]: facts about one request; [`expect`] judges them ([`expect::judge`]).
//! - [`predicate`], [`path`], [`number`], [`scalars`]: conditions on values.
//! - [`listing`], [`snapshot`]: comparison with stored values.
//! - [`edit`]: changes of one step in the text of a suite.
//! - [`schema`]: JSON Schemas of the formats, committed in `schema/`.
//! - [`run`]: runs suites over connections ([`run::Runner`]) and reports events.
//! - [`problem`]: faults of a file with line and column.
//! - [`node`]: YAML as a tree that keeps places and digits.
//!
//! ```no_run
//! # use std::{error::Error, path::Path, sync::Arc};
//! # use sonde_client::Services;
//! # use sonde_suite::{format::Suite, run::{RunOptions, Runner}};
//! # async fn run() -> Result<(), Box<dyn Error>> {
//! let text = std::fs::read_to_string("tests/shop.sonde.yaml")?;
//! let suite = Suite::read("shop.sonde.yaml", &text)?;
//! let mut runner = Runner::new(RunOptions::new(Arc::new(Services::in_memory())));
//! for case in runner.cases(&suite) {
//!     let report = runner.run(&suite, Path::new("tests"), &case, &|_, _| true, &mut |_| {}).await;
//!     for step in &report.steps {
//!         println!("{}: {:?}", step.title, step.verdict);
//!     }
//! }
//! runner.close().await;
//! # Ok(())
//! # }
//! ```

#![warn(missing_docs)]

pub mod problem;
pub mod node;
pub mod number;
pub mod scalars;
pub mod path;
mod value;
pub mod listing;
mod report;
pub mod predicate;
pub mod format;
pub mod variables;
pub mod servers;
pub mod observed;
pub mod snapshot;
pub mod expect;
mod emit;
pub mod edit;
pub mod schema;
pub mod run;
#[cfg(test)]
mod tests;

pub use report::{Failure, PendingSchema};
