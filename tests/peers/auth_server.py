"""A protected server of the Python SDK with a login form, for a client that signs in as a person does.

Metadata, registration, /authorize, /token, /revoke, the 401 and its WWW-Authenticate, PKCE and the check of the
audience are the SDK's own code. This file holds the store of tokens, the form, and the tools. Everything is in
memory and on the loopback interface; the user is `demo` with the password `demo`.

What the SDK does not do is added here: a 403 that asks for a further scope for one tool alone (`Gate`), and the
issuer in the redirect (RFC 9207, `Store.decide`). What it does in its own way stays: it finds a client by the body
alone even where the secret is in the header, and revokes only for those who send the secret in the body.

Prints one line, `listening <address of the MCP endpoint>`, when it is ready.
"""

import argparse
import asyncio
import html
import json
import secrets
import socket
import time
from collections import Counter
from dataclasses import dataclass, field

import uvicorn
from mcp.server import MCPServer
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions, RevocationOptions
from mcp.server.mcpserver import Context
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

USER = PASSWORD = "demo"
DEFAULT_SCOPE = "read"
# The one tool that wants more than the default scope.
GUARDED = {"write_note": "write"}
CODE_SECONDS = 300


@dataclass
class Grant:
    """What one sign-in gave: its tokens end together when it is revoked."""

    client_id: str
    resource: str | None
    # Access tokens with the time at which they end (monotonic seconds).
    access: dict[str, tuple[AccessToken, float]] = field(default_factory=dict)
    refresh: RefreshToken | None = None


class Store(OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]):
    """Clients, sign-ins and tokens, in memory."""

    def __init__(self, issuer: str, lifetime: int, prefix: str):
        self.issuer = issuer
        self.lifetime = lifetime
        self.prefix = prefix
        self.counts: Counter[str] = Counter()
        self.clients: dict[str, OAuthClientInformationFull] = {}
        # Who is in front of the form: id of the form -> client and what it asked for.
        self.forms: dict[str, tuple[str, AuthorizationParams]] = {}
        self.codes: dict[str, AuthorizationCode] = {}
        self.grants: list[Grant] = []
        # Refresh tokens that were used, to notice one that is used again.
        self.spent: dict[str, Grant] = {}

    def secret(self) -> str:
        return self.prefix + secrets.token_urlsafe(32)

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        return self.clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        # The SDK makes the secret and answers with this very object.
        if client_info.client_secret is not None:
            client_info.client_secret = self.prefix + client_info.client_secret
        self.counts["registrations"] += 1
        self.clients[client_info.client_id] = client_info

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        self.counts["authorizations"] += 1
        form = secrets.token_urlsafe(16)
        self.forms[form] = (client.client_id, params)
        return construct_redirect_uri(f"{self.issuer}/login", form=form)

    def decide(self, form: str, allowed: bool) -> str:
        """Where the browser goes after the form."""
        client_id, params = self.forms.pop(form)
        # RFC 9207: the SDK leaves the whole redirect to the provider.
        answer = {"state": params.state, "iss": self.issuer}
        if not allowed:
            self.counts["denials"] += 1
            refusal = "The user said no"
            return construct_redirect_uri(
                str(params.redirect_uri), error="access_denied", error_description=refusal, **answer
            )
        self.counts["logins"] += 1
        code = AuthorizationCode(
            code=self.secret(),
            scopes=params.scopes or [DEFAULT_SCOPE],
            expires_at=time.time() + CODE_SECONDS,
            client_id=client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
            subject=USER,
        )
        self.codes[code.code] = code
        return construct_redirect_uri(str(params.redirect_uri), code=code.code, **answer)

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCode | None:
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        del self.codes[authorization_code.code]
        self.counts["exchanges"] += 1
        grant = Grant(client.client_id, authorization_code.resource)
        self.grants.append(grant)
        return self.issue(grant, authorization_code.scopes, authorization_code.scopes)

    def issue(self, grant: Grant, scopes: list[str], refreshable: list[str]) -> OAuthToken:
        lasts = self.lifetime or None
        access = AccessToken(
            token=self.secret(),
            client_id=grant.client_id,
            scopes=scopes,
            expires_at=None if lasts is None else int(time.time()) + lasts,
            resource=grant.resource,
            subject=USER,
            claims={"iss": self.issuer},
        )
        grant.access[access.token] = (access, time.monotonic() + lasts if lasts else float("inf"))
        grant.refresh = RefreshToken(
            token=self.secret(),
            client_id=grant.client_id,
            scopes=refreshable,
            resource=grant.resource,
            subject=USER,
        )
        return OAuthToken(
            access_token=access.token,
            expires_in=lasts,
            scope=" ".join(scopes),
            refresh_token=grant.refresh.token,
        )

    async def load_refresh_token(self, client: OAuthClientInformationFull, refresh_token: str) -> RefreshToken | None:
        # One that was used before is in the wrong hands: nobody may go on with this sign-in
        # (OAuth 2.1, section 4.3.1).
        if stolen := self.spent.get(refresh_token):
            self.counts["reused_refresh_tokens"] += 1
            self.end(stolen)
        grant = self.grant_of(refresh_token)
        return grant.refresh if grant else None

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        grant = self.grant_of(refresh_token.token)
        assert grant is not None
        self.counts["refreshes"] += 1
        self.spent[refresh_token.token] = grant
        return self.issue(grant, scopes, refresh_token.scopes)

    async def load_access_token(self, token: str) -> AccessToken | None:
        for grant in self.grants:
            access, ends = grant.access.get(token, (None, 0.0))
            if access is not None and time.monotonic() < ends:
                return access
        return None

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        if grant := self.grant_of(token.token):
            self.counts["revocations"] += 1
            self.end(grant)

    def grant_of(self, token: str) -> Grant | None:
        for grant in self.grants:
            if token in grant.access or (grant.refresh and grant.refresh.token == token):
                return grant
        return None

    def end(self, grant: Grant) -> None:
        grant.access.clear()
        grant.refresh = None

    def expire(self, refresh_too: bool) -> None:
        """Makes all access tokens invalid, and on request the refresh tokens as well."""
        for grant in self.grants:
            grant.access.clear()
            if refresh_too:
                grant.refresh = None

    def state(self) -> dict[str, object]:
        now = time.monotonic()
        live = [access for grant in self.grants for access, ends in grant.access.values() if now < ends]
        names = [
            "registrations",
            "authorizations",
            "logins",
            "wrong_passwords",
            "denials",
            "token_requests",
            "token_refusals",
            "exchanges",
            "refreshes",
            "reused_refresh_tokens",
            "revocation_requests",
            "revocations",
            "unauthorized",
            "insufficient_scope",
            "listeners",
            "sessions_ended",
        ]
        return {name: self.counts[name] for name in names} | {
            "live_tokens": len(live),
            "live_refresh_tokens": sum(grant.refresh is not None for grant in self.grants),
            "newest_scopes": live[-1].scopes if live else [],
        }


class Gate:
    """In front of the app: counts, and refuses a tool whose scope the token lacks.

    The SDK knows scopes for the whole endpoint only, so the step-up of one tool has to be judged here.
    """

    def __init__(self, app, store: Store, metadata: str):
        self.app = app
        self.store = store
        self.metadata = metadata

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        path, method = scope["path"], scope["method"]

        async def watched(message):
            if message["type"] == "http.response.start":
                self.count(path, method, message["status"])
            await send(message)

        if path == "/mcp" and method == "POST":
            body = await read(receive)
            missing = await self.missing_scope(Request(scope), body)
            if missing:
                return await self.refusal(missing)(scope, receive, watched)
            receive = again(body, receive)
        await self.app(scope, receive, watched)

    def count(self, path: str, method: str, status: int) -> None:
        counts = self.store.counts
        if path == "/mcp":
            counts["unauthorized"] += status == 401
            counts["insufficient_scope"] += status == 403
            counts["listeners"] += method == "GET" and status == 200
            counts["sessions_ended"] += method == "DELETE" and status == 200
        elif path == "/token" and method == "POST":
            counts["token_requests"] += 1
            counts["token_refusals"] += status >= 400
        elif path == "/revoke" and method == "POST":
            counts["revocation_requests"] += 1

    async def missing_scope(self, request: Request, body: bytes) -> str | None:
        try:
            message = json.loads(body)
            wanted = GUARDED.get(message["params"]["name"]) if message["method"] == "tools/call" else None
        except (ValueError, KeyError, TypeError):
            return None
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        access = await self.store.load_access_token(token) if scheme.lower() == "bearer" else None
        # Without a valid token the SDK's 401 comes first.
        return wanted if wanted and access and wanted not in access.scopes else None

    def refusal(self, wanted: str) -> Response:
        challenge = (
            f'Bearer error="insufficient_scope", scope="{wanted}", resource_metadata="{self.metadata}", '
            f'error_description="This tool needs the scope {wanted}"'
        )
        return JSONResponse({"error": "insufficient_scope"}, 403, {"WWW-Authenticate": challenge})


async def read(receive) -> bytes:
    """The whole body."""
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return body


def again(body: bytes, receive):
    """Lets the app read a body that was read before."""
    pending = [{"type": "http.request", "body": body, "more_body": False}]

    async def first_the_body():
        return pending.pop() if pending else await receive()

    return first_the_body


def page(text: str, status: int = 200) -> Response:
    head = "<!doctype html><html lang=en><meta charset=utf-8><title>Sign in</title>"
    return HTMLResponse(f"{head}<h1>Sign in</h1>{text}</html>", status, {"Cache-Control": "no-store"})


def form_page(store: Store, form: str, complaint: str = "", status: int = 200) -> Response:
    client_id, params = store.forms[form]
    name = html.escape(store.clients[client_id].client_name or client_id)
    scopes = html.escape(" ".join(params.scopes or [DEFAULT_SCOPE]))
    return page(
        f"<p>{name} asks for: <b>{scopes}</b></p><p role=alert>{complaint}</p>"
        f"<form method=post action=/login><input type=hidden name=form value={html.escape(form)}>"
        "<label>User name <input name=username autocomplete=username></label>"
        "<label>Password <input name=password type=password autocomplete=current-password></label>"
        "<button name=answer value=allow>Sign in</button><button name=answer value=deny>Refuse</button></form>",
        status,
    )


def protected(server_url: str, issuer: str, store: Store) -> MCPServer:
    server = MCPServer(
        "protected",
        auth_server_provider=store,
        log_level="ERROR",
        auth=AuthSettings(
            issuer_url=issuer,
            resource_server_url=server_url,
            required_scopes=[DEFAULT_SCOPE],
            validate_token_resource=True,
            client_registration_options=ClientRegistrationOptions(
                enabled=True,
                valid_scopes=[DEFAULT_SCOPE, *GUARDED.values()],
                # What a client may ask for that says nothing about scopes when it registers.
                default_scopes=[DEFAULT_SCOPE, *GUARDED.values()],
            ),
            revocation_options=RevocationOptions(enabled=True),
        ),
    )

    @server.tool()
    async def whoami() -> dict[str, object]:
        """Says who is signed in."""
        token = get_access_token()
        assert token is not None
        return {"user": token.subject, "scopes": token.scopes}

    @server.tool()
    async def slow_count(ctx: Context, seconds: int = 3) -> str:
        """Counts to a number of seconds and reports progress."""
        for done in range(seconds):
            await ctx.report_progress(done, seconds)
            await asyncio.sleep(1)
        return f"counted to {seconds}"

    @server.tool()
    async def write_note(text: str) -> str:
        """Needs the scope "write"."""
        return f"noted: {text}"

    @server.custom_route("/login", methods=["GET", "POST"])
    async def login(request: Request) -> Response:
        sent = request.query_params if request.method == "GET" else await request.form()
        form = str(sent.get("form", ""))
        if form not in store.forms:
            return page("<p role=alert>This form was used before, or never existed.</p>", 400)
        if request.method == "GET":
            return form_page(store, form)
        allowed = sent.get("answer") != "deny"
        if allowed and (sent.get("username"), sent.get("password")) != (USER, PASSWORD):
            store.counts["wrong_passwords"] += 1
            return form_page(store, form, "Wrong user name or password.", 401)
        return RedirectResponse(store.decide(form, allowed), 302, {"Cache-Control": "no-store"})

    @server.custom_route("/admin/state", methods=["GET"])
    async def state(request: Request) -> Response:
        return JSONResponse(store.state())

    @server.custom_route("/admin/expire", methods=["POST"])
    async def expire(request: Request) -> Response:
        store.expire(refresh_too=request.query_params.get("refresh") == "true")
        return JSONResponse(store.state())

    return server


class Announced(uvicorn.Server):
    """Says when it can be reached."""

    line = ""

    async def startup(self, sockets=None):
        await super().startup(sockets)
        print(self.line, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--lifetime", type=int, default=20, help="of access tokens, in seconds; 0 for ever")
    parser.add_argument("--prefix", default="", help="begins every code, token and client secret")
    options = parser.parse_args()
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", options.port))
    issuer = f"http://127.0.0.1:{listener.getsockname()[1]}"
    store = Store(issuer, options.lifetime, options.prefix)
    server = protected(f"{issuer}/mcp", issuer, store)
    app = Gate(server.streamable_http_app(), store, f"{issuer}/.well-known/oauth-protected-resource/mcp")
    running = Announced(uvicorn.Config(app, log_level="error", access_log=False))
    running.line = f"listening {issuer}/mcp"
    running.run(sockets=[listener])


main()
