//! What can be said of the tools of a server beside the rules of the protocol: whether they work in the hosts
//! that run servers, what they cost a model, whether a model can tell them apart, whether users can trust them.
//!
//! [`Lint`] judges a list. It is pure and bounded, takes time in proportion to the definitions, and judges again
//! only what changed. What is known of hosts, each with its source, is the data of [`hosts`].

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
mod trust;
mod across;
mod lint;
mod result;

pub use across::Others;
pub use characters::Characters;
pub use cost::{CONTEXT, Cost};
pub use judge::{Judgement, Reason};
pub use lint::{Lint, Totals};
pub use result::{ALLOWED_CHARACTERS, LEAST_RESULT, ResultSize};
pub use tool::Tool;
pub use verdict::Verdict;
