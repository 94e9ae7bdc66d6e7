//! Lists of tools, resources, resource templates and prompts, and their items.

rules! {
    NOT_AN_OBJECT = "not-an-object", Error, "Item {item} on page {page} of the list is not an object.",
        "Pagination: response format" => "2025-11-25/server/utilities/pagination#response-format";
    REPEATED_CURSOR = "repeated-cursor", Error,
        "The server sent the same `nextCursor` twice; reading on would never end.",
        "Pagination: pagination flow" => "2025-11-25/server/utilities/pagination#pagination-flow";
    BAD_CURSOR = "bad-cursor", Error, "`nextCursor` is not a string; the list ends here.",
        "Pagination: response format" => "2025-11-25/server/utilities/pagination#response-format";
    EMPTY_CURSOR = "empty-cursor", Warning,
        "`nextCursor` is an empty string; it is read as the end of the list.",
        "Pagination: response format" => "2025-11-25/server/utilities/pagination#response-format";
    TOO_MANY_PAGES = "too-many-pages", Warning,
        "The list has more than {limit} pages; the rest was not read.";
    BAD_PAGE = "bad-page", Error, "Page {page} of the list cannot be read: {problem}.",
        "Pagination: response format" => "2025-11-25/server/utilities/pagination#response-format";
    MISSING_NAME = "missing-name", Error, "There is no `{member}`.",
        "Tools: data types" => "2025-11-25/server/tools#data-types";
    BAD_NAME = "bad-name", Error, "`{member}` is not a string.",
        "Tools: data types" => "2025-11-25/server/tools#data-types";
    DUPLICATE_NAME = "duplicate-name", Warning, "Another item of the list is called `{name}` too.",
        "Tools: tool names" => "2025-11-25/server/tools#tool-names";
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
