"""A server as the documentation of the Python SDK makes one: tools with plain and with structured results, a resource, a
template and a prompt. Over stdio."""

from mcp.server import MCPServer
from pydantic import BaseModel, Field

mcp = MCPServer("Quickstart")


class Weather(BaseModel):
    """What the weather is like."""

    temperature: float = Field(description="In degrees Celsius.")
    condition: str = Field(description="In one word.")


@mcp.tool()
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@mcp.tool()
def weather(city: str) -> Weather:
    """Tell the weather of a city."""
    return Weather(temperature=12.5, condition=f"foggy in {city}")


@mcp.tool()
def fail() -> str:
    """Fail each time."""
    raise ValueError("There is no harbour.")


@mcp.resource("config://settings")
def settings() -> str:
    """The settings of the server."""
    return '{"theme": "dark"}'


@mcp.resource("greeting://{name}")
def greeting(name: str) -> str:
    """A greeting for somebody."""
    return f"Hello, {name}!"


@mcp.prompt()
def review(code: str) -> str:
    """Ask for a review of code."""
    return f"Please review this code:\n\n{code}"


if __name__ == "__main__":
    mcp.run()
