//! Responses and event streams over HTTP.

rules! {
    PARTIAL_BODY = "partial-body", Warning, "The connection broke before the body was complete.";
    HTTP_NOT_A_MESSAGE = "http-not-a-message", Error,
        "The response has the Content-Type {content_type}, but application/json or text/event-stream was expected.",
        "Streamable HTTP: sending messages" => "2025-11-25/basic/transports#sending-messages-to-the-server";
    NO_CONTENT_TYPE = "no-content-type", Error,
        "The response looks like a message, but its Content-Type is missing.",
        "Streamable HTTP: sending messages" => "2025-11-25/basic/transports#sending-messages-to-the-server";
    BAD_SESSION_ID = "bad-session-id", Error,
        "The session ID contains characters other than visible ASCII; it is not used.",
        "Streamable HTTP: session management" => "2025-11-25/basic/transports#session-management";
    DUPLICATE_EVENT_ID = "duplicate-event-id", Error,
        "An event with this id was delivered on this stream before; it was not read again.",
        "Streamable HTTP: resumability" => "2025-11-25/basic/transports#resumability-and-redelivery";
    SSE_INCOMPLETE_EVENT = "sse-incomplete-event", Warning,
        "The stream ended inside an event. The incomplete event is discarded.",
        "Server-sent events: interpreting a stream" => "https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation";
    SSE_ID_NUL = "sse-id-nul", Warning, "An event id with a NUL character was ignored.",
        "Server-sent events: interpreting a stream" => "https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation";
    SSE_BAD_RETRY = "sse-bad-retry", Warning, "The retry time `{value}` is not a number and was ignored.",
        "Server-sent events: interpreting a stream" => "https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation";
    SSE_UNKNOWN_FIELD = "sse-unknown-field", Info, "The field `{name}` is unknown and was ignored.",
        "Server-sent events: interpreting a stream" => "https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation";
    SSE_FIELD_CUT = "sse-field-cut", Warning,
        "A comment, name or id was too long: only its beginning was stored.";
}
