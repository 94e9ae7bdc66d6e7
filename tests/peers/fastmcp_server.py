"""A server made with FastMCP: tools with structured results, progress, log messages and questions, resources, a
template and prompts. Over stdio, or over Streamable HTTP where `PORT` is set."""

import os
from dataclasses import dataclass
from typing import Annotated, Literal

from fastmcp import Context, FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.utilities.types import Image
from mcp_types import Icon
from pydantic import BaseModel, Field

mcp = FastMCP(
    "Harbour",
    instructions="Tides and moorings of one harbour.",
    version="1.0.0",
    icons=[Icon(src="data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=", mime_type="image/svg+xml")],
)


class Tide(BaseModel):
    """What the water does at an hour."""

    hour: int
    metres: float
    rising: bool


@dataclass
class Boat:
    name: str
    length: float


@mcp.tool(annotations={"readOnlyHint": True, "title": "Tide"}, tags={"water"})
def tide(hour: Annotated[int, Field(description="Hour of the day", ge=0, le=23)] = 12) -> Tide:
    """Says how high the water is at an hour of today."""
    return Tide(hour=hour, metres=2.5 + hour % 12 / 4, rising=hour % 12 < 6)


@mcp.tool
def tides() -> list[Tide]:
    """Says how high the water is at each hour of today."""
    return [tide(hour) for hour in range(24)]


@mcp.tool
async def moor(boat: Boat, ctx: Context, side: Literal["port", "starboard"] = "port") -> str:
    """Moors a boat, with progress and log messages on the way."""
    for step in range(3):
        await ctx.report_progress(step + 1, 3, f"line {step + 1}")
        await ctx.info(f"{boat.name}: line {step + 1} on the {side} side")
    return f"{boat.name} is moored"


@mcp.tool
async def ask(ctx: Context) -> str:
    """Asks the user how long the boat is."""
    answer = await ctx.elicit("How long is the boat, in metres?", response_type=float)
    return f"{answer.action}"


@mcp.tool
def chart() -> Image:
    """Draws the chart of the harbour: one red point."""
    point = (
        "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8cfc0000003010100"
        "c9fe92ef0000000049454e44ae426082"
    )
    return Image(data=bytes.fromhex(point), format="png")


@mcp.tool
def sink() -> str:
    """Fails."""
    raise ToolError("The boat does not sink.")


@mcp.tool
def nothing() -> None:
    """Answers nothing at all."""


@mcp.resource("harbour://rules", mime_type="text/markdown")
def rules() -> str:
    """What holds in the harbour."""
    return "# Rules\n\nThree knots at most."


@mcp.resource("harbour://berths", mime_type="application/json")
def berths() -> dict:
    """Which berths there are."""
    return {"berths": [1, 2, 3]}


@mcp.resource("harbour://berths/{number}")
def berth(number: int) -> str:
    """Who lies at a berth."""
    return f"Berth {number} is empty."


@mcp.prompt
def hail(vessel: str, politely: bool = True) -> str:
    """Calls a vessel over the radio."""
    return f"{vessel}, {vessel}, this is the harbour{', good day' if politely else ''}."


@mcp.prompt
def watch() -> list:
    """Asks for a summary of the watch."""
    return ["What happened in the last watch?"]


if __name__ == "__main__":
    port = os.environ.get("PORT")
    if port is None:
        mcp.run(show_banner=False)
    else:
        mcp.run(transport="http", host="127.0.0.1", port=int(port), show_banner=False)
