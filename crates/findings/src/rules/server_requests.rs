//! What a server asks of its client.

rules! {
    UNDECLARED_CAPABILITY = "undeclared-capability", Error,
        "The server sent {method}, which needs {capability}; the client did not declare it, or this protocol version does not have it.",
        "Lifecycle: operation" => "2025-11-25/basic/lifecycle#operation";
    BAD_ELICITATION_URL = "bad-elicitation-url", Error,
        "The address of the elicitation cannot be opened: {problem}.",
        "Elicitation: URL mode" => "2025-11-25/client/elicitation#url-mode-elicitation-requests";
    INSECURE_ELICITATION_URL = "insecure-elicitation-url", Warning,
        "The address of the elicitation is not https.",
        "Elicitation: safe URL handling" => "2025-11-25/client/elicitation#safe-url-handling";
    MISSING_ELICITATION_ID = "missing-elicitation-id", Error,
        "A URL elicitation of this protocol version needs an `elicitationId`.",
        "Elicitation: URL mode" => "2025-11-25/client/elicitation#url-mode-elicitation-requests";
    UNKNOWN_ELICITATION = "unknown-elicitation", Warning,
        "No elicitation of this connection has the `elicitationId` {id}; the notification is ignored.",
        "Elicitation: completion notifications" => "2025-11-25/client/elicitation#completion-notifications-for-url-mode-elicitation";
    MISSING_ELICITATIONS = "missing-elicitations", Error,
        "The error -32042 needs `data.elicitations` with at least one URL elicitation.",
        "Elicitation: URL elicitation required error" => "2025-11-25/client/elicitation#url-elicitation-required-error";
    MISSING_MAX_TOKENS = "missing-max-tokens", Error,
        "`maxTokens` is missing, or is not a number.",
        "Sampling: creating messages" => "2025-11-25/client/sampling#creating-messages";
    BAD_SAMPLING_MESSAGES = "bad-sampling-messages", Error, "`messages` is missing, or is not an array.",
        "Sampling: messages" => "2025-11-25/client/sampling#messages";
    BAD_SAMPLING_MESSAGE = "bad-sampling-message", Error, "Message {number}: {problem}.",
        "Sampling: messages" => "2025-11-25/client/sampling#messages";
    MIXED_TOOL_RESULTS = "mixed-tool-results", Error,
        "Message {number} mixes tool results with other content.",
        "Sampling: tool result messages" => "2025-11-25/client/sampling#tool-result-messages";
    UNANSWERED_TOOL_USE = "unanswered-tool-use", Error,
        "The tool use {id} in message {number} has no tool result in the next message.",
        "Sampling: tool use and result balance" => "2025-11-25/client/sampling#tool-use-and-result-balance";
    UNKNOWN_TOOL_USE = "unknown-tool-use", Error,
        "Message {number} has a result for {id}, which the message before it does not use.",
        "Sampling: tool use and result balance" => "2025-11-25/client/sampling#tool-use-and-result-balance";
    UNDECLARED_CONTEXT = "undeclared-context", Warning,
        "`includeContext` is {value}, although the client did not declare `sampling.context`.",
        "Sampling: capabilities" => "2025-11-25/client/sampling#capabilities";
}
