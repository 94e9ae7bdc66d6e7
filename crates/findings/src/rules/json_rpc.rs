//! The envelope of messages, and which response belongs to which request.

rules! {
    INVALID_JSON = "invalid-json", Error, "The message is not valid JSON: {problem}.",
        "Base protocol: messages" => "2025-11-25/basic#messages";
    INVALID_MESSAGE = "invalid-message", Error, "This is not a JSON-RPC message: {problem}.",
        "Base protocol: messages" => "2025-11-25/basic#messages";
    BAD_JSONRPC = "bad-jsonrpc", Error, "The member `jsonrpc` is not \"2.0\".",
        "Base protocol: messages" => "2025-11-25/basic#messages";
    REPEATED_MEMBER = "repeated-member", Warning, "`{member}` occurs more than once; the last one is used.",
        "JSON: objects" => "https://www.rfc-editor.org/rfc/rfc8259#section-4";
    BAD_ID = "bad-id", Error, "The `id` is {id}; it must be a string or an integer.",
        "Base protocol: requests" => "2025-11-25/basic#requests";
    MIXED_MEMBERS = "mixed-members", Error,
        "The message has `method` beside `result` or `error`; it is read as a response.",
        "Base protocol: messages" => "2025-11-25/basic#messages";
    RESULT_AND_ERROR = "result-and-error", Error, "The response has both `result` and `error`.",
        "Base protocol: responses" => "2025-11-25/basic#responses";
    BAD_ERROR = "bad-error", Error, "The error is not of the required shape: {problem}.",
        "Base protocol: responses" => "2025-11-25/basic#responses";
    FORBIDDEN_ERROR_CODE = "forbidden-error-code", Error,
        "A server of this protocol version must not send the error code {code}.",
        "Base protocol: error codes" => "2026-07-28/basic#error-codes";
    BATCH_NOT_ALLOWED = "batch-not-allowed", Error,
        "This protocol version has no batches; each message was read anyway.",
        "Changes in 2025-06-18" => "2025-06-18/changelog";
    BATCH_TOO_LONG = "batch-too-long", Warning,
        "The batch has {count} messages; the first {limit} were read.";
    RESPONSE_ID_TYPE = "response-id-type", Error,
        "The response id is the string {id}; a number was sent.",
        "Base protocol: responses" => "2025-11-25/basic#responses";
    UNKNOWN_RESPONSE_ID = "unknown-response-id", Error,
        "The response belongs to no recent request: its id is {id}.",
        "Base protocol: responses" => "2025-11-25/basic#responses";
    DUPLICATE_RESPONSE = "duplicate-response", Error,
        "The request {id} was already answered.",
        "Base protocol: responses" => "2025-11-25/basic#responses";
    LATE_RESPONSE = "late-response", Info, "The request {id} was no longer pending.";
    REQUEST_IN_STATELESS_ERA = "request-in-stateless-era", Error,
        "A stateless server must not send requests; Sonde does not respond.",
        "Base protocol: responses" => "2026-07-28/basic";
}
