//! Results of tools, resources and prompts.

rules! {
    BAD_RESULT = "bad-result", Error,
        "The result cannot be read: {problem}.",
        why: "Clients show an error in place of what the server meant to say.",
        fix: "Send what the schema of the result demands.",
        spec: "Schema reference" => "2025-11-25/schema";
    BAD_CONTENT = "bad-content", Error,
        "The result has no `content` array.",
        why: "Clients read the answer from this array, so the model gets nothing.",
        fix: "Add `content`, as an empty array where there is nothing to say.",
        spec: "Tools: tool result" => "2025-11-25/server/tools#tool-result";
    BAD_CONTENTS = "bad-contents", Error,
        "The result has no `contents` array.",
        why: "Clients read the resource from this array, so the model gets nothing.",
        fix: "Add `contents` with at least one item.",
        spec: "Resources: reading resources" => "2025-11-25/server/resources#reading-resources";
    BAD_MESSAGES = "bad-messages", Error,
        "The result has no `messages` array.",
        why: "Clients read the prompt from this array, so there is nothing to send to a model.",
        fix: "Add `messages`.",
        spec: "Prompts: getting a prompt" => "2025-11-25/server/prompts#getting-a-prompt";
    TOO_MANY_MESSAGES = "too-many-messages", Info,
        "Only the first {limit} of {count} messages are listed; the whole response has them all.",
        why: "A conversation of this length exceeds what models can read.",
        fix: "Send fewer messages.",
        group: Limits;
    BAD_PROMPT_MESSAGE = "bad-prompt-message", Error,
        "This message is not an object with a role and content.",
        why: "Clients cannot hand this message to a model.",
        fix: "Send each message as an object with `role` and `content`.",
        spec: "Prompts: PromptMessage" => "2025-11-25/server/prompts#promptmessage";
    MISSING_MESSAGE_MEMBER = "missing-message-member", Error,
        "The message has no `{member}`.",
        why: "Clients cannot hand this message to a model.",
        fix: "Send each message with `role` and `content`.",
        spec: "Prompts: PromptMessage" => "2025-11-25/server/prompts#promptmessage";
    BAD_ROLE = "bad-role", Error,
        "The role is `{role}`; it must be `user` or `assistant`.",
        why: "Clients cannot hand a message of another role to a model.",
        fix: "Use `user` or `assistant`; put system text into a message of the user.",
        spec: "Prompts: PromptMessage" => "2025-11-25/server/prompts#promptmessage";
    PROMPT_CONTENT_ARRAY = "prompt-content-array", Error,
        "`content` is an array; a message of a prompt has one content block.",
        why: "Clients that follow the schema cannot read the message.",
        fix: "Send one message for each content block.",
        spec: "Prompts: PromptMessage" => "2025-11-25/server/prompts#promptmessage";
    BAD_COMPLETION = "bad-completion", Error,
        "The result has no `completion` object.",
        why: "Clients cannot suggest anything.",
        fix: "Send `completion` with a `values` array.",
        spec: "Completion: requesting completions" => "2025-11-25/server/utilities/completion#requesting-completions";
    BAD_COMPLETION_VALUE = "bad-completion-value", Error,
        "{count} of the suggested values are not strings.",
        why: "Clients can only suggest strings, and drop the others or the whole response.",
        fix: "Send every value as a string.",
        spec: "Completion: completion results" => "2025-11-25/server/utilities/completion#completion-results";
    TOO_MANY_COMPLETIONS = "too-many-completions", Error,
        "The completion has {count} values; a response has at most {limit}.",
        why: "Clients may reject the response or drop the values after the limit.",
        fix: "Send the best matches first, at most 100, and set `hasMore`.",
        spec: "Completion: completion results" => "2025-11-25/server/utilities/completion#completion-results";
    LONG_COMPLETION_VALUE = "long-completion-value", Info,
        "{count} of the suggested values have more than {limit} bytes and are not offered.",
        why: "A value of this length cannot be shown in a list of suggestions.",
        fix: "Suggest short values.",
        group: Limits;
    COMPLETION_TOTAL = "completion-total", Warning,
        "`total` is less than the number of values.",
        why: "The user is told of fewer suggestions than there are.",
        fix: "Set `total` to the number of all matches, or leave it out.",
        spec: "Completion: completion results" => "2025-11-25/server/utilities/completion#completion-results";
    BAD_IS_ERROR = "bad-is-error", Error,
        "`isError` is not a boolean; it is read as false.",
        why: "Clients that read it as a boolean treat a failure as a success, or the other way round.",
        fix: "Send `true` or `false`, or leave it out.",
        spec: "Tools: error handling" => "2025-11-25/server/tools#error-handling";
    TOO_MANY_BLOCKS = "too-many-blocks", Info,
        "Only the first {limit} of {count} content blocks are listed; the whole response has them all.",
        why: "A result of this length exceeds what models can read.",
        fix: "Join texts to fewer blocks, or return links to resources.",
        group: Limits;
    BAD_STRUCTURED_CONTENT = "bad-structured-content", Error,
        "`structuredContent` is not an object.",
        why: "Clients of this version read an object and drop anything else.",
        fix: "Wrap the value in an object, for example `{\"result\": …}`.",
        since: "2025-06-18",
        until: "2025-11-25",
        spec: "Tools: structured content" => "2025-11-25/server/tools#structured-content";
    MISSING_STRUCTURED_CONTENT = "missing-structured-content", Error,
        "The tool declares an output schema, and its result has no `structuredContent`.",
        why: "Clients that rely on the output schema treat the result as an error.",
        fix: "Return `structuredContent` that conforms to the schema, or do not declare an output schema.",
        since: "2025-06-18",
        spec: "Tools: output schema" => "2025-11-25/server/tools#output-schema";
    NONCONFORMING_STRUCTURED_CONTENT = "nonconforming-structured-content", Error,
        "`structuredContent` does not conform to the output schema: {problem}.",
        why: "Clients that check the result by the schema treat it as an error.",
        fix: "Return what the output schema says, or correct the schema.",
        since: "2025-06-18",
        spec: "Tools: output schema" => "2025-11-25/server/tools#output-schema";
    NONCONFORMING_FORMAT = "nonconforming-format", Warning(Heuristic),
        "A value of `structuredContent` is not of the `format` in the output schema: {problem}.",
        why: "JSON Schema takes `format` for an annotation, but some clients check it and treat the result as an error.",
        fix: "Return the value in this format, or leave `format` out of the schema.",
        since: "2025-06-18",
        spec: "Tools: output schema" => "2025-11-25/server/tools#output-schema";
    BAD_CONTENT_BLOCK = "bad-content-block", Error,
        "This content block cannot be read: {problem}.",
        why: "The client shows nothing in place of this block.",
        fix: "Send the block with the members and types of the schema.",
        spec: "Tools: tool result" => "2025-11-25/server/tools#tool-result";
    UNKNOWN_CONTENT_TYPE = "unknown-content-type", Error,
        "The content type `{type}` is unknown.",
        why: "Clients drop content of types that they do not know, so the model does not get it.",
        fix: "Use a content type of the protocol version in use.",
        spec: "Tools: tool result" => "2025-11-25/server/tools#tool-result";
    MISSING_CONTENT_MEMBER = "missing-content-member", Error,
        "The content has no `{member}`.",
        why: "The client cannot show this content.",
        fix: "Send all members that the schema demands.",
        spec: "Tools: tool result" => "2025-11-25/server/tools#tool-result";
    BAD_CONTENT_MEMBER = "bad-content-member", Error,
        "`{member}` is not a string.",
        why: "The client cannot show this content.",
        fix: "Send the member as a string.",
        spec: "Tools: tool result" => "2025-11-25/server/tools#tool-result";
    EMPTY_RESOURCE = "empty-resource", Error,
        "The resource has neither `text` nor `blob`.",
        why: "There is nothing to show or to give to a model.",
        fix: "Send `text`, which may be empty, or `blob`.",
        spec: "Resources: resource contents" => "2025-11-25/server/resources#resource-contents";
    NO_CONTENTS = "no-contents", Warning(Heuristic),
        "Reading the resource gave an empty list of `contents`; for a resource that does not exist it is an error.",
        why: "Clients show an empty resource where there is none.",
        fix: "Answer with the error -32602 where there is no such resource.",
        since: "2026-07-28",
        spec: "Resources: error handling" => "2026-07-28/server/resources#error-handling";
    NOT_FOUND_CODE = "not-found-code", Warning(Heuristic),
        "The error seems to say that there is no such resource, and has the code {code} and not {expected}.",
        why: "Clients tell by the code that a resource is gone and take it off their lists.",
        fix: "Send -32602 from version 2026-07-28 on, and -32002 before.",
        spec: "Resources: error handling" => "2025-11-25/server/resources#error-handling";
    REFUSED_ARGUMENTS = "refused-arguments", Warning,
        "The arguments do not conform to the input schema, and the server answered with the error {code} in place of a result with `isError`.",
        why: "Models see results, and seldom errors of the protocol, so the model cannot correct its arguments.",
        fix: "Answer with a result whose `isError` is true and whose text says what is wrong.",
        since: "2025-11-25",
        spec: "Tools: error handling" => "2025-11-25/server/tools#error-handling";
    DIFFERENT_MIME_TYPE = "different-mime-type", Info,
        "The {source} says `{listed}`, and reading gave `{read}`.",
        why: "Clients choose by the list how to show a resource, and choose wrongly.",
        fix: "Declare in the list what reading returns.",
        spec: "Resources: data types" => "2025-11-25/server/resources#data-types";
    DIFFERENT_SIZE = "different-size", Info,
        "The {source} says {listed} bytes, and reading gave {read}.",
        why: "Clients estimate by the list whether a resource fits, and estimate wrongly.",
        fix: "Update the size when the resource changes, or leave it out.",
        spec: "Resources: data types" => "2025-11-25/server/resources#data-types";
    LONE_SURROGATE = "lone-surrogate", Warning,
        "`{member}` contains a lone surrogate.",
        why: "It is no valid text: some JSON libraries reject the whole message.",
        fix: "Cut texts between characters, not inside of them.",
        spec: "JSON: string and character issues" => "https://www.rfc-editor.org/rfc/rfc8259#section-8.2";
    BAD_BASE64 = "bad-base64", Error,
        "`{member}` is not valid Base64: {problem}.",
        why: "Clients cannot decode the data, so there is nothing to show.",
        fix: "Encode the bytes as standard Base64 with padding, without line breaks or a `data:` prefix.",
        spec: "Tools: image content" => "2025-11-25/server/tools#image-content";
    WRONG_MIME_TYPE = "wrong-mime-type", Warning,
        "`{mime_type}` is not a type of {family}.",
        why: "Clients choose by it how to show the data and what to tell the model, and choose wrongly.",
        fix: "Send the MIME type of the data.",
        spec: "Tools: tool result" => "2025-11-25/server/tools#tool-result";
    HINTS_ON_INPUT_REQUIRED = "hints-on-input-required", Warning,
        "The result asks for input and has hints for caching.",
        why: "A question must not be kept: it is part of one request.",
        fix: "Send `ttlMs` and `cacheScope` with complete results only.",
        since: "2026-07-28",
        spec: "Caching" => "2026-07-28/server/utilities/caching";
    MISSING_TEXT = "missing-text", Warning,
        "The result has `structuredContent` and no text beside it.",
        why: "Clients without structured content show nothing, and the model gets nothing.",
        fix: "Add the same as JSON in a text block.",
        since: "2025-06-18",
        spec: "Tools: structured content" => "2025-11-25/server/tools#structured-content";
    UNEXPLAINED_ERROR = "unexplained-error", Warning,
        "The tool reports a failure and does not say what went wrong.",
        why: "Neither a model nor its user can do better the next time.",
        fix: "Say in a text block what went wrong and what would help.",
        spec: "Tools: error handling" => "2025-11-25/server/tools#error-handling";
    AUDIO_TOO_NEW = "audio-too-new", Error,
        "This protocol version has no content of the type `audio`.",
        why: "Clients of this version do not know it and may drop the whole result.",
        fix: "Send audio only where the negotiated version has it.",
        until: "2024-11-05",
        spec: "Tools: tool result" => "2025-11-25/server/tools#tool-result";
    RESOURCE_LINK_TOO_NEW = "resource-link-too-new", Error,
        "This protocol version has no content of the type `resource_link`.",
        why: "Clients of this version do not know it and may drop the whole result.",
        fix: "Send links only where the negotiated version has them; an embedded resource is known to all.",
        until: "2025-03-26",
        spec: "Tools: tool result" => "2025-11-25/server/tools#tool-result";
    OTHER_MEDIA = "other-media", Warning,
        "The type is `{mime_type}`, and the data is {found}.",
        why: "Clients choose by the type how to show the data, so it may not be shown.",
        fix: "Send the MIME type of the data.",
        spec: "Tools: image content" => "2025-11-25/server/tools#image-content";
    TEXT_AND_BLOB = "text-and-blob", Error,
        "The resource has both `text` and `blob`.",
        why: "It is open which of them is the resource, and clients decide differently.",
        fix: "Send `text` for what is text, and `blob` for anything else.",
        spec: "Resources: resource contents" => "2025-11-25/server/resources#resource-contents";
    COMPLETION_MORE = "completion-more", Info,
        "`hasMore` is false, though `total` is {total} and there are {count} values.",
        why: "The user is not told that there are more suggestions.",
        fix: "Set `hasMore` to true, or correct `total`.",
        spec: "Completion: completion results" => "2025-11-25/server/utilities/completion#completion-results";
}
