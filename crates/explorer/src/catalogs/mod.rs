//! Lists of the servers, judged beside each other.

mod lint;

pub use sonde_client::catalogs::*;

pub use self::lint::definition;
pub(crate) use self::lint::{JudgingAll, lint_all, lint_alone, lint_tools};
