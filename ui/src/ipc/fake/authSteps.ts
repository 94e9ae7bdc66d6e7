import type { AuthExchange, AuthStepView, LogHeader, SpecLink } from "../bindings";

/** A step as a simulated sign-in makes it. */
export interface FakeStep {
  readonly code: string;
  readonly title: string;
  readonly sentence: string;
  readonly state?: AuthStepView["state"];
  readonly spec?: SpecLink;
  readonly exchange?: AuthExchange;
}

export const issuer = "https://login.example.com/tenants/harbour";
export const resource = "https://harbour.example.com/mcp";
const origin = "https://login.example.com";

const specification = "https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization";

function spec(name: string, place: string): SpecLink {
  return { name: `Authorization: ${name}`, url: `${specification}#${place}` };
}

function exchange(method: string, url: string, status: number, given: Partial<AuthExchange> = {}): AuthExchange {
  return {
    method,
    url,
    request_headers: headers({ accept: "application/json", "user-agent": "sonde/0.1.0" }),
    request_body: null,
    status,
    response_headers: headers({ "content-type": "application/json", "cache-control": "no-store" }),
    response_body: null,
    error: null,
    ...given,
  };
}

function headers(given: Readonly<Record<string, string>>): LogHeader[] {
  return Object.entries(given).map(([name, value]) => ({ name, value }));
}

const form = headers({
  accept: "application/json",
  "content-type": "application/x-www-form-urlencoded",
  "user-agent": "sonde/0.1.0",
});

export const refused: FakeStep = {
  code: "refused",
  title: "The server requires a token",
  sentence: "It answered 401 and named where its metadata are.",
  spec: spec("protected resource metadata", "protected-resource-metadata-discovery-requirements"),
  exchange: exchange("POST", resource, 401, {
    request_body: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}',
    response_headers: headers({
      "www-authenticate":
        'Bearer resource_metadata="https://harbour.example.com/.well-known/oauth-protected-resource/mcp", scope="ships:read ships:write"',
    }),
  }),
};

export const resourceMetadata: FakeStep = {
  code: "resource_metadata",
  title: "Get the protected resource metadata",
  sentence: "It names one authorization server, login.example.com.",
  spec: spec("protected resource metadata", "protected-resource-metadata-discovery-requirements"),
  exchange: exchange("GET", "https://harbour.example.com/.well-known/oauth-protected-resource/mcp", 200, {
    response_body: JSON.stringify({
      resource,
      authorization_servers: [issuer],
      scopes_supported: ["ships:read", "ships:write"],
    }),
  }),
};

export const serverMetadataMissing: FakeStep = {
  code: "server_metadata",
  title: "Get the authorization server metadata",
  sentence: "It has nothing at the first place (404); the next one is tried.",
  state: "failed",
  spec: spec("authorization server metadata", "authorization-server-metadata-discovery"),
  exchange: exchange("GET", `${origin}/.well-known/oauth-authorization-server/tenants/harbour`, 404, {
    response_body: '{"error":"not_found"}',
  }),
};

export function serverMetadata(problem: "issuer_mismatch" | "no_pkce" | null): FakeStep {
  return {
    code: "server_metadata",
    title: "Get the authorization server metadata",
    sentence:
      problem === "issuer_mismatch"
        ? "It says that it is another one than the server named."
        : problem === "no_pkce"
          ? "It does not advertise PKCE with S256."
          : "It offers the code flow with PKCE (S256) and registers clients.",
    state: problem === null ? "done" : "failed",
    spec: spec("authorization server metadata", "authorization-server-metadata-discovery"),
    exchange: exchange("GET", `${origin}/.well-known/openid-configuration/tenants/harbour`, 200, {
      response_body: JSON.stringify({
        issuer: problem === "issuer_mismatch" ? "https://login.example.net" : issuer,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        revocation_endpoint: `${origin}/revoke`,
        ...(problem === "no_pkce" ? {} : { code_challenge_methods_supported: ["S256"] }),
      }),
    }),
  };
}

export const registration: FakeStep = {
  code: "registration",
  title: "Registered with the authorization server",
  sentence: "Sonde is known there as sonde-7f3a now.",
  spec: spec("dynamic client registration", "dynamic-client-registration"),
  exchange: exchange("POST", `${origin}/register`, 201, {
    request_headers: headers({
      accept: "application/json",
      "content-type": "application/json",
      "user-agent": "sonde/0.1.0",
    }),
    request_body: JSON.stringify({
      client_name: "Sonde",
      application_type: "native",
      redirect_uris: ["http://127.0.0.1:43119/callback"],
      token_endpoint_auth_method: "none",
    }),
    response_body: JSON.stringify({ client_id: "sonde-7f3a", registration_access_token: "‹secret 5f1c›" }),
  }),
};

export const authorization: FakeStep = {
  code: "authorization",
  title: "The address for the browser",
  sentence: "It is ready and waits for you.",
  spec: spec("scope selection", "scope-selection-strategy"),
};

export const unknownClient: FakeStep = {
  code: "authorization",
  title: "Sign in with the browser",
  sentence: "The sign-in page rejected the client: registering again.",
  spec: spec("scope selection", "scope-selection-strategy"),
};

export const callback: FakeStep = {
  code: "callback",
  title: "The browser came back",
  sentence: "`state` and issuer match.",
  spec: spec("authorization code protection", "authorization-code-protection"),
};

export const token: FakeStep = {
  code: "token",
  title: "The code was exchanged for a token",
  sentence: "The token is valid for 5 min; there is a refresh token.",
  spec: spec("access token usage", "access-token-usage"),
  exchange: exchange("POST", `${origin}/token`, 200, {
    request_headers: form,
    request_body: `grant_type=authorization_code&code=‹secret 91be›&code_verifier=‹secret 0c44›&client_id=sonde-7f3a&resource=${encodeURIComponent(resource)}`,
    response_body: JSON.stringify({
      access_token: "‹secret 3a6e›",
      token_type: "Bearer",
      expires_in: 300,
      refresh_token: "‹secret 8d20›",
      scope: "ships:read ships:write",
    }),
  }),
};

export const refresh: FakeStep = {
  code: "refresh",
  title: "Refresh the token",
  sentence: "A new token and a new refresh token were issued.",
  spec: spec("access token usage", "access-token-usage"),
  exchange: exchange("POST", `${origin}/token`, 200, {
    request_headers: form,
    request_body: `grant_type=refresh_token&refresh_token=‹secret 8d20›&client_id=sonde-7f3a&resource=${encodeURIComponent(resource)}`,
    response_body: JSON.stringify({
      access_token: "‹secret b702›",
      token_type: "Bearer",
      expires_in: 300,
      refresh_token: "‹secret c915›",
    }),
  }),
};

export const scopeRefused: FakeStep = {
  code: "refused",
  title: "The server requires more scopes",
  sentence: "It answered 403: the token lacks the scope ships:steer.",
  state: "warning",
  spec: spec("step-up", "step-up-authorization-flow"),
  exchange: exchange("POST", resource, 403, {
    request_body: '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"say_hello"}}',
    response_headers: headers({ "www-authenticate": 'Bearer error="insufficient_scope", scope="ships:steer"' }),
  }),
};

export const revocation: FakeStep = {
  code: "revocation",
  title: "Signed out",
  sentence: "The token was deleted, and the authorization server knows it.",
  exchange: exchange("POST", `${origin}/revoke`, 200, {
    request_headers: form,
    request_body: "token=‹secret 8d20›&token_type_hint=refresh_token&client_id=sonde-7f3a",
    response_headers: [],
  }),
};

export function saved(kept: "keyring" | "memory"): FakeStep {
  return kept === "keyring"
    ? { code: "saved", title: "Kept", sentence: "The token is in the keyring." }
    : {
        code: "saved",
        title: "Not kept",
        sentence: "The keyring is locked, so the token is in memory only.",
        state: "warning",
      };
}

export const cancelledStep: FakeStep = {
  code: "cancelled",
  title: "Given up",
  sentence: "You cancelled the sign-in.",
  state: "failed",
};
