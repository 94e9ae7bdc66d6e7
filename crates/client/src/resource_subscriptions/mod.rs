//! Resources whose updates the user subscribed to. Subscriptions outlive a connection: each session subscribes again.

mod list;
mod subscribing;

pub use list::{ResourceSubscription, ResourceSubscriptions, SubscriptionState};
pub(crate) use subscribing::{changed, follow, on_state, updated};
