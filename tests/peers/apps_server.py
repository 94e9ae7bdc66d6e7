"""A server of the Python SDK with an app, over stdio in both eras. The definition of the tool, the resource of the app
and what the client declared of apps are the SDK's own code (`mcp.server.apps`); the pages are not part of it. The second app does as that of
the SDK's example: it is a page that shows something and never speaks to its host."""

from mcp.server import MCPServer
from mcp.server.apps import Apps, client_supports_apps
from mcp.server.mcpserver import Context

PAGE = "ui://tides/page.html"
HTML = """<!doctype html>
<meta charset="utf-8">
<title>Tides</title>
<p id="tide">No tide yet</p>
<script>
  const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  addEventListener("message", ({ data }) => {
    if (data?.id === 1 && data.result) send({ method: "ui/notifications/initialized" });
    if (data?.method === "ui/notifications/tool-result") tide.textContent = data.params.content[0].text;
  });
  const params = { protocolVersion: "2026-01-26", appInfo: { name: "Tides", version: "1" }, appCapabilities: {} };
  send({ id: 1, method: "ui/initialize", params });
</script>
"""

apps = Apps()


@apps.tool(resource_uri=PAGE, title="Next tide")
def next_tide(ctx: Context) -> str:
    if client_supports_apps(ctx):
        return "High water at noon"
    return "High water at noon, for a client without apps"



@apps.tool(resource_uri="ui://tides/clock.html", title="Tide clock")
def tide_clock() -> str:
    return "The tide turns at six"


apps.add_html_resource("ui://tides/clock.html", "<!doctype html><title>Clock</title><h1 id=clock>Six</h1>", title="Clock")
apps.add_html_resource(PAGE, HTML, title="Tides", prefers_border=True)

if __name__ == "__main__":
    MCPServer("tides", extensions=[apps]).run()
