//! Runs in files: a folder for each server below `history`, a file for each run.
//!
//! A run is written as the history holds it at that moment, without secrets. Runs from before this start of the app are
//! read when their server is first shown.

mod run_file;
mod folder;
mod store;

#[cfg(test)]
mod tests;

pub(crate) use self::{
    folder::{UNKNOWN_LAST, last_number},
    store::{FilesLeft, StoredRuns},
};
