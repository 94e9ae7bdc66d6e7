//! Lists of tools, resources, resource templates and prompts, and their items.

rules! {
    NOT_AN_OBJECT = "not-an-object", Error,
        "Item {item} on page {page} of the list is not an object.",
        why: "A client cannot show this item, and a strict one drops the whole list.",
        fix: "Send every item as an object.",
        spec: "Pagination: response format" => "2025-11-25/server/utilities/pagination#response-format";
    REPEATED_CURSOR = "repeated-cursor", Error,
        "The server sent the same `nextCursor` twice; the list ends here to avoid an endless loop.",
        why: "A client that follows every cursor never ends reading the list.",
        fix: "Make each page's cursor point behind its last item, and leave `nextCursor` out on the last page.",
        spec: "Pagination: pagination flow" => "2025-11-25/server/utilities/pagination#pagination-flow";
    BAD_CURSOR = "bad-cursor", Error,
        "`nextCursor` is not a string; the list ends here.",
        why: "The client cannot ask for the next page, so the rest of the list is missing.",
        fix: "Send `nextCursor` as a string, or leave it out.",
        spec: "Pagination: response format" => "2025-11-25/server/utilities/pagination#response-format";
    EMPTY_CURSOR = "empty-cursor", Warning,
        "`nextCursor` is an empty string; it is read as the end of the list.",
        why: "Some clients ask for the next page with it and read the first page again.",
        fix: "Leave `nextCursor` out on the last page.",
        until: "2025-11-25",
        spec: "Pagination: response format" => "2025-11-25/server/utilities/pagination#response-format";
    LIST_ORDER_CHANGES = "list-order-changes", Warning,
        "The list has the same items as at the reading before, in another order.",
        why: "Models are given the list in its order: a different order misses the prompt cache and is paid for again.",
        fix: "List the items in the same order each time.",
        since: "2026-07-28",
        spec: "Tools: listing tools" => "2026-07-28/server/tools#listing-tools";
    UNANNOUNCED_CHANGE = "unannounced-change", Warning(Heuristic),
        "The list differs from the reading before, and the server has not said so ({what}).",
        why: "Clients that wait to be told go on with what they have read.",
        fix: "Send the notification that the list has changed, as `listChanged` promises.",
        spec: "Tools: list changed notification" => "2025-11-25/server/tools#list-changed-notification";
    TOO_MANY_PAGES = "too-many-pages", Warning,
        "The list has more than {limit} pages; the rest was not read.",
        why: "Clients stop reading, so users never see what comes later.",
        fix: "Put more items on each page.",
        group: Limits;
    MISSING_NAME = "missing-name", Error,
        "The {item} has no `name`.",
        why: "Clients address items by name, so this one cannot be used.",
        fix: "Add a `name`.",
        spec: "Schema reference" => "2025-11-25/schema";
    BAD_NAME = "bad-name", Error,
        "`name` is not a string.",
        why: "Clients address items by name, so this one cannot be used.",
        fix: "Send `name` as a string.",
        spec: "Schema reference" => "2025-11-25/schema";
    MISSING_URI = "missing-uri", Error,
        "The resource has no `uri`.",
        why: "A resource is read by its URI, so this one cannot be read.",
        fix: "Add the `uri`.",
        spec: "Resources: data types" => "2025-11-25/server/resources#data-types";
    BAD_URI = "bad-uri", Error,
        "`uri` is not a string.",
        why: "A resource is read by its URI, so this one cannot be read.",
        fix: "Send `uri` as a string.",
        spec: "Resources: data types" => "2025-11-25/server/resources#data-types";
    MISSING_URI_TEMPLATE = "missing-uri-template", Error,
        "The resource template has no `uriTemplate`.",
        why: "Clients make URIs from it, so the template cannot be used.",
        fix: "Add the `uriTemplate`.",
        spec: "Resources: resource templates" => "2025-11-25/server/resources#resource-templates";
    BAD_URI_TEMPLATE = "bad-uri-template", Error,
        "`uriTemplate` is not a string.",
        why: "Clients make URIs from it, so the template cannot be used.",
        fix: "Send `uriTemplate` as a string.",
        spec: "Resources: resource templates" => "2025-11-25/server/resources#resource-templates";
    INVALID_URI_TEMPLATE = "invalid-uri-template", Error,
        "`uriTemplate` is not a URI template: {problem}.",
        why: "Clients cannot make a URI from it.",
        fix: "Write it by RFC 6570, for example `file:///{path}`.",
        spec: "Resources: resource templates" => "2025-11-25/server/resources#resource-templates";
    DUPLICATE_NAME = "duplicate-name", Warning,
        "Another item in the list has the same name, `{key}`.",
        why: "A client can address only one of them, and which one differs between clients.",
        fix: "Give each item a name of its own, over all pages.",
        spec: "Tools: tool" => "2025-11-25/server/tools#tool";
    DUPLICATE_URI = "duplicate-uri", Warning,
        "Another resource has the same URI `{key}`.",
        why: "The URI is what a resource is known by, so clients show one resource twice or drop one.",
        fix: "List each resource once, over all pages.",
        spec: "Resources: data types" => "2025-11-25/server/resources#data-types";
    DUPLICATE_URI_TEMPLATE = "duplicate-uri-template", Warning,
        "Another resource template is the same `{key}`.",
        why: "Clients show the same template twice, or drop one of them.",
        fix: "List each template once, over all pages.",
        spec: "Resources: resource templates" => "2025-11-25/server/resources#resource-templates";
    BAD_ARGUMENT = "bad-argument", Error,
        "Argument {number} is not an object.",
        why: "Clients cannot ask for this argument.",
        fix: "Send each argument as an object with a `name`.",
        spec: "Prompts: data types" => "2025-11-25/server/prompts#data-types";
    MISSING_INPUT_SCHEMA = "missing-input-schema", Error,
        "The tool has no `inputSchema`.",
        why: "A model does not know which arguments to send, and most clients drop the tool.",
        fix: "Add an `inputSchema`; for a tool without arguments that is `{\"type\": \"object\"}`.",
        spec: "Tools: tool" => "2025-11-25/server/tools#tool";
    BAD_SCHEMA = "bad-schema", Error,
        "`{member}` is not an object.",
        why: "Clients make forms and checks from it, and drop the tool when they cannot read it.",
        fix: "Send a JSON Schema object.",
        spec: "Tools: tool" => "2025-11-25/server/tools#tool";
    SCHEMA_NOT_OBJECT = "schema-not-object", Error,
        "`{member}` does not say \"type\": \"object\".",
        why: "Arguments are an object, and most clients drop a tool whose schema says anything else.",
        fix: "Add `\"type\": \"object\"` to the root of the schema.",
        spec: "Tools: tool" => "2025-11-25/server/tools#tool";
    INVALID_SCHEMA = "invalid-schema", Error,
        "The schema in `{member}` cannot be used: {problem}.",
        why: "Clients cannot check arguments or results with it, and models and forms may be misled by it.",
        fix: "Correct the schema so that it is valid in its dialect, which is 2020-12 without a `$schema`.",
        spec: "Tools: tool" => "2025-11-25/server/tools#tool";
    BAD_TYPE = "bad-type", Error,
        "`{member}` is not {expected}.",
        why: "Clients that check types drop the item, the others ignore the member.",
        fix: "Send the member with the type of the schema, or leave it out.",
        spec: "Schema reference" => "2025-11-25/schema";
    INVALID_X_MCP_HEADER = "invalid-x-mcp-header", Error,
        "Clients must not call this tool over HTTP: {problem}.",
        why: "Clients must leave this tool out over HTTP, so it cannot be called.",
        fix: "Correct the `x-mcp-header` values in the input schema, or remove them.",
        since: "2026-07-28",
        spec: "Tools: x-mcp-header" => "2026-07-28/server/tools#x-mcp-header";
    TOOL_NAME_FORMAT = "tool-name-format", Warning,
        "The name {problem}; it should be 1 to 128 of the characters `A-Z`, `a-z`, `0-9`, `_`, `-` and `.`.",
        why: "Clients pass the name on to the APIs of models, which reject other names.",
        fix: "Rename the tool, and keep the old text as its `title`.",
        since: "2025-11-25",
        spec: "Tools: tool names" => "2025-11-25/server/tools#tool-names";
    MISSING_DESCRIPTION = "missing-description", Info,
        "The tool has no description.",
        why: "A model decides by the description when to call a tool.",
        fix: "Say in one or two sentences what the tool does and when to use it.",
        group: Clarity,
        spec: "Tools: tool" => "2025-11-25/server/tools#tool";
    CONTRADICTING_HINTS = "contradicting-hints", Info,
        "The tool is both `readOnlyHint` and `destructiveHint`.",
        why: "Clients decide by these hints whether they ask the user before a call; `destructiveHint` means nothing for a tool that only reads.",
        fix: "Set only the one that is true.",
        group: Clarity,
        since: "2025-03-26",
        spec: "Schema reference: ToolAnnotations" => "2025-11-25/schema#toolannotations";
    EMPTY_RANGE = "empty-range", Warning,
        "`{place}` of `{member}` allows no value: {low} is above {high}.",
        why: "Clients that check arguments refuse every call, and a model cannot find a value.",
        fix: "Correct one of the two limits.",
        group: Clarity;
    IMPOSSIBLE_DEFAULT = "impossible-default", Warning,
        "The default at `{place}` of `{member}` is not a value that the schema allows.",
        why: "Forms fill it in and models repeat it, and the call is refused.",
        fix: "Use a default that the schema allows, or leave it out.",
        group: Clarity;
    SECRET_PARAM_HEADER = "secret-param-header", Warning(Heuristic),
        "The parameter `{name}` looks like a secret, and is to be repeated in a header.",
        why: "Proxies and gateways write headers to their logs.",
        fix: "Remove `x-mcp-header` from parameters with secrets.",
        since: "2026-07-28",
        spec: "Tools: x-mcp-header" => "2026-07-28/server/tools#x-mcp-header";
    EXTERNAL_REF = "external-ref", Error,
        "`{member}` refers to `{reference}`, which is not in it.",
        why: "Clients do not fetch parts of a schema, so they cannot check or show what it describes.",
        fix: "Put the schema into `$defs` and refer to it there.",
        since: "2026-07-28",
        spec: "Tools: tool" => "2026-07-28/server/tools";
    UNKNOWN_DIALECT = "unknown-dialect", Warning,
        "`{member}` declares the dialect `{dialect}`, which Sonde does not know.",
        why: "A client that does not know the dialect cannot check arguments or results.",
        fix: "Write the schema in JSON Schema 2020-12, and leave `$schema` out.",
        since: "2025-11-25",
        spec: "Base protocol: JSON Schema usage" => "2025-11-25/basic#json-schema-usage";
    INVALID_URI = "invalid-uri", Error,
        "`uri` is not a URI: {problem}.",
        why: "Clients that parse the URI cannot read the resource.",
        fix: "Write an absolute URI by RFC 3986, with other characters percent-encoded.",
        spec: "Resources: common URI schemes" => "2025-11-25/server/resources#common-uri-schemes";
    BAD_ANNOTATION = "bad-annotation", Error,
        "`{member}` is {value}; it must be {expected}.",
        why: "Clients that check values drop the annotation or the whole item.",
        fix: "Send a value of the schema, or leave the annotation out.",
        spec: "Schema reference: Annotations" => "2025-11-25/schema#annotations";
    BAD_LAST_MODIFIED = "bad-last-modified", Warning,
        "`{member}` is {value}, which is no time by ISO 8601.",
        why: "Clients cannot sort or show the time.",
        fix: "Send a time like `2025-01-12T15:00:58Z`.",
        since: "2025-06-18",
        spec: "Schema reference: Annotations" => "2025-11-25/schema#annotations";
    BAD_ICON = "bad-icon", Error,
        "Icon {number} cannot be used: {problem}.",
        why: "Clients show no icon, or drop the item.",
        fix: "Send `src` with an https or data URI.",
        since: "2025-11-25",
        spec: "Base protocol: icons" => "2025-11-25/basic#icons";
    ODD_ICON = "odd-icon", Warning,
        "Icon {number}: {problem}.",
        why: "Clients choose an icon by its sizes and theme, and choose wrongly or ignore them.",
        fix: "Send `sizes` as an array of texts like `48x48` or `any`, and `theme` as `light` or `dark`.",
        since: "2025-11-25",
        spec: "Base protocol: icons" => "2025-11-25/basic#icons";
    INSECURE_ICON = "insecure-icon", Info,
        "Icon {number} is fetched by http.",
        why: "Many clients load icons by https only, so they do not show it.",
        fix: "Use an https or data URI.",
        since: "2025-11-25",
        spec: "Base protocol: icons" => "2025-11-25/basic#icons";
    BAD_CACHE_HINTS = "bad-cache-hints", Error,
        "The result {problem}.",
        why: "Clients cannot tell how long they may keep the result, and for whom.",
        fix: "Send `ttlMs` as a whole number of milliseconds, which may be 0, and `cacheScope` as `public` or `private`.",
        since: "2026-07-28",
        spec: "Caching" => "2026-07-28/server/utilities/caching";
    DIFFERENT_CACHE_SCOPES = "different-cache-scopes", Error,
        "The pages of the list have different values of `cacheScope`.",
        why: "A client that keeps the list may show one user what only another may see.",
        fix: "Send the same `cacheScope` with every page.",
        since: "2026-07-28",
        spec: "Caching" => "2026-07-28/server/utilities/caching";
    HIDDEN_CHARACTERS = "hidden-characters", Warning(Heuristic),
        "The text contains the invisible character {character}.",
        why: "A model reads text that users and reviewers do not see.",
        fix: "Remove the character.",
        group: Trust;
    BIDIRECTIONAL_CONTROLS = "bidirectional-controls", Warning(Heuristic),
        "The text contains the control character {character}, which changes the direction of text.",
        why: "Users and reviewers see the text in another order than a model reads it.",
        fix: "Remove the character.",
        group: Trust;
    INSTRUCTION_LIKE_TEXT = "instruction-like-text", Warning(Heuristic),
        "The text contains “{text}”, which reads like a hidden instruction to a model.",
        why: "Such text is how tool poisoning makes a model act against its user.",
        fix: "Say what the server or the item does, without telling the model what to ignore or to hide.",
        group: Trust;
    COMMENT_IN_DESCRIPTION = "comment-in-description", Warning(Heuristic),
        "The description contains an HTML comment.",
        why: "Where a description is shown as Markdown, users and reviewers do not see a comment, and a model reads it.",
        fix: "Say it openly, or remove it.",
        group: Trust;
    HTML_IN_DESCRIPTION = "html-in-description", Info(Heuristic),
        "The description contains HTML: `{text}`.",
        why: "Clients show descriptions as plain text or Markdown, and HTML can hide text from users.",
        fix: "Write plain text or Markdown.",
        group: Trust;
}
