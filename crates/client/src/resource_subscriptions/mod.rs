//! The resources of a server whose changes the user wants to hear of. They stay over all connections of the
//! server: each session subscribes to them again.

mod list;
mod subscribing;

pub use list::{ResourceSubscription, ResourceSubscriptions, SubscriptionState};
pub(crate) use subscribing::{changed, follow, stands, updated};
