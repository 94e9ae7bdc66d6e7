"""A server of the Python SDK that speaks both eras over stdio: one tool asks twice before it answers,
with a request state that the SDK seals, another one adds a tool and announces it."""

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp_types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult

server = MCPServer("rounds")


def question(key: str) -> ElicitRequest:
    schema = {"type": "object", "properties": {key: {"type": "string"}}}
    return ElicitRequest(params=ElicitRequestFormParams(message=f"Your {key}?", requested_schema=schema))


@server.tool()
async def greet(ctx: Context) -> str | InputRequiredResult:
    answers = ctx.input_responses or {}
    if ctx.request_state is None:
        return InputRequiredResult(input_requests={"name": question("name")}, request_state="begun")
    if "name" in answers:
        name = answers["name"].content["name"]
        return InputRequiredResult(input_requests={"town": question("town")}, request_state=name)
    return f"Hello {ctx.request_state} from {answers['town'].content['town']}"


async def extra() -> str:
    return "extra"


@server.tool()
async def grow(ctx: Context) -> str:
    server.add_tool(extra, name="extra")
    await ctx.notify_tools_changed()
    return "grown"


server.run(transport="stdio")
