//! Faults in a server's description of itself.

rules! {
    BAD_CAPABILITIES = "bad-capabilities", Error,
        "The response has no `capabilities` object: assuming that the server has no capabilities.",
        why: "Clients use only what is declared: without it they show no tools, resources or prompts.",
        fix: "Send `capabilities` as an object with a member for each feature.",
        spec: "Lifecycle: initialization" => "2025-11-25/basic/lifecycle#initialization";
    BAD_SERVER_INFO = "bad-server-info", Error,
        "The server's description of itself cannot be read in full: {problem}.",
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
    BAD_PROTOCOL_VERSION = "bad-protocol-version", Error,
        "The version in the response to `initialize` cannot be used: {problem}.",
        why: "Client and server do not know how to speak to each other, so the client disconnects.",
        fix: "Answer with the version of the request, or with the newest one with a handshake that the server supports.",
        until: "2025-11-25",
        spec: "Lifecycle: version negotiation" => "2025-11-25/basic/lifecycle#version-negotiation";
    EARLY_MESSAGE = "early-message", Warning,
        "The server sent {method} before the client had finished the handshake.",
        why: "A client that is not ready may refuse or ignore it.",
        fix: "Send nothing but pings and log messages before `notifications/initialized` has come.",
        until: "2025-11-25",
        spec: "Lifecycle: initialization" => "2025-11-25/basic/lifecycle#initialization";
    MISSING_METHOD = "missing-method", Error,
        "The server declares `{capability}` but does not know {method}.",
        why: "Clients show what is declared, and the user gets an error in its place.",
        fix: "Implement the method, or do not declare the capability.",
        spec: "Lifecycle: capability negotiation" => "2025-11-25/basic/lifecycle#capability-negotiation";
    BAD_PING = "bad-ping", Error,
        "The response to `ping` {problem}.",
        why: "Clients find out with pings whether the server is alive, and may close the connection.",
        fix: "Answer `ping` with an empty result.",
        until: "2025-11-25",
        spec: "Ping: behavior requirements" => "2025-11-25/basic/utilities/ping#behavior-requirements";
    UNNAMED_VERSIONS = "unnamed-versions", Warning,
        "The error does not name the versions that the server speaks.",
        why: "A client that only knows the handshake cannot tell its user why it cannot connect.",
        fix: "Send `data.supported` with the versions in the error to `initialize`.",
        since: "2026-07-28",
        spec: "Versioning" => "2026-07-28/basic/versioning";
    MISSING_SERVER_INFO = "missing-server-info", Warning,
        "The result has no `io.modelcontextprotocol/serverInfo` in `_meta`.",
        why: "Clients cannot show the name of the server to the user, or its version in a bug report.",
        fix: "Add it with a `name` and a `version`.",
        since: "2026-07-28",
        spec: "Base protocol: _meta" => "2026-07-28/basic";
    SLOW_EXIT = "slow-exit", Warning,
        "The process was still running {waited} after its input was closed, so it was asked to terminate.",
        why: "A client that waits longer hangs; one that does not wait ends the server in the middle of its work.",
        fix: "Exit when standard input ends.",
        since: "2026-07-28",
        spec: "stdio: shutdown" => "2026-07-28/basic/transports/stdio#shutdown";
    EMPTY_SERVER_INFO = "empty-server-info", Info,
        "`{member}` in the server's description of itself is empty.",
        why: "Clients show it to the user, and it is part of every bug report.",
        fix: "Send the name of the server and its version.",
        spec: "Schema reference: Implementation" => "2025-11-25/schema#implementation";
}
