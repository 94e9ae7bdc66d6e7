//! Results of tools, resources and prompts.

rules! {
    BAD_RESULT = "bad-result", Error, "The result is not a valid tool result: {problem}.",
        "Schema reference" => "2025-11-25/schema";
    BAD_CONTENT = "bad-content", Error, "The result has no `content` array.",
        "Tools: tool result" => "2025-11-25/server/tools#tool-result";
    BAD_CONTENTS = "bad-contents", Error, "The result has no `contents` array.",
        "Resources: reading resources" => "2025-11-25/server/resources#reading-resources";
    BAD_MESSAGES = "bad-messages", Error, "The result has no `messages` array.",
        "Prompts: getting a prompt" => "2025-11-25/server/prompts#getting-a-prompt";
    TOO_MANY_MESSAGES = "too-many-messages", Info,
        "Only the first {limit} of {count} messages are listed; the whole response has them all.";
    BAD_PROMPT_MESSAGE = "bad-prompt-message", Error, "This message is not an object with a role and content.",
        "Prompts: PromptMessage" => "2025-11-25/server/prompts#promptmessage";
    MISSING_MESSAGE_MEMBER = "missing-message-member", Error, "The message has no `{member}`.",
        "Prompts: PromptMessage" => "2025-11-25/server/prompts#promptmessage";
    BAD_ROLE = "bad-role", Error, "The role is `{role}`; it must be `user` or `assistant`.",
        "Prompts: PromptMessage" => "2025-11-25/server/prompts#promptmessage";
    PROMPT_CONTENT_ARRAY = "prompt-content-array", Error,
        "`content` is an array; a message of a prompt has one content block.",
        "Prompts: PromptMessage" => "2025-11-25/server/prompts#promptmessage";
    BAD_COMPLETION = "bad-completion", Error, "The result has no `completion` object.",
        "Completion: requesting completions" => "2025-11-25/server/utilities/completion#requesting-completions";
    BAD_COMPLETION_VALUE = "bad-completion-value", Error,
        "{count} of the suggested values are not strings.",
        "Completion: completion results" => "2025-11-25/server/utilities/completion#completion-results";
    TOO_MANY_COMPLETIONS = "too-many-completions", Error,
        "The completion has {count} values; a response has at most {limit}.",
        "Completion: completion results" => "2025-11-25/server/utilities/completion#completion-results";
    LONG_COMPLETION_VALUE = "long-completion-value", Info,
        "{count} of the suggested values have more than {limit} bytes and are not offered.";
    COMPLETION_TOTAL = "completion-total", Warning,
        "`total` is less than the number of values.",
        "Completion: completion results" => "2025-11-25/server/utilities/completion#completion-results";
    BAD_IS_ERROR = "bad-is-error", Error,
        "`isError` is not a boolean; it is read as false.",
        "Tools: error handling" => "2025-11-25/server/tools#error-handling";
    TOO_MANY_BLOCKS = "too-many-blocks", Info,
        "Only the first {limit} of {count} content blocks are listed; the whole response has them all.";
    BAD_STRUCTURED_CONTENT = "bad-structured-content", Error, "`structuredContent` is not an object.",
        "Tools: structured content" => "2025-11-25/server/tools#structured-content";
    MISSING_STRUCTURED_CONTENT = "missing-structured-content", Error,
        "The tool declares an output schema, and its result has no `structuredContent`.",
        "Tools: output schema" => "2025-11-25/server/tools#output-schema";
    BAD_CONTENT_BLOCK = "bad-content-block", Error, "This content block cannot be read: {problem}.",
        "Tools: tool result" => "2025-11-25/server/tools#tool-result";
    UNKNOWN_CONTENT_TYPE = "unknown-content-type", Error, "The content type `{type}` is unknown.",
        "Tools: tool result" => "2025-11-25/server/tools#tool-result";
    MISSING_CONTENT_MEMBER = "missing-content-member", Error, "The content has no `{member}`.",
        "Tools: tool result" => "2025-11-25/server/tools#tool-result";
    BAD_CONTENT_MEMBER = "bad-content-member", Error, "`{member}` is not a string.",
        "Tools: tool result" => "2025-11-25/server/tools#tool-result";
    EMPTY_RESOURCE = "empty-resource", Error, "The resource has neither `text` nor `blob`.",
        "Resources: resource contents" => "2025-11-25/server/resources#resource-contents";
    DIFFERENT_MIME_TYPE = "different-mime-type", Info,
        "The list of resources says `{listed}`, and reading gave `{read}`.",
        "Resources: data types" => "2025-11-25/server/resources#data-types";
    DIFFERENT_SIZE = "different-size", Info,
        "The list of resources says {listed} bytes, and reading gave {read}.",
        "Resources: data types" => "2025-11-25/server/resources#data-types";
    BAD_RESOURCE_RESULT = "bad-resource-result", Error, "The result is not a valid resource: {problem}.",
        "Resources: reading resources" => "2025-11-25/server/resources#reading-resources";
    LONE_SURROGATE = "lone-surrogate", Warning,
        "`{member}` contains a lone surrogate.",
        "JSON: string and character issues" => "https://www.rfc-editor.org/rfc/rfc8259#section-8.2";
    BAD_BASE64 = "bad-base64", Error, "`{member}` is not valid Base64: {problem}.",
        "Tools: image content" => "2025-11-25/server/tools#image-content";
    WRONG_MIME_TYPE = "wrong-mime-type", Warning, "`{mime_type}` is not a type of {family}.",
        "Tools: tool result" => "2025-11-25/server/tools#tool-result";
}
