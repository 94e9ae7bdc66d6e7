//! Faults in the requests of a server to its client.

rules! {
    UNDECLARED_CAPABILITY = "undeclared-capability", Error,
        "The server sent {method}, which needs {capability}; the client did not declare it, or this protocol version does not have it.",
        why: "The client cannot fulfil the request and refuses it.",
        fix: "Look at the client's capabilities before you send requests.",
        spec: "Lifecycle: operation" => "2025-11-25/basic/lifecycle#operation";
    BAD_ELICITATION_URL = "bad-elicitation-url", Error,
        "The address of the elicitation cannot be opened: {problem}.",
        why: "The user cannot be sent to this address.",
        fix: "Send an absolute URL with the scheme https.",
        since: "2025-11-25",
        spec: "Elicitation: URL mode" => "2025-11-25/client/elicitation#url-mode-elicitation-requests";
    INSECURE_ELICITATION_URL = "insecure-elicitation-url", Warning,
        "The address of the elicitation is not https.",
        why: "What the user types on that page can be read and changed on the way.",
        fix: "Use https, except on the loopback interface while developing.",
        since: "2025-11-25",
        spec: "Elicitation: safe URL handling" => "2025-11-25/client/elicitation#safe-url-handling";
    MISSING_ELICITATION_ID = "missing-elicitation-id", Error,
        "A URL elicitation of this protocol version needs an `elicitationId`.",
        why: "The client cannot tell when the user has finished on the page.",
        fix: "Add a unique `elicitationId`.",
        since: "2025-11-25",
        until: "2025-11-25",
        spec: "Elicitation: URL mode" => "2025-11-25/client/elicitation#url-mode-elicitation-requests";
    UNKNOWN_ELICITATION = "unknown-elicitation", Warning,
        "No elicitation of this connection has the `elicitationId` {id}; the notification is ignored.",
        why: "The client does not know which page is meant, and ignores the notification.",
        fix: "Send the `elicitationId` of a request of this connection.",
        since: "2025-11-25",
        until: "2025-11-25",
        spec: "Elicitation: completion notifications" => "2025-11-25/client/elicitation#completion-notifications-for-url-mode-elicitation";
    MISSING_ELICITATIONS = "missing-elicitations", Error,
        "The error -32042 needs `data.elicitations` with at least one URL elicitation.",
        why: "The client cannot tell the user which page to open, so the request cannot go on.",
        fix: "Add `data.elicitations` with the elicitations in URL mode.",
        since: "2025-11-25",
        until: "2025-11-25",
        spec: "Elicitation: URL elicitation required error" => "2025-11-25/client/elicitation#url-elicitation-required-error";
    MISSING_MAX_TOKENS = "missing-max-tokens", Error,
        "`maxTokens` is missing, or is not a number.",
        why: "Clients pass it to the model and refuse a request without it.",
        fix: "Add `maxTokens` as an integer.",
        spec: "Sampling: creating messages" => "2025-11-25/client/sampling#creating-messages";
    BAD_SAMPLING_MESSAGES = "bad-sampling-messages", Error,
        "`messages` is missing, or is not an array.",
        why: "There is nothing to send to a model.",
        fix: "Send `messages` as an array.",
        spec: "Sampling: messages" => "2025-11-25/client/sampling#messages";
    BAD_SAMPLING_MESSAGE = "bad-sampling-message", Error,
        "Message {number}: {problem}.",
        why: "The client cannot hand this message to a model.",
        fix: "Send each message with `role` and `content` as the schema says.",
        spec: "Sampling: messages" => "2025-11-25/client/sampling#messages";
    MIXED_TOOL_RESULTS = "mixed-tool-results", Error,
        "Message {number} mixes tool results with other content.",
        why: "The APIs of models refuse such messages.",
        fix: "Put tool results into a message of their own.",
        since: "2025-11-25",
        spec: "Sampling: tool result messages" => "2025-11-25/client/sampling#tool-result-messages";
    UNANSWERED_TOOL_USE = "unanswered-tool-use", Error,
        "The tool use {id} in message {number} has no tool result in the next message.",
        why: "The APIs of models refuse a conversation with an open tool use.",
        fix: "Answer every tool use in the next message.",
        since: "2025-11-25",
        spec: "Sampling: tool use and result balance" => "2025-11-25/client/sampling#tool-use-and-result-balance";
    UNKNOWN_TOOL_USE = "unknown-tool-use", Error,
        "Message {number} has a result for {id}, which the message before it does not use.",
        why: "The APIs of models refuse a result without its tool use.",
        fix: "Send results only for the tool uses of the message before.",
        since: "2025-11-25",
        spec: "Sampling: tool use and result balance" => "2025-11-25/client/sampling#tool-use-and-result-balance";
    UNDECLARED_CONTEXT = "undeclared-context", Warning,
        "`includeContext` is {value}, although the client did not declare `sampling.context`.",
        why: "The client adds no context, so the model answers without what the server expects.",
        fix: "Leave `includeContext` out, or set it to `none`, for clients without `sampling.context`.",
        since: "2025-11-25",
        spec: "Sampling: capabilities" => "2025-11-25/client/sampling#capabilities";
    BAD_FORM = "bad-form", Error,
        "The form does not follow the specification: {problem}.",
        why: "Clients show fields for flat objects of simple values only.",
        fix: "Ask for an object whose properties are texts, numbers, booleans or choices.",
        since: "2025-06-18",
        spec: "Elicitation: requested schema" => "2025-11-25/client/elicitation#requested-schema";
    BAD_FORM_DEFAULT = "bad-form-default", Warning,
        "The default of `{name}` is not a value of the field.",
        why: "Clients fill it in, and the user cannot send the form as it is.",
        fix: "Send a default that the field allows, or none.",
        since: "2025-11-25",
        spec: "Elicitation: requested schema" => "2025-11-25/client/elicitation#requested-schema";
    SECRET_IN_FORM = "secret-in-form", Warning(Heuristic),
        "The form asks for `{name}`, which looks like a secret.",
        why: "What is typed into a form passes through the client and its log; servers must not ask for secrets in this way.",
        fix: "Send the user to a page of your own with URL mode.",
        since: "2025-06-18",
        spec: "Elicitation: security considerations" => "2025-11-25/client/elicitation#security-considerations";
    URL_IN_FORM = "url-in-form", Warning,
        "The {member} of the form contains the address {url}.",
        why: "Users press addresses in a message without the care that clients take with URL mode.",
        fix: "Send the user to the address with URL mode.",
        since: "2025-11-25",
        spec: "Elicitation: safe URL handling" => "2025-11-25/client/elicitation#safe-url-handling";
    CREDENTIALS_IN_URL = "credentials-in-url", Warning,
        "The address of the elicitation contains a user name or password.",
        why: "Addresses are kept in histories and logs.",
        fix: "Leave credentials out of the address.",
        since: "2025-11-25",
        spec: "Elicitation: safe URL handling" => "2025-11-25/client/elicitation#safe-url-handling";
    PUNYCODE_HOST = "punycode-host", Warning(Heuristic),
        "The host {host} of the elicitation contains characters that can look like others.",
        why: "Users cannot tell such a host from the one that it imitates.",
        fix: "Use a host of plain letters, or tell the user why it is so.",
        since: "2025-11-25",
        spec: "Elicitation: safe URL handling" => "2025-11-25/client/elicitation#safe-url-handling";
}
