//! What was last accepted of each server's definitions, so that one that changed since is found: a server can say
//! something else after it was trusted.
//!
//! The first reading is accepted, and so is each tool that comes later. What differs from then on stays a finding
//! until the user accepts it, over connections and starts of the app.

mod canonical;
mod baseline;
mod changed;
mod store;
mod judge;
mod commands;

pub use self::changed::{
    Changed, DefinitionChange, DefinitionChanges, DefinitionSubject, MemberChange, MemberText,
};
pub(crate) use self::{
    baseline::{Accepted, Baseline},
    judge::judge_definitions,
    store::Baselines,
};
