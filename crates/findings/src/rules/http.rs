//! Responses and event streams over HTTP.

rules! {
    PARTIAL_BODY = "partial-body", Warning,
        "The connection broke before the body was complete.",
        why: "What was missing is lost: the message may be incomplete or not readable.",
        fix: "Look for a crash, a timeout or a proxy that closes the connection while the server writes.";
    HTTP_NOT_A_MESSAGE = "http-not-a-message", Error,
        "The response has the Content-Type {content_type}, but application/json or text/event-stream was expected.",
        why: "A client reads messages from these two types only, so the request has no response.",
        fix: "Send `Content-Type: application/json` for one message or `text/event-stream` for a stream.",
        since: "2025-03-26",
        spec: "Streamable HTTP: sending messages" => "2025-11-25/basic/transports#sending-messages-to-the-server";
    NO_CONTENT_TYPE = "no-content-type", Error,
        "The response looks like a message, but its Content-Type is missing.",
        why: "A client decides by this header whether it reads a message or a stream.",
        fix: "Send `Content-Type: application/json` with the message.",
        since: "2025-03-26",
        spec: "Streamable HTTP: sending messages" => "2025-11-25/basic/transports#sending-messages-to-the-server";
    BAD_SESSION_ID = "bad-session-id", Error,
        "The session ID contains characters other than visible ASCII; it is not used.",
        why: "An HTTP header cannot carry such an id reliably, so the client cannot send it back.",
        fix: "Make the session ID of visible ASCII characters, for example a UUID.",
        since: "2025-03-26",
        until: "2025-11-25",
        spec: "Streamable HTTP: session management" => "2025-11-25/basic/transports#session-management";
    DUPLICATE_EVENT_ID = "duplicate-event-id", Error,
        "An event with this id was delivered on this stream before; it was not read again.",
        why: "A client resumes from the last event id: with an id used twice it misses events or gets them twice.",
        fix: "Give every event of a session an id of its own.",
        since: "2025-03-26",
        until: "2025-11-25",
        spec: "Streamable HTTP: resumability" => "2025-11-25/basic/transports#resumability-and-redelivery";
    SSE_INCOMPLETE_EVENT = "sse-incomplete-event", Warning,
        "The stream ended inside an event. The incomplete event is discarded.",
        why: "An event counts only with the blank line after it, so its message is lost.",
        fix: "End each event with a blank line and flush before the stream is closed.",
        spec: "Server-sent events: interpreting a stream" => "https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation";
    SSE_ID_NUL = "sse-id-nul", Warning,
        "An event id with a NUL character was ignored.",
        why: "The id is ignored, so the stream cannot be resumed from this event.",
        fix: "Make event ids without NUL characters.",
        spec: "Server-sent events: interpreting a stream" => "https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation";
    SSE_BAD_RETRY = "sse-bad-retry", Warning,
        "The retry time `{value}` is not a number and was ignored.",
        why: "The client reconnects after a delay of its own instead of the one that the server wants.",
        fix: "Send `retry` with digits only, in milliseconds.",
        spec: "Server-sent events: interpreting a stream" => "https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation";
    SSE_UNKNOWN_FIELD = "sse-unknown-field", Info,
        "The field `{name}` is unknown and was ignored.",
        why: "Whatever the server means to say with it, no client reads it.",
        fix: "Use the fields `event`, `data`, `id` and `retry` only.",
        spec: "Server-sent events: interpreting a stream" => "https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation";
    SSE_FIELD_CUT = "sse-field-cut", Warning,
        "A comment, name or id was too long: only its beginning was stored.",
        why: "What is cut off is lost, and a stream cannot be resumed from an id that is cut.",
        fix: "Keep names, ids and comments of events short.";
    NOT_ACCEPTED = "not-accepted", Error,
        "The message was answered with HTTP status {status}; a notification or response that is taken is answered with 202.",
        why: "Clients may take the message as lost, or wait for a body.",
        fix: "Answer with 202 and no body.",
        since: "2025-03-26",
        spec: "Streamable HTTP: sending messages" => "2025-11-25/basic/transports#sending-messages-to-the-server";
    ACCEPTED_WITH_BODY = "accepted-with-body", Error,
        "The response with HTTP status 202 has a body of {size} bytes.",
        why: "Clients may try to read the body as a message.",
        fix: "Send 202 without a body.",
        since: "2025-03-26",
        spec: "Streamable HTTP: sending messages" => "2025-11-25/basic/transports#sending-messages-to-the-server";
    BAD_LISTENER_RESPONSE = "bad-listener-response", Error,
        "GET was answered with HTTP status {status} and no event stream.",
        why: "Clients cannot tell whether the server offers a stream, and may try again and again.",
        fix: "Answer GET with an event stream, or with 405.",
        since: "2025-03-26",
        until: "2025-11-25",
        spec: "Streamable HTTP: listening for messages" => "2025-11-25/basic/transports#listening-for-messages-from-the-server";
    RESPONSE_ON_LISTENER = "response-on-listener", Error,
        "The response came on the stream that GET opened, and not on that of its request.",
        why: "Clients that read responses on the stream of the request never see it.",
        fix: "Send the response on the stream of its request.",
        since: "2025-03-26",
        until: "2025-11-25",
        spec: "Streamable HTTP: listening for messages" => "2025-11-25/basic/transports#listening-for-messages-from-the-server";
    UNPRIMED_STREAM = "unprimed-stream", Info,
        "The first event with an id has data; an event with an id and no data should come first.",
        why: "A stream that breaks before its first message cannot be resumed.",
        fix: "Begin each stream with an event that has an id and empty data.",
        since: "2025-11-25",
        until: "2025-11-25",
        spec: "Streamable HTTP: sending messages" => "2025-11-25/basic/transports#sending-messages-to-the-server";
    SHORT_SESSION_ID = "short-session-id", Info(Heuristic),
        "The session ID has only {size} characters.",
        why: "Whoever guesses the id of a session can act in it.",
        fix: "Make session IDs of a secure source of random numbers, for example a UUID.",
        since: "2025-03-26",
        until: "2025-11-25",
        spec: "Streamable HTTP: session management" => "2025-11-25/basic/transports#session-management";
    LATE_SESSION_ID = "late-session-id", Warning,
        "The server gave out a session ID after the handshake; it is not used.",
        why: "Clients take the session ID of the response to `initialize` only.",
        fix: "Send the session ID with the response to `initialize`.",
        since: "2025-03-26",
        until: "2025-11-25",
        spec: "Streamable HTTP: session management" => "2025-11-25/basic/transports#session-management";
    UNRELATED_PROGRESS = "unrelated-progress", Warning,
        "The progress of request {of} came on the stream of request {on}.",
        why: "Clients that tie messages to the stream of a request show it at the wrong one.",
        fix: "Send messages about a request on the stream of its response.",
        since: "2025-03-26",
        spec: "Streamable HTTP: sending messages" => "2025-11-25/basic/transports#sending-messages-to-the-server";
    WRONG_ERROR_STATUS = "wrong-error-status", Error,
        "The error {code} came with HTTP status {status}; it belongs to {expected}.",
        why: "Clients and proxies decide by the status what to do next.",
        fix: "Send the error with the HTTP status that the specification names.",
        since: "2026-07-28",
        spec: "Streamable HTTP" => "2026-07-28/basic/transports/streamable-http";
    BUFFERED_STREAM = "buffered-stream", Info,
        "The event stream has no header `X-Accel-Buffering: no`.",
        why: "Some proxies keep the events until the stream ends, so they come late.",
        fix: "Send the header with every event stream.",
        since: "2026-07-28",
        spec: "Streamable HTTP" => "2026-07-28/basic/transports/streamable-http";
}
