//! Subscriptions, to lists and to resources.

rules! {
    WRONG_SUBSCRIPTION_ID = "wrong-subscription-id", Error,
        "The message {problem}, and {expected}.",
        why: "The client cannot tell which subscription the message belongs to, and drops it.",
        fix: "Put the id of the `subscriptions/listen` request into `_meta` of every message of its stream, with its type.",
        since: "2026-07-28",
        spec: "Subscriptions" => "2026-07-28/basic/patterns/subscriptions";
    ACKNOWLEDGED_TOO_MUCH = "acknowledged-too-much", Error,
        "More was acknowledged than requested.",
        why: "The client did not ask for these notifications and will not expect them.",
        fix: "Acknowledge only what the filter of the request asks for.",
        since: "2026-07-28",
        spec: "Subscriptions" => "2026-07-28/basic/patterns/subscriptions";
    NOT_ACKNOWLEDGED_FIRST = "not-acknowledged-first", Error,
        "The first message of a subscription must be its acknowledgement.",
        why: "Until the acknowledgement a client does not know what it is subscribed to.",
        fix: "Send `notifications/subscriptions/acknowledged` before anything else on the stream.",
        since: "2026-07-28",
        spec: "Subscriptions" => "2026-07-28/basic/patterns/subscriptions";
    UNSUBSCRIBED_UPDATE = "unsubscribed-update", Warning,
        "The update {problem}.",
        why: "Notifications that nobody asked for cost both sides work and may show one client what another does.",
        fix: "Send updates only for the resources that this client subscribed to.",
        spec: "Resources: Subscriptions" => "2025-11-25/server/resources#subscriptions";
    UNKNOWN_CANCELLATION = "unknown-cancellation", Error,
        "A server may only end a subscription with this.",
        why: "The request that it names goes on at the client, so both sides disagree about what is running.",
        fix: "Send `notifications/cancelled` only with the id of a `subscriptions/listen` request.",
        since: "2026-07-28",
        spec: "Cancellation" => "2026-07-28/basic/patterns/cancellation";
    UNDECLARED_LIST_CHANGED = "undeclared-list-changed", Error,
        "The server sent {method} but does not declare `{capability}.listChanged`.",
        why: "Clients that go by the declaration do not read the list again, so users see an old one.",
        fix: "Declare `listChanged`, or do not send the notification.",
        until: "2025-11-25",
        spec: "Tools: capabilities" => "2025-11-25/server/tools#capabilities";
    MISPLACED_NOTIFICATION = "misplaced-notification", Error,
        "{method} came on the stream of a subscription.",
        why: "Progress and log messages belong to a request; on a subscription no client looks for them.",
        fix: "Send it on the stream of its request.",
        since: "2026-07-28",
        spec: "Subscriptions" => "2026-07-28/basic/patterns/subscriptions";
    UNKNOWN_REQUEST_CANCELLED = "unknown-request-cancelled", Error,
        "The server cancels the request {id}, which it has not sent.",
        why: "A server can cancel only its own requests; the client ignores it.",
        fix: "Send `notifications/cancelled` only with the id of a request of the server.",
        until: "2025-11-25",
        spec: "Cancellation: behavior requirements" => "2025-11-25/basic/utilities/cancellation#behavior-requirements";
}
