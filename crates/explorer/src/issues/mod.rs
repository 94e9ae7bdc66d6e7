//! Issues of a server by rule: the findings about the frames of its present or last connection, about the newest
//! reading of each list, and about the results of that connection's runs.
//!
//! Each is counted where it is found (`log`, [`catalogs`](crate::catalogs), [`operations`](crate::operations)), so that
//! a count does not fall when the log or the history drop what is old. Here they are put together.

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
