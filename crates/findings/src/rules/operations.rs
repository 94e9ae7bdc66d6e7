//! Faults while a request is under way: progress, cancellation, log messages.

rules! {
    UNKNOWN_PROGRESS_TOKEN = "unknown-progress-token", Error,
        "No recent request was sent with this progress token.",
        why: "The client cannot tell which request makes progress, so the user sees none.",
        fix: "Send the `progressToken` of the request back unchanged, and only for requests that have one.",
        spec: "Progress: behavior requirements" => "2025-11-25/basic/utilities/progress#behavior-requirements";
    PROGRESS_TOKEN_TYPE = "progress-token-type", Error,
        "The progress token was sent as a number and came back as a string.",
        why: "A strict client does not find the request, so the user sees no progress.",
        fix: "Send the `progressToken` back exactly as it came, with its type.",
        spec: "Progress: progress flow" => "2025-11-25/basic/utilities/progress#progress-flow";
    BAD_PROGRESS = "bad-progress", Error,
        "`{member}` is not a number.",
        why: "The client cannot show how far the request is.",
        fix: "Send `progress` and `total` as numbers.",
        spec: "Progress: progress flow" => "2025-11-25/basic/utilities/progress#progress-flow";
    FALLING_PROGRESS = "falling-progress", Error,
        "`progress` is {value}, and the notification before said {before}. It must increase with each one.",
        why: "Progress that stands still or goes back tells the user nothing, and clients may ignore such values.",
        fix: "Count up: each notification has a larger `progress` than the one before.",
        spec: "Progress: progress flow" => "2025-11-25/basic/utilities/progress#progress-flow";
    LATE_PROGRESS = "late-progress", Error,
        "The request with this progress token has already finished.",
        why: "The client has forgotten the token, or counts the notification as unknown.",
        fix: "Send all progress before the response, and none after it.",
        spec: "Progress: behavior requirements" => "2025-11-25/basic/utilities/progress#behavior-requirements";
    BAD_LOG_LEVEL = "bad-log-level", Error,
        "`level` is not one of the eight log levels.",
        why: "Clients filter messages by level; one without a known level is shown wrongly or not at all.",
        fix: "Use `debug`, `info`, `notice`, `warning`, `error`, `critical`, `alert` or `emergency`.",
        spec: "Logging: log levels" => "2025-11-25/server/utilities/logging#log-levels";
    EXCESS_PROGRESS = "excess-progress", Info,
        "`progress` is {value}, which is more than the `total` of {total}.",
        why: "Clients show more than 100 %, or drop the total.",
        fix: "Send a `total` that is reached at the end, or none.",
        spec: "Progress: progress flow" => "2025-11-25/basic/utilities/progress#progress-flow";
    UNDECLARED_LOGGING = "undeclared-logging", Warning,
        "The server sends log messages but does not declare `logging`.",
        why: "Clients offer no level to choose for such a server, and may ignore its messages.",
        fix: "Declare `logging` and implement `logging/setLevel`.",
        until: "2025-11-25",
        spec: "Logging: capabilities" => "2025-11-25/server/utilities/logging#capabilities";
    UNREQUESTED_LOG = "unrequested-log", Error,
        "The client has asked for no log messages.",
        why: "A server of this version sends log messages only for requests that name a level.",
        fix: "Send log messages only for requests with `io.modelcontextprotocol/logLevel`.",
        since: "2026-07-28",
        spec: "Logging" => "2026-07-28/server/utilities/logging";
    SECRET_IN_LOG = "secret-in-log", Warning(Heuristic),
        "The log message contains what looks like {what}.",
        why: "Log messages are shown to users and stored, so a secret in them is no longer secret.",
        fix: "Remove credentials before something is logged, and replace this one.",
        spec: "Logging: security" => "2025-11-25/server/utilities/logging#security";
}
