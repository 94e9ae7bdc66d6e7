//! The extension MCP Apps, `io.modelcontextprotocol/ui`, in its version of 2026-01-26. It has versions of its own,
//! so its rules apply in every version of the protocol.

rules! {
    APP_URI = "app-uri", Error,
        "`_meta.ui.resourceUri` is not a URI with the scheme `ui`.",
        why: "Hosts look for an app under a `ui://` URI only, so this tool has none.",
        fix: "Name a resource whose URI begins with `ui://`.",
        spec: "MCP Apps: UI resource format" => "https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#ui-resource-format";
    APP_VISIBILITY = "app-visibility", Error,
        "`_meta.ui.visibility` is not a list of `model` and `app`.",
        why: "Hosts cannot tell who may call the tool, and may let neither.",
        fix: "List `model`, `app` or both, or leave `visibility` out for both.",
        spec: "MCP Apps: resource discovery" => "https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#resource-discovery";
    APP_FLAT_URI = "app-flat-uri", Warning,
        "The tool names its app with `_meta[\"ui/resourceUri\"]`, which is deprecated.",
        why: "Newer hosts do not read this key and show no app.",
        fix: "Name the resource in `_meta.ui.resourceUri`.",
        spec: "MCP Apps: resource discovery" => "https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#resource-discovery";
    APP_MIME_TYPE = "app-mime-type", Error,
        "The app's `mimeType` is {found} and not `text/html;profile=mcp-app`.",
        why: "Hosts show nothing else as an app.",
        fix: "Send `text/html;profile=mcp-app` as the `mimeType` of the contents.",
        spec: "MCP Apps: content requirements" => "https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#content-requirements";
    APP_NO_CONTENT = "app-no-content", Error,
        "Reading `{uri}` gave no contents with this URI that have HTML in `text` or `blob`.",
        why: "There is no page that a host could show.",
        fix: "Answer with one of the contents under the URI that was asked for, and put the HTML into its `text`.",
        spec: "MCP Apps: content requirements" => "https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#content-requirements";
    APP_NOT_HTML = "app-not-html", Warning(Heuristic),
        "The app does not begin with `<!doctype html>`.",
        why: "Without it, browsers lay out the page in quirks mode, and a host may not recognise it as HTML5.",
        fix: "Begin the page with `<!doctype html>`.",
        spec: "MCP Apps: content requirements" => "https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#content-requirements";
    APP_CSP_SOURCE = "app-csp-source", Error,
        "`_meta.ui.csp.{member}` names `{source}`, which is not an origin; it is left out.",
        why: "A host cannot allow it, and one that copies it unread into a header opens more than was declared.",
        fix: "Name origins such as `https://api.example.com`, `https://*.example.com` or `wss://live.example.com`.",
        spec: "MCP Apps: UI resource format" => "https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#ui-resource-format";
    APP_BAD_META = "app-bad-meta", Error,
        "`_meta.ui{member}` is not {expected}.",
        why: "Hosts cannot read what the app needs, and refuse it all.",
        fix: "Send what the specification has there, or leave it out.",
        spec: "MCP Apps: UI resource format" => "https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#ui-resource-format";
}
