//! Faults and other remarkable facts in the data that a server sends.
//!
//! A [`Rule`] is defined once: its id, its severity, its text, the section of the specification that it
//! follows, the protocol versions that it applies to, the harm and the advice. A [`Finding`] is one case of a
//! broken rule, with its place and its values. The code that finds it names only the rule and the values;
//! every sentence that a user reads about it comes from the rule.
//!
//! This crate is pure: it knows no transport and no session. The window gets [`FindingView`].

mod finding;
mod findings;
mod hidden;
mod by_rule;
mod rule;
mod secrets;
mod spec;
mod view;

pub mod rules;

pub use by_rule::{ByRule, Cases};
pub use finding::{Finding, Location};
pub use findings::{FINDINGS, Findings};
pub use hidden::shows_nothing;
pub use rule::{Certainty, Revisions, Rule, RuleGroup, Severity};
pub use secrets::secret;
pub use spec::Spec;
pub use view::{FindingView, SpecLink};
