//! Issues of a server by rule: the findings about the frames of its present or last connection, about the newest
//! reading of each list, and about the results of that connection's runs.
//!
//! Issues are counted where they are found (`log`, [`catalogs`](crate::catalogs), [`operations`](crate::operations)),
//! so that a count does not fall when the log or the history drop old entries. This module combines them.

mod counts;
mod list;
mod of_items;
mod report;
mod muting;

pub use self::{
    counts::IssueCounts,
    list::{IssueCase, IssueFilter, IssueList, IssueRule, IssueSubject, Judged, JudgedList},
    of_items::IssuesOfItems,
};
