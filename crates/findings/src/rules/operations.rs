//! What happens while a request is under way: progress, cancellation, log messages.

rules! {
    UNKNOWN_PROGRESS_TOKEN = "unknown-progress-token", Error,
        "No recent request was sent with this progress token.",
        "Progress: behavior requirements" => "2025-11-25/basic/utilities/progress#behavior-requirements";
    PROGRESS_TOKEN_TYPE = "progress-token-type", Error,
        "The progress token was sent as a number and came back as a string.",
        "Progress: progress flow" => "2025-11-25/basic/utilities/progress#progress-flow";
    BAD_PROGRESS = "bad-progress", Error, "`{member}` is not a number.",
        "Progress: progress flow" => "2025-11-25/basic/utilities/progress#progress-flow";
    FALLING_PROGRESS = "falling-progress", Error,
        "`progress` is {value}, though the notification before said {before}. It must increase with each one.",
        "Progress: progress flow" => "2025-11-25/basic/utilities/progress#progress-flow";
    LATE_PROGRESS = "late-progress", Error, "The request with this progress token has already finished.",
        "Progress: behavior requirements" => "2025-11-25/basic/utilities/progress#behavior-requirements";
    BAD_LOG_LEVEL = "bad-log-level", Error, "`level` is not one of the eight log levels.",
        "Logging: log levels" => "2025-11-25/server/utilities/logging#log-levels";
}
