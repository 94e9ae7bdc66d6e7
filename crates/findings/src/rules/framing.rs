//! Bytes that should be messages, on standard output and WebSockets.

rules! {
    BOM = "bom", Warning,
        "The output begins with a byte order mark.",
        why: "JSON text must not begin with a byte order mark, and other clients may reject the first message.",
        fix: "Write UTF-8 without a byte order mark.",
        spec: "JSON: character encoding" => "https://www.rfc-editor.org/rfc/rfc8259#section-8.1";
    CRLF = "crlf", Info,
        "Lines end with CR LF instead of LF. Reported once per process.",
        why: "Messages are delimited by LF; a client that compares whole lines sees the CR as part of the message.",
        fix: "End each message with LF alone, also on Windows.",
        spec: "Transports: stdio" => "2025-11-25/basic/transports#stdio";
    BLANK_LINE = "blank-line", Warning,
        "A blank line, but a message was expected.",
        why: "Only messages may be written to stdout; a strict client counts anything else as a protocol error.",
        fix: "Write nothing but messages to stdout, each followed by one line end.",
        spec: "Transports: stdio" => "2025-11-25/basic/transports#stdio";
    NOT_A_MESSAGE = "not-a-message", Error,
        "Non-JSON output on stdout. One message per line is required; logs belong on stderr.",
        why: "A client that reads stdout as messages fails at this line or ends the connection.",
        fix: "Send logs to stderr: look for prints and for libraries that write to stdout.",
        spec: "Transports: stdio" => "2025-11-25/basic/transports#stdio";
    PARTIAL_LINE = "partial-line", Error,
        "The output ended in the middle of a message.",
        why: "The message is lost, and a request that waits for it never gets its response.",
        fix: "Write whole messages and flush stdout before the process exits.",
        spec: "Transports: stdio" => "2025-11-25/basic/transports#stdio";
    MISSING_NEWLINE = "missing-newline", Warning,
        "The last message has no line end after it.",
        why: "A client that waits for the end of the line never reads this message.",
        fix: "Write a line end after every message, the last one included.",
        spec: "Transports: stdio" => "2025-11-25/basic/transports#stdio";
    INVALID_UTF8 = "invalid-utf8", Error,
        "Byte {position} is not valid UTF-8. Invalid bytes were replaced.",
        why: "Messages are UTF-8; a client may reject the message or show broken text.",
        fix: "Encode the output as UTF-8, whatever the locale of the process is.",
        spec: "Transports" => "2025-11-25/basic/transports";
    OVERSIZED = "oversized", Warning,
        "Larger than the limit of {limit} bytes: only the beginning was stored.",
        why: "Other clients have limits as well, and a model cannot read this much.",
        fix: "Send less at once: use pagination, or a resource that is read when it is needed.",
        group: Limits;
    BODY_NOT_A_MESSAGE = "body-not-a-message", Error,
        "Neither a JSON object nor an array, so not a message.",
        why: "A client expects a JSON-RPC message here and can do nothing with anything else.",
        fix: "Send exactly one JSON-RPC message in each body or event.",
        spec: "Base protocol: messages" => "2025-11-25/basic#messages";
    NO_SUBPROTOCOL = "no-subprotocol", Info,
        "The server did not select the subprotocol `mcp`.",
        why: "Without it a proxy or client cannot tell that the connection carries MCP.",
        fix: "Answer the handshake of the WebSocket with `Sec-WebSocket-Protocol: mcp`.",
        spec: "RFC 6455: subprotocols using the WebSocket protocol" => "https://www.rfc-editor.org/rfc/rfc6455#section-1.9";
    BINARY_FRAME = "binary-frame", Warning,
        "A binary frame, but text frames were expected.",
        why: "Messages are text; a client may ignore binary frames or close the connection.",
        fix: "Send each message as one text frame.",
        spec: "RFC 6455: data frames" => "https://www.rfc-editor.org/rfc/rfc6455#section-5.6";
}
