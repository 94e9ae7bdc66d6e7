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
    TOO_MANY_PAGES = "too-many-pages", Warning,
        "The list has more than {limit} pages; the rest was not read.",
        why: "Clients stop reading, so users never see what comes later.",
        fix: "Put more items on each page.";
    MISSING_NAME = "missing-name", Error,
        "The {item} has no `name`.",
        why: "Clients address items by name, so this one cannot be used.",
        fix: "Add a `name`.",
        spec: "Schema reference: BaseMetadata" => "2025-11-25/schema#basemetadata";
    BAD_NAME = "bad-name", Error,
        "`name` is not a string.",
        why: "Clients address items by name, so this one cannot be used.",
        fix: "Send `name` as a string.",
        spec: "Schema reference: BaseMetadata" => "2025-11-25/schema#basemetadata";
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
        "Another {item} has the same name `{key}`.",
        why: "A client can address only one of them, and which one differs between clients.",
        fix: "Give each item a name of its own, over all pages.",
        spec: "Tools: tool names" => "2025-11-25/server/tools#tool-names";
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
}
