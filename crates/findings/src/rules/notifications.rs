//! Subscriptions.

rules! {
    WRONG_SUBSCRIPTION_ID = "wrong-subscription-id", Error,
        "The message has {found}, and {expected}.",
        "Subscriptions" => "2026-07-28/basic/patterns/subscriptions";
    ACKNOWLEDGED_TOO_MUCH = "acknowledged-too-much", Error,
        "More was acknowledged than was asked for.",
        "Subscriptions" => "2026-07-28/basic/patterns/subscriptions";
    NOT_ACKNOWLEDGED_FIRST = "not-acknowledged-first", Error,
        "The first message of a subscription must be its acknowledgement.",
        "Subscriptions" => "2026-07-28/basic/patterns/subscriptions";
    UNKNOWN_CANCELLATION = "unknown-cancellation", Error,
        "A server may cancel a subscription with this, and nothing else.",
        "Cancellation" => "2026-07-28/basic/patterns/cancellation";
}
