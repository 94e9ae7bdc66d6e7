//! Lists of the servers, judged together.

mod lint;

pub use sonde_client::catalogs::*;

pub(crate) use self::lint::{JudgingAll, lint_all, lint_tools};
