//! What a server says of itself.

rules! {
    BAD_CAPABILITIES = "bad-capabilities", Error,
        "The response has no `capabilities` object: assuming that the server has no capabilities.",
        why: "Clients use only what is declared: without it they show no tools, resources or prompts.",
        fix: "Send `capabilities` as an object with a member for each feature.",
        spec: "Lifecycle: initialization" => "2025-11-25/basic/lifecycle#initialization";
    BAD_SERVER_INFO = "bad-server-info", Error,
        "The server's description of itself cannot be read: {problem}.",
        why: "Clients name servers by it, and some refuse a handshake without it.",
        fix: "Send `serverInfo` with a `name` and a `version`, both strings.",
        spec: "Lifecycle: initialization" => "2025-11-25/basic/lifecycle#initialization";
    MISPLACED_SERVER_INFO = "misplaced-server-info", Warning,
        "`serverInfo` belongs in `_meta`; it was read anyway.",
        why: "Clients of this version look for it in `_meta` and will not find it.",
        fix: "Move it to `_meta[\"io.modelcontextprotocol/serverInfo\"]`.",
        since: "2026-07-28",
        spec: "Base protocol: metadata" => "2026-07-28/basic";
    BAD_INSTRUCTIONS = "bad-instructions", Error,
        "`instructions` is not a string.",
        why: "Instructions are handed to the model as text; anything else is dropped.",
        fix: "Send `instructions` as a string, or leave it out.",
        spec: "Lifecycle: initialization" => "2025-11-25/basic/lifecycle#initialization";
}
