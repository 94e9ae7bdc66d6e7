//! Runs in files: a folder for each server below `history`, a file for each run.
//!
//! What is written is what the history holds at the moment of writing, without secrets; what a run of
//! before this start is, is read when its server is first shown.

mod run_file;
mod folder;
mod store;

#[cfg(test)]
mod tests;

pub(crate) use self::{
    folder::last_number,
    store::{FilesLeft, StoredRuns},
};
