"""A server of the Python SDK that speaks both eras over stdio: every kind of content in resources and
prompts, templates and arguments with completion, icons, and every kind of request to the client."""

import base64
import io
import json
import struct
import wave
import zlib

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.prompts.base import AssistantMessage, UserMessage
from mcp_types import (
    Annotations,
    AudioContent,
    BlobResourceContents,
    Completion,
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitRequestURLParams,
    EmbeddedResource,
    Icon,
    ImageContent,
    InputRequiredResult,
    ListRootsRequest,
    ModelHint,
    ModelPreferences,
    PromptReference,
    ResourceLink,
    SamplingMessage,
    TextContent,
    TextResourceContents,
    Tool,
    ToolChoice,
)


def png(width: int, height: int) -> bytes:
    """A red picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = b"".join(b"\0" + b"\xc0\x20\x20" * width for _ in range(height))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def sound() -> bytes:
    """A tenth of a second of silence."""
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(1)
        out.setframerate(8000)
        out.writeframes(b"\x80" * 800)
    return file.getvalue()


PICTURE = png(48, 32)
# Half a second of red: WebM with VP8, 32 x 32.
FILM = base64.b64decode(
    "GkXfo59ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQRChYECGFOAZwEAAAAAAALeEU2bdLlNu4tTq4QVSalmU6yBbk27i1OrhBZU"
    "rmtTrIGTTbuLU6uEH0O2dVOsgdRNu4xTq4QcU7trU6yCAszsrgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAVSalmoCrXsYMPQkBEiYRD/bxKTYCGQ2hyb21lV0GGQ2hyb21lFlSua7yuuteBAXPFh9Q6JGvOZJ6DgQFV7oEBhoVW"
    "X1ZQOOCdsIEguoEgU8CBAVWwkFWxgQFVuYECVbqBDVW7gQEfQ7Z1AQAAAAAAAezngQCg5aG6gQAAAHACAJ0BKiAAIAACRwiFhYiZ"
    "hIgMggHYBBZWw/BA/vdZL/4bVWVt//9Wh/6tD/1aH7hkD1RwAHWhpqak7oEBpZ8wAgCdASogACAABwcIhYWImYSIJgIAB5DzycD+"
    "8F0AoMqhqoEAZQDxAQAJEIAAGAnTyyDblHAXucD+8ZWOu8WlGv/q0P/Vof+rQ/bsAHWhmKaW7oEBpZGxAQAcETwAGAAYWC/0AAhw"
    "APuBAKDJoamBAMkA0QEACRBUABgAHlf0DABBDgD++HyzxC72Nt/+wd/+g7/9B3+nAHWhmKaW7oEBpZGxAQAcESwAGAAYWC/0AAhw"
    "APuBZaDLoauBAS4A0QEACRBEABgAHlf0DABBDgD++F9/61MjH0Yv/voB/3oB/3oB/ggAdaGYppbugQGlkbEBABwRHAAYABhYL/QA"
    "CHAA+4HJoMyhq4EBkgDRAQAJEDgAGAAeV/QMAEEOAP76mg/ugyzhpt/9zgf9zgf9zgfxIAB1oZimlu6BAaWRsQEAHBDsABgAGFgv"
    "9AAIcAD7ggEuoM6hrYEB+wARAgAJECwAGAdICCCZ8w0ARsEA/vuNS/8KtwxDNV/+hQ/oUP6FD/6CQHWhmKaW7oEBpZGxAQAcENwA"
    "GAAYWC/0AAhwAPuCAZIcU7trjbuLs4EAt4b3gQHxgdQ="
)
ICON = "data:image/png;base64," + base64.b64encode(png(16, 16)).decode()
README = "contents://readme"
CLOCK = "contents://clock"
ticks = 0

server = MCPServer(
    "contents",
    title="Every kind of content",
    version="1.0",
    website_url="https://example.com/contents",
    instructions="Read the **readme** first.",
    icons=[
        Icon(src=ICON, mime_type="image/png", sizes=["16x16"]),
        Icon(src="https://example.com/icon.png", mime_type="image/png", sizes=["48x48"]),
    ],
)


@server.resource(
    README,
    name="readme",
    title="Read me",
    description="What this is.",
    mime_type="text/markdown",
    icons=[Icon(src=ICON, mime_type="image/png", sizes=["16x16"])],
    annotations=Annotations(audience=["user"], priority=0.9),
    meta={"example.com/shelf": 7},
)
def readme() -> str:
    return "# Read me\n\nThis has **every kind** of content.\n"


@server.resource("contents://towns.json", name="towns", mime_type="application/json")
def towns() -> dict[str, list[str]]:
    return TOWNS


@server.resource("contents://main.rs", name="source", mime_type="text/x-rust")
def source() -> str:
    return 'fn main() {\n    println!("Hello");\n}\n'


@server.resource("contents://photo", name="photo", mime_type="image/png")
def photo() -> bytes:
    return PICTURE


@server.resource("contents://sound", name="sound", mime_type="audio/wav")
def a_sound() -> bytes:
    return sound()


@server.resource("contents://film", name="film", mime_type="video/webm")
def film() -> bytes:
    return FILM


@server.resource("contents://bytes", name="bytes", mime_type="application/octet-stream")
def some_bytes() -> bytes:
    return bytes(range(256))


@server.resource(CLOCK, name="clock", mime_type="application/json")
def clock() -> dict[str, int]:
    return {"ticks": ticks}


TOWNS = {
    "Norway": ["Bergen", "Bodo", "Molde"],
    "Scotland": ["Leith", "Oban", "Wick"],
}


@server.resource("contents://towns/{country}/{town}", name="town", title="A town", mime_type="text/plain")
def a_town(country: str, town: str) -> str:
    return f"{town} lies in {country}."


@server.resource("contents://search{/shelf}{?words,most}", name="search", mime_type="application/json")
def search(shelf: str, words: str = "", most: str = "") -> dict[str, str]:
    return {"shelf": shelf, "words": words, "most": most}


@server.resource("contents://metadata/{of}", name="metadata", title="Metadata of a reading", mime_type="text/plain")
def metadata_of_a_reading(of: str, ctx: Context) -> str:
    return f"Metadata of {of}: " + json.dumps(dict(ctx.request_context.meta or {}), default=str)


@server.prompt(title="Metadata of a prompt", description="The _meta of the request.")
def metadata_of_a_prompt(ctx: Context) -> str:
    return "Metadata: " + json.dumps(dict(ctx.request_context.meta or {}), default=str)


@server.prompt(title="A letter", description="A letter to a town.")
def letter(country: str, town: str) -> str:
    return f"Write a letter to the mayor of {town} in {country}."


@server.prompt(title="Every kind", description="A message of each kind of content.")
def every_kind() -> list[UserMessage | AssistantMessage]:
    def encoded(data: bytes) -> str:
        return base64.b64encode(data).decode()

    return [
        UserMessage("What is all this?"),
        UserMessage(ImageContent(type="image", data=encoded(PICTURE), mime_type="image/png")),
        UserMessage(AudioContent(type="audio", data=encoded(sound()), mime_type="audio/wav")),
        AssistantMessage(ResourceLink(type="resource_link", uri=README, name="readme", mime_type="text/markdown")),
        AssistantMessage(
            EmbeddedResource(
                type="resource",
                resource=TextResourceContents(uri=README, mime_type="text/markdown", text=readme()),
            )
        ),
        AssistantMessage(
            EmbeddedResource(
                type="resource",
                resource=BlobResourceContents(
                    uri="contents://bytes", mime_type="application/octet-stream", blob=encoded(some_bytes())
                ),
            )
        ),
        AssistantMessage("One of each kind."),
    ]


@server.completion()
async def complete(ref, argument, context) -> Completion | None:
    given = (context.arguments or {}) if context else {}
    if argument.name == "country":
        found = list(TOWNS)
    elif argument.name == "town":
        found = TOWNS.get(given.get("country", ""), [])
    elif argument.name == "shelf":
        # More than may be sent at once.
        found = [f"shelf-{number:03}" for number in range(250)]
    else:
        return None
    assert isinstance(ref, PromptReference) or ref.uri.startswith("contents://")
    found = [one for one in found if one.lower().startswith(argument.value.lower())]
    return Completion(values=found[:100], total=len(found), has_more=len(found) > 100)


@server.tool(structured_output=False, title="Tick")
async def tick(ctx: Context) -> str:
    """Changes the clock, and tells whoever is subscribed."""
    global ticks
    ticks += 1
    await ctx.notify_resource_updated(CLOCK)
    return f"The clock has {ticks} ticks."


@server.tool(structured_output=False, title="Show metadata")
async def show_metadata(ctx: Context) -> str:
    """The _meta of the request."""
    return "Metadata: " + json.dumps(dict(ctx.request_context.meta or {}), default=str)


@server.tool(structured_output=False, title="Talk")
async def talk(ctx: Context) -> str:
    """Logs a line of three levels."""
    await ctx.log("debug", {"step": 1, "of": ["three"]}, logger_name="contents.begin")
    await ctx.log("warning", "It is late.", logger_name="contents.end")
    await ctx.log("error", "It is too late.", logger_name="contents.end")
    return "Said."


PAGE = ElicitRequestURLParams(
    message="Log in at the library.", url="https://library.example.com/login?for=ada", elicitation_id="page-1"
)
FORM = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Name", "default": "Ada"},
        "age": {"type": "integer", "title": "Age", "default": 36},
        "height": {"type": "number", "title": "Height", "default": 1.7},
        "member": {"type": "boolean", "title": "Member", "default": True},
        "colour": {
            "type": "string",
            "title": "Colour",
            "oneOf": [{"const": "r", "title": "Red"}, {"const": "g", "title": "Green"}],
            "default": "g",
        },
        "shelves": {
            "type": "array",
            "title": "Shelves",
            "items": {"anyOf": [{"const": "n", "title": "North"}, {"const": "s", "title": "South"}]},
            "default": ["n"],
        },
    },
    "required": ["name"],
}
MODEL = CreateMessageRequestParams(
    messages=[
        SamplingMessage(role="user", content=TextContent(type="text", text="Which town is this?")),
        SamplingMessage(
            role="user",
            content=ImageContent(type="image", data=base64.b64encode(PICTURE).decode(), mime_type="image/png"),
        ),
    ],
    system_prompt="You are a librarian.",
    max_tokens=50,
    model_preferences=ModelPreferences(hints=[ModelHint(name="claude")], speed_priority=0.4),
    tools=[Tool(name="look_up", description="Looks a town up.", input_schema={"type": "object"})],
    tool_choice=ToolChoice(mode="auto"),
)


def is_stateless(ctx: Context) -> bool:
    return (ctx.protocol_version or "") >= "2026"


@server.tool(structured_output=False, title="Ask for everything")
async def ask_for_everything(ctx: Context) -> str | InputRequiredResult:
    """A form, a page, a model and the folders: without a handshake in one result, else a form and a page in turn."""
    if not is_stateless(ctx):
        form = await ctx.session.elicit_form("Who are you?", FORM, related_request_id=ctx.request_id)
        page = await ctx.session.elicit_url(PAGE.message, PAGE.url, "page-1", related_request_id=ctx.request_id)
        await ctx.session.send_elicit_complete("page-1", related_request_id=ctx.request_id)
        answers = {"form": form, "page": page}
    elif ctx.input_responses is None:
        return InputRequiredResult(
            input_requests={
                "form": ElicitRequest(params=ElicitRequestFormParams(message="Who are you?", requested_schema=FORM)),
                "page": ElicitRequest(params=PAGE),
                "model": CreateMessageRequest(params=MODEL),
                "folders": ListRootsRequest(),
            }
        )
    else:
        answers = ctx.input_responses
    given = {key: value.model_dump(by_alias=True, exclude_none=True, mode="json") for key, value in answers.items()}
    return "Given: " + json.dumps(given, sort_keys=True)


server.run(transport="stdio")
