//! Deletions that can be undone: runs, a server, a group of servers, the entries of a wire log, a notice, a saved
//! input, a presentation, a check; also the configuration that editing a server replaced, and the definitions and baselines in
//! whose place others were accepted.
//!
//! A deletion takes effect at once, in the window and in the files. The deleted data is only in memory until the window
//! reports that it can no longer be undone, or newer deletions replace it.

mod store;
mod server;
mod deleting;

pub(crate) use self::store::{Deleted, Deletions};
pub use crate::core::DeletionNumber;
