//! Lists of tools, resources, resource templates and prompts, and their items.

rules! {
    NOT_AN_OBJECT = "not-an-object", Error, "Item {item} on page {page} of the list is not an object.",
        "Pagination: response format" => "2025-11-25/server/utilities/pagination#response-format";
    REPEATED_CURSOR = "repeated-cursor", Error,
        "The server sent the same `nextCursor` twice; the list ends here to avoid an endless loop.",
        "Pagination: pagination flow" => "2025-11-25/server/utilities/pagination#pagination-flow";
    BAD_CURSOR = "bad-cursor", Error, "`nextCursor` is not a string; the list ends here.",
        "Pagination: response format" => "2025-11-25/server/utilities/pagination#response-format";
    EMPTY_CURSOR = "empty-cursor", Warning,
        "`nextCursor` is an empty string; it is read as the end of the list.",
        "Pagination: response format" => "2025-11-25/server/utilities/pagination#response-format";
    TOO_MANY_PAGES = "too-many-pages", Warning,
        "The list has more than {limit} pages; the rest was not read.";
    MISSING_NAME = "missing-name", Error, "The {item} has no `name`.",
        "Schema reference: BaseMetadata" => "2025-11-25/schema#basemetadata";
    BAD_NAME = "bad-name", Error, "`name` is not a string.",
        "Schema reference: BaseMetadata" => "2025-11-25/schema#basemetadata";
    MISSING_URI = "missing-uri", Error, "The resource has no `uri`.",
        "Resources: data types" => "2025-11-25/server/resources#data-types";
    BAD_URI = "bad-uri", Error, "`uri` is not a string.",
        "Resources: data types" => "2025-11-25/server/resources#data-types";
    MISSING_URI_TEMPLATE = "missing-uri-template", Error, "The resource template has no `uriTemplate`.",
        "Resources: resource templates" => "2025-11-25/server/resources#resource-templates";
    BAD_URI_TEMPLATE = "bad-uri-template", Error, "`uriTemplate` is not a string.",
        "Resources: resource templates" => "2025-11-25/server/resources#resource-templates";
    INVALID_URI_TEMPLATE = "invalid-uri-template", Error,
        "`uriTemplate` is not a URI template: {problem}.",
        "Resources: resource templates" => "2025-11-25/server/resources#resource-templates";
    DUPLICATE_NAME = "duplicate-name", Warning, "Another {item} has the same name `{key}`.",
        "Tools: tool names" => "2025-11-25/server/tools#tool-names";
    DUPLICATE_URI = "duplicate-uri", Warning, "Another resource has the same URI `{key}`.",
        "Resources: data types" => "2025-11-25/server/resources#data-types";
    DUPLICATE_URI_TEMPLATE = "duplicate-uri-template", Warning,
        "Another resource template is the same `{key}`.",
        "Resources: resource templates" => "2025-11-25/server/resources#resource-templates";
    BAD_ARGUMENT = "bad-argument", Error, "Argument {number} is not an object.",
        "Prompts: data types" => "2025-11-25/server/prompts#data-types";
    MISSING_INPUT_SCHEMA = "missing-input-schema", Error, "The tool has no `inputSchema`.",
        "Tools: tool" => "2025-11-25/server/tools#tool";
    BAD_SCHEMA = "bad-schema", Error, "`{member}` is not an object.",
        "Tools: tool" => "2025-11-25/server/tools#tool";
    SCHEMA_NOT_OBJECT = "schema-not-object", Error,
        "`{member}` does not say \"type\": \"object\".",
        "Tools: tool" => "2025-11-25/server/tools#tool";
    BAD_TYPE = "bad-type", Error, "`{member}` is not {expected}.",
        "Schema reference" => "2025-11-25/schema";
    INVALID_X_MCP_HEADER = "invalid-x-mcp-header", Error,
        "Clients must not call this tool over HTTP: {problem}.",
        "Tools: x-mcp-header" => "2026-07-28/server/tools#x-mcp-header";
}
