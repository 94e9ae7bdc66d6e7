//! Operations of all servers: what of them is stored in files. Their live state belongs to the connections.

mod stored;
mod commands;

pub use sonde_client::operations::*;

pub(crate) use self::stored::{FilesLeft, StoredRuns, last_number};
