//! Bytes that should be messages, on standard output and WebSockets.

rules! {
    BOM = "bom", Warning, "The output begins with a byte order mark.",
        "JSON: character encoding" => "https://www.rfc-editor.org/rfc/rfc8259#section-8.1";
    CRLF = "crlf", Info, "Lines end with CR LF instead of LF. Reported once per process.",
        "Transports: stdio" => "2025-11-25/basic/transports#stdio";
    BLANK_LINE = "blank-line", Warning, "A blank line, but a message was expected.",
        "Transports: stdio" => "2025-11-25/basic/transports#stdio";
    NOT_A_MESSAGE = "not-a-message", Error,
        "Non-JSON output on stdout. One message per line is required; logs belong on stderr.",
        "Transports: stdio" => "2025-11-25/basic/transports#stdio";
    PARTIAL_LINE = "partial-line", Error, "The output ended in the middle of a message.",
        "Transports: stdio" => "2025-11-25/basic/transports#stdio";
    MISSING_NEWLINE = "missing-newline", Warning, "The last message has no line end after it.",
        "Transports: stdio" => "2025-11-25/basic/transports#stdio";
    INVALID_UTF8 = "invalid-utf8", Error, "Byte {position} is not valid UTF-8. Invalid bytes were replaced.",
        "Transports" => "2025-11-25/basic/transports";
    OVERSIZED = "oversized", Warning, "Larger than the limit of {limit} bytes: only the beginning was stored.";
    BODY_NOT_A_MESSAGE = "body-not-a-message", Error,
        "Neither a JSON object nor an array, so not a message.",
        "Base protocol: messages" => "2025-11-25/basic#messages";
    NO_SUBPROTOCOL = "no-subprotocol", Info, "The server did not select the subprotocol `mcp`.";
    BINARY_FRAME = "binary-frame", Warning, "A binary frame, but text frames were expected.";
}
