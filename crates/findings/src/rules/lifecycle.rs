//! What a server says of itself.

rules! {
    BAD_CAPABILITIES = "bad-capabilities", Error,
        "The response has no `capabilities` object: assuming that the server has no capabilities.",
        "Lifecycle: initialization" => "2025-11-25/basic/lifecycle#initialization";
    BAD_SERVER_INFO = "bad-server-info", Error,
        "The server's description of itself cannot be read in full: {problem}.",
        "Lifecycle: initialization" => "2025-11-25/basic/lifecycle#initialization";
    MISPLACED_SERVER_INFO = "misplaced-server-info", Warning,
        "`serverInfo` belongs in `_meta`; it was read anyway.",
        "Base protocol: metadata" => "2026-07-28/basic";
    BAD_INSTRUCTIONS = "bad-instructions", Error, "`instructions` is not a string.",
        "Lifecycle: initialization" => "2025-11-25/basic/lifecycle#initialization";
}
