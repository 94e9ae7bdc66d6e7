//! Judgements about the tools of a server beyond the rules of the protocol: if they work in the hosts that
//! run servers, their cost for a model, if a model can tell them apart, if users can trust them.
//!
//! [`Lint`] judges a list. It is pure and bounded, takes time in proportion to the definitions, and judges again
//! only changed definitions. [`hosts`] has the facts about hosts, each with its source.

mod characters;
mod tool;
mod verdict;
pub mod hosts;
mod shape;
mod words;
mod cost;
mod requirement;
mod judge;
mod clarity;
mod across;
mod lint;
mod result;

pub use across::Others;
pub use characters::Characters;
pub use cost::{CONTEXT, Cost};
pub use judge::{Judgement, Reason};
pub use lint::{Lint, Tally, Totals};
pub use result::{ALLOWED_CHARACTERS, LEAST_RESULT, ResultSize};
pub use tool::Tool;
pub use verdict::Verdict;
