//! Subscriptions, to lists and to resources.

rules! {
    WRONG_SUBSCRIPTION_ID = "wrong-subscription-id", Error,
        "The message {problem}, and {expected}.",
        "Subscriptions" => "2026-07-28/basic/patterns/subscriptions";
    ACKNOWLEDGED_TOO_MUCH = "acknowledged-too-much", Error,
        "More was acknowledged than requested.",
        "Subscriptions" => "2026-07-28/basic/patterns/subscriptions";
    NOT_ACKNOWLEDGED_FIRST = "not-acknowledged-first", Error,
        "The first message of a subscription must be its acknowledgement.",
        "Subscriptions" => "2026-07-28/basic/patterns/subscriptions";
    UNSUBSCRIBED_UPDATE = "unsubscribed-update", Warning,
        "The update {problem}.",
        "Resources: Subscriptions" => "2025-11-25/server/resources#subscriptions";
    UNKNOWN_CANCELLATION = "unknown-cancellation", Error,
        "A server may only end a subscription with this.",
        "Cancellation" => "2026-07-28/basic/patterns/cancellation";
}
