import type { AuthExchange, AuthStep, LogHeader, SpecLink } from "../bindings";

/** A step of a simulated sign-in. */
export type FakeStep = Pick<AuthStep, "code" | "title" | "sentence" | "state" | "spec"> & {
  readonly exchange?: AuthExchange;
};

export const issuer = "https://login.example.com/tenants/harbour";
export const resource = "https://harbour.example.com/mcp";
export const client = "sonde-7f3a";
export const redirect = "http://127.0.0.1:43119/callback";
const origin = "https://login.example.com";
const metadata = "https://harbour.example.com/.well-known/oauth-protected-resource/mcp";

const specification = "https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization";
const spec = (name: string, place: string) => ({ name: `Authorization: ${name}`, url: `${specification}#${place}` });
const ofResource = spec("protected resource metadata", "protected-resource-metadata-discovery-requirements");
export const ofServer = spec("authorization server metadata", "authorization-server-metadata-discovery");
const ofClient = spec("dynamic client registration", "dynamic-client-registration");
const ofScopes = spec("scope selection", "scope-selection-strategy");
const ofCode = spec("authorization code protection", "authorization-code-protection");
const ofToken = spec("access token usage", "access-token-usage");
const ofStepUp = spec("step-up", "step-up-authorization-flow");

function step(
  code: string,
  title: string,
  sentence: string,
  spec: SpecLink | null,
  exchange?: AuthExchange,
  state: AuthStep["state"] = "done",
): FakeStep {
  return { code, title, sentence, state, spec, ...(exchange && { exchange }) };
}

const headers = (given: Readonly<Record<string, string>>): LogHeader[] =>
  Object.entries(given).map(([name, value]) => ({ name, value }));

/**
 * Builds a request and its response. A request body is sent as JSON if it is an object, and as a form if it is text.
 */
function exchange(method: string, url: string, status: number, response: object | null, request?: object | string) {
  const type = typeof request === "string" ? "application/x-www-form-urlencoded" : "application/json";
  return {
    method,
    url,
    request_headers: headers({
      accept: "application/json",
      ...(request && { "content-type": type }),
      "user-agent": "sonde/0.1.0",
    }),
    request_body: typeof request === "object" ? JSON.stringify(request) : (request ?? null),
    status,
    response_headers: headers({ "content-type": "application/json", "cache-control": "no-store" }),
    response_body: response && JSON.stringify(response),
    error: null,
  };
}

const tokens = { access_token: "‹secret 3a6e›", token_type: "Bearer", refresh_token: "‹secret 8d20›" };
const sender = `client_id=${client}&resource=${encodeURIComponent(resource)}`;

export const registration = step(
  "registration",
  "Registered with the authorization server",
  `Sonde is known there as ${client} now.`,
  ofClient,
);

/** Returns the steps from the server's refusal to the registration of the client, or to the wrong issuer. */
export function discover(mismatch = false): readonly FakeStep[] {
  const serverMetadata = { issuer: mismatch ? "https://login.example.net" : issuer, token_endpoint: `${origin}/token` };
  return [
    step(
      "refused",
      "The server requires a token",
      "It answered 401 and named where its metadata are.",
      ofResource,
      exchange("POST", resource, 401, null, { jsonrpc: "2.0", id: 1, method: "initialize", params: {} }),
    ),
    step(
      "resource_metadata",
      "Get the protected resource metadata",
      "It names one authorization server, login.example.com.",
      ofResource,
      exchange("GET", metadata, 200, { resource, authorization_servers: [issuer], scopes_supported: ["ships:read"] }),
    ),
    step(
      "server_metadata",
      "Get the authorization server metadata",
      "It has nothing at the first place (404); the next one is tried.",
      ofServer,
      exchange("GET", `${origin}/.well-known/oauth-authorization-server/tenants/harbour`, 404, { error: "not_found" }),
      "failed",
    ),
    step(
      "server_metadata",
      "Get the authorization server metadata",
      mismatch
        ? "It says that it is another one than the server named."
        : "It offers the code flow with PKCE (S256) and registers clients.",
      ofServer,
      exchange("GET", `${origin}/.well-known/openid-configuration/tenants/harbour`, 200, serverMetadata),
      mismatch ? "failed" : "done",
    ),
    ...(mismatch ? [] : [registration]),
  ];
}

export const authorization = step(
  "authorization",
  "The address for the browser",
  "It is ready and waits for you.",
  ofScopes,
);

export const unknownClient = step(
  "authorization",
  "Sign in with the browser",
  "The sign-in page rejected the client: registering again.",
  ofScopes,
);

export function saved(kept: "keyring" | "memory"): FakeStep {
  return kept === "keyring"
    ? step("saved", "Kept", "The token is in the keyring.", null)
    : step("saved", "Not kept", "The keyring is locked, so the token is in memory only.", null, undefined, "warning");
}

/** Returns the steps from the browser's return to the stored token. */
export function redeem(kept: "keyring" | "memory"): readonly FakeStep[] {
  const code = `grant_type=authorization_code&code=‹secret 91be›&code_verifier=‹secret 0c44›&${sender}`;
  return [
    step("callback", "The browser came back", "`state` and issuer match.", ofCode),
    step(
      "token",
      "The code was exchanged for a token",
      "The token is valid for 5 min; there is a refresh token.",
      ofToken,
      exchange("POST", `${origin}/token`, 200, tokens, code),
    ),
    saved(kept),
  ];
}

export const refresh = step(
  "refresh",
  "Refresh the token",
  "A new token and a new refresh token were issued.",
  ofToken,
  exchange("POST", `${origin}/token`, 200, tokens, `grant_type=refresh_token&${sender}`),
);

export const scopeRefused = step(
  "refused",
  "The server requires more scopes",
  "It answered 403: the token lacks the scope ships:steer.",
  ofStepUp,
  undefined,
  "warning",
);

export const revocation = step(
  "revocation",
  "Signed out",
  "The token was deleted, and the authorization server knows it.",
  null,
);

export const cancelled = step("cancelled", "Given up", "You cancelled the sign-in.", null, undefined, "failed");
