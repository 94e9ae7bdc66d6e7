//! Accepted definitions of each server, stored to detect later changes: a server may change its definitions after the
//! user has come to trust it.
//!
//! The first reading is accepted, and so is each tool that comes later. Every later difference stays a finding until
//! the user accepts it, over connections and starts of the app.

mod baseline;
mod changed;
mod store;
mod judge;
mod accepting;

pub use self::changed::{
    Changed, DefinitionChange, DefinitionChanges, DefinitionSubject, Difference, MemberChange,
    MemberText,
};
pub(crate) use self::{
    baseline::{Accepted, AcceptedTool, Baseline},
    judge::judge_definitions,
    store::Baselines,
};
