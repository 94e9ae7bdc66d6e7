//! The envelope of messages, and the matching of responses to requests.

rules! {
    INVALID_JSON = "invalid-json", Error,
        "The message is not valid JSON: {problem}.",
        why: "No client can read the message, and whatever waits for it is left without a response.",
        fix: "Write messages with a JSON library in its strict mode, for example `json.dumps(…, allow_nan=False)` in Python: JSON has no `NaN`, `Infinity` or `undefined`.",
        spec: "Base protocol: messages" => "2025-11-25/basic#messages";
    INVALID_MESSAGE = "invalid-message", Error,
        "This is not a JSON-RPC message: {problem}.",
        why: "A client cannot tell what kind of message this is, and drops it or ends the connection.",
        fix: "Send requests with `id` and `method`, notifications with `method`, and responses with `id` and `result` or `error`.",
        spec: "Base protocol: messages" => "2025-11-25/basic#messages";
    BAD_JSONRPC = "bad-jsonrpc", Error,
        "The member `jsonrpc` is not \"2.0\".",
        why: "Strict clients drop every message that does not say which version of JSON-RPC it is.",
        fix: "Add `\"jsonrpc\": \"2.0\"` to every message.",
        spec: "Base protocol: messages" => "2025-11-25/basic#messages";
    REPEATED_MEMBER = "repeated-member", Warning,
        "`{member}` occurs more than once; the last one is used.",
        why: "JSON libraries differ in which of the values they take, so clients read different messages.",
        fix: "Write each member once.",
        spec: "JSON: objects" => "https://www.rfc-editor.org/rfc/rfc8259#section-4";
    BAD_ID = "bad-id", Error,
        "The `id` is {id}; it must be a string or an integer.",
        why: "The client cannot tell which request this belongs to.",
        fix: "Use strings or integers as ids, never `null`, fractions or booleans.",
        spec: "Base protocol: requests" => "2025-11-25/basic#requests";
    MIXED_MEMBERS = "mixed-members", Error,
        "The message has `method` beside `result` or `error`; it is read as a response.",
        why: "It is open whether this is a request or a response, and clients decide differently.",
        fix: "Send requests and responses as separate messages.",
        spec: "Base protocol: messages" => "2025-11-25/basic#messages";
    RESULT_AND_ERROR = "result-and-error", Error,
        "The response has both `result` and `error`.",
        why: "It is open whether the request succeeded, and clients decide differently.",
        fix: "Send `result` or `error`, never both.",
        spec: "Base protocol: responses" => "2025-11-25/basic#responses";
    BAD_ERROR = "bad-error", Error,
        "The error is not of the required shape: {problem}.",
        why: "The client cannot tell the user or the model what went wrong.",
        fix: "Send an integer `code` and a string `message` in every error.",
        spec: "Base protocol: responses" => "2025-11-25/basic#responses";
    FORBIDDEN_ERROR_CODE = "forbidden-error-code", Error,
        "A server of this protocol version must not send the error code {code}.",
        why: "The code has another meaning in this version, or none, so clients react in the wrong way.",
        fix: "Use the error codes of the protocol version in use.",
        since: "2026-07-28",
        spec: "Base protocol: error codes" => "2026-07-28/basic#error-codes";
    BATCH_NOT_ALLOWED = "batch-not-allowed", Error,
        "This protocol version has no batches; each message was read anyway.",
        why: "A client of this version may reject the whole array, with all responses in it.",
        fix: "Send every message on its own.",
        since: "2025-06-18",
        spec: "Changes in 2025-06-18" => "2025-06-18/changelog";
    BATCH_TOO_LONG = "batch-too-long", Warning,
        "The batch has {count} messages; the first {limit} were read.",
        why: "The messages after the limit are not read, so their requests stay without a response.",
        fix: "Send fewer messages in one batch, or each on its own.",
        group: Limits,
        since: "2025-03-26";
    RESPONSE_ID_TYPE = "response-id-type", Error,
        "The response id is the string {id}; a number was sent.",
        why: "A strict client finds no request with this id and waits until it times out.",
        fix: "Send the `id` back exactly as it came, with its type.",
        spec: "Base protocol: responses" => "2025-11-25/basic#responses";
    UNKNOWN_RESPONSE_ID = "unknown-response-id", Error,
        "The response belongs to no recent request: its id is {id}.",
        why: "The request that this answers stays without a response.",
        fix: "Send the `id` of the request back unchanged, and answer only requests of this connection.",
        spec: "Base protocol: responses" => "2025-11-25/basic#responses";
    DUPLICATE_RESPONSE = "duplicate-response", Error,
        "The request {id} was already answered.",
        why: "A client may show either response, or treat the second as an error.",
        fix: "Answer each request exactly once.",
        spec: "Base protocol: responses" => "2025-11-25/basic#responses";
    LATE_RESPONSE = "late-response", Info,
        "The request {id} was no longer pending.",
        why: "The work was done for nothing, as nobody waits for it any more.",
        fix: "Stop the work when a request is cancelled, or send progress so that clients wait longer.",
        spec: "Cancellation: timing considerations" => "2025-11-25/basic/utilities/cancellation#timing-considerations";
    RESPONSE_AFTER_CANCEL = "response-after-cancel", Error,
        "The request {id} was cancelled, but its response arrived even after that of a later request.",
        why: "Clients that have forgotten the request cannot match the response to anything.",
        fix: "Send nothing more for a request once its cancellation was read.",
        since: "2026-07-28",
        spec: "Cancellation: behavior requirements" => "2026-07-28/basic/patterns/cancellation#behavior-requirements";
    REQUEST_IN_STATELESS_ERA = "request-in-stateless-era", Error,
        "A stateless server must not send requests; Sonde does not respond.",
        why: "No client answers it, so the server waits for a response that never comes.",
        fix: "Ask for input with a result of the type `input_required`.",
        since: "2026-07-28",
        spec: "Base protocol: responses" => "2026-07-28/basic";
    RESULT_NOT_OBJECT = "result-not-object", Error,
        "`result` is not an object.",
        why: "Clients read members of the result, and treat anything else as no response.",
        fix: "Send an object, which may be empty.",
        spec: "Base protocol: responses" => "2025-11-25/basic#responses";
    NOTIFICATION_WITH_ID = "notification-with-id", Error,
        "The notification {method} has an `id`, so it is read as a request.",
        why: "The client answers it with an error, as it knows no such request.",
        fix: "Send notifications without `id`.",
        spec: "Base protocol: notifications" => "2025-11-25/basic#notifications";
    REUSED_REQUEST_ID = "reused-request-id", Error,
        "The server has used the request id {id} before in this session.",
        why: "The client cannot tell the two requests apart, so a response may reach the wrong one.",
        fix: "Give every request of a session an id of its own.",
        until: "2025-11-25",
        spec: "Base protocol: requests" => "2025-11-25/basic#requests";
    MISSING_RESULT_TYPE = "missing-result-type", Error,
        "The result has no `resultType`.",
        why: "Only by it can a client tell the end of a request from a question; without it this client takes the result as complete.",
        fix: "Add `resultType`, which is `complete` for most results.",
        since: "2026-07-28",
        spec: "Base protocol: responses" => "2026-07-28/basic";
    BAD_RESULT_TYPE = "bad-result-type", Error,
        "The result is invalid: {problem}.",
        why: "The client cannot use the result, so the request fails.",
        fix: "Send the `resultType` `complete`, or one that the specification allows for this method and that the client declared.",
        since: "2026-07-28",
        spec: "Base protocol: responses" => "2026-07-28/basic";
    LONG_ERROR_MESSAGE = "long-error-message", Warning(Heuristic),
        "The error message {problem}.",
        why: "Clients show the message to the user or the model, and a stack trace tells both nothing and may give away too much.",
        fix: "Send one concise sentence as `message`, and anything else as `data`.",
        spec: "Schema reference: Error" => "2025-11-25/schema#error";
    BAD_META_KEY = "bad-meta-key", Error,
        "`_meta` has the key {key}, which does not follow the rules for such keys.",
        why: "Clients may reject the message, or take the key for another one.",
        fix: "Use letters, digits, `-`, `_` and `.`, with a prefix such as `com.example/` in front.",
        since: "2025-06-18",
        spec: "Base protocol: _meta" => "2025-11-25/basic#_meta";
    BAD_TRACE_CONTEXT = "bad-trace-context", Info,
        "`traceparent` is {value}, which does not follow the W3C format.",
        why: "Tracing tools cannot tie the message to its trace.",
        fix: "Send `00-`, 32 digits, 16 digits and 2 digits, all hexadecimal and in lower case.",
        since: "2026-07-28",
        spec: "Base protocol: _meta" => "2026-07-28/basic";
}
