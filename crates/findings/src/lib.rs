//! What is wrong or remarkable about something that a server sent.
//!
//! A [`Rule`] is stated once: its id, how bad it is to break it, its text, and the section of the
//! specification that it follows, in which revisions it applies, why it matters and what to do about
//! it. A [`Finding`] is one case of a broken rule: where, and with which values. Whoever finds one names the rule and the values; every sentence that a user reads about
//! it comes from the rule.
//!
//! This crate is pure: it knows no transport and no session. [`FindingView`] is what the window gets.

#[cfg(test)]
mod coverage;
mod finding;
mod findings;
mod by_rule;
mod rule;
mod secrets;
mod spec;
mod view;

pub mod rules;

pub use by_rule::{ByRule, Cases};
pub use finding::{Finding, Location};
pub use findings::{FINDINGS, Findings};
pub use rule::{Certainty, Revisions, Rule, RuleGroup, Severity};
pub use secrets::secret;
pub use spec::Spec;
pub use view::{FindingView, SpecLink};
