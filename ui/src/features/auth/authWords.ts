import type {
  AuthConfig,
  AuthExchange,
  AuthStepState,
  AuthStep,
  AuthStatus,
  ClientKind,
  Grant,
  Kept,
  SignInPrompt,
} from "../../ipc/bindings";
import { hostOf } from "../../lib/address";
import { clockTime, count, duration } from "../../lib/format";
import { timeLeft } from "../../lib/useNow";

/** Expiry with the time of day: `14:03:22, in 4 minutes`, `14:03:22, expired`. */
export function expiryDate(at: number | null, now: number): string {
  if (at === null) return "Not stated by the authorization server";
  return `${clockTime(at).slice(0, 8)}, ${at <= now ? "expired" : `in ${timeLeft(at - now)}`}`;
}

/** `just now`, `4 min ago`, `3 h ago`, `2 days ago`. */
export function agoWords(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}

/** Remaining time until a sign-in expires. */
export function givenUpWords(at: number, now: number): string {
  return at > now ? `Expires in ${timeLeft(at - now)}` : "Expires now";
}

/** True if the token has expired. */
export function isOver({ grant }: AuthStatus, now: number): boolean {
  return grant !== null && grant.expires_at !== null && grant.expires_at <= now;
}

/** State of the sign-in in a short sentence; `over`: the token has expired. */
export function stateSentence(auth: AuthStatus, over = false): string {
  const cancelled = auth.problem?.code === "cancelled";
  const failed = cancelled ? "Not signed in" : "Sign-in failed";
  const kept = cancelled
    ? "No new token; the one below is still stored"
    : "That failed; the token below is still stored";
  const words: Readonly<Record<AuthStatus["state"], string>> = {
    signed_out: "Not signed in",
    discovering: "Discovering the authorization server…",
    prompt: "Waiting for you to sign in",
    confirmation: "Waiting for you to confirm the issuer",
    browser: "Waiting for the browser…",
    exchanging: "Getting a token…",
    signed_in: over ? "Signed in, but the token has expired" : "Signed in",
    refreshing: "Refreshing the token…",
    failed: auth.grant ? kept : failed,
  };
  return words[auth.state];
}

/** True if the sign-in makes progress without the user. */
export function isBusy(auth: AuthStatus): boolean {
  return auth.state === "discovering" || auth.state === "exchanging" || auth.state === "refreshing";
}

/** True if a sign-in in progress can be cancelled. */
export function isSigningIn(auth: AuthStatus): boolean {
  return ["discovering", "prompt", "confirmation", "browser", "exchanging"].includes(auth.state);
}

export const clientWords: Readonly<Record<ClientKind, string>> = {
  preregistered: "pre-registered, from the settings",
  metadata_document: "client ID metadata document",
  registered: "dynamically registered by Sonde",
};

export function keptWords(kept: Kept): string {
  return kept === "keyring"
    ? "In the system's keyring"
    : "In memory only, because the keyring did not accept it. It is lost when Sonde quits.";
}

/** Reason why a new token needs the user; `null` if it does not. */
export function refreshReason(grant: Grant | null, auth: AuthConfig | null): string | null {
  if (!grant) return "There is no token yet.";
  const byUser = auth?.type !== "sign_in" || auth.options.grant.type === "browser";
  return byUser && grant.refresh_fingerprint === null
    ? "There is no refresh token: sign in again to get a new token."
    : null;
}

/** Consequences of signing out, shown beforehand. */
export function signOutWords(grant: Grant): string {
  const host = hostOf(grant.issuer);
  return grant.revocable
    ? `The token will be deleted here and revoked at ${host}.`
    : `The token will be deleted here. ${host} does not offer revocation, so the token stays valid until it expires.`;
}

export function waitingWords(waiting: number): string {
  return waiting === 1
    ? "1 request is waiting for the token."
    : `${count(waiting, "request", "requests")} are waiting for the token.`;
}

/** Explains an empty pane by the server's settings. */
export function untouchedWords(draft: AuthConfig | null): string {
  switch (draft?.type) {
    case "token":
      return "Every request carries the token from this server's settings, so there is no sign-in.";
    case "off":
      return "Authentication is off in this server's settings. HTTP 401 responses are shown as they are.";
    case "sign_in":
    case undefined:
      return "This server has not required a sign-in. When it does, Sonde shows what is requested before the browser opens and lists every step here.";
  }
}

export const stepWords: Readonly<Record<AuthStepState, string>> = {
  running: "in progress",
  done: "done",
  warning: "done, with a warning",
  failed: "failed",
};

/** True if the page to open is on another host than the issuer of the token. */
export function opensElsewhere(prompt: SignInPrompt): boolean {
  const host = hostOf(prompt.issuer);
  return prompt.host !== host && prompt.host !== host.replace(/:\d+$/, "");
}

const statusNames: Readonly<Record<number, string>> = {
  200: "OK",
  201: "Created",
  204: "No Content",
  301: "Moved Permanently",
  302: "Found",
  303: "See Other",
  307: "Temporary Redirect",
  308: "Permanent Redirect",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
};

/** `401 Unauthorized`; the bare number if it has no well-known name. */
export function statusWords(status: number): string {
  const name = statusNames[status];
  return name === undefined ? String(status) : `${status} ${name}`;
}

/** HTTP exchanges by step when a trace was made; `null` if an exchange is no longer kept. */
export type Exchanges = ReadonlyMap<number, AuthExchange | null>;

/** Text of all steps with their requests and responses. */
export function traceText(name: string, steps: readonly AuthStep[], exchanges: Exchanges): string {
  return [`Sign-in to ${name}`, ...steps.map((step) => stepText(step, exchanges))].join("\n\n");
}

function stepText(step: AuthStep, exchanges: Exchanges): string {
  const took = step.millis === null ? "" : `, ${duration(step.millis * 1000)}`;
  const lines = [
    `${step.step}. ${step.title} (${stepWords[step.state]}${took}) at ${clockTime(step.at)}`,
    step.sentence,
  ];
  if (step.spec) lines.push(`See ${step.spec.name}: ${step.spec.url}`);
  if (step.has_exchange) {
    const exchange = exchanges.get(step.step) ?? null;
    lines.push("", exchange ? exchangeText(exchange) : "The request is no longer stored.");
  }
  return lines.join("\n");
}

/** Text of a request and its response as on the wire. */
function exchangeText(exchange: AuthExchange): string {
  const headers = (list: AuthExchange["request_headers"]): string[] =>
    list.map(({ name, value }) => `${name}: ${value}`);
  const body = (text: string | null): string[] => (text === null || text === "" ? [] : ["", text]);
  const request = [
    `${exchange.method} ${exchange.url}`,
    ...headers(exchange.request_headers),
    ...body(exchange.request_body),
  ];
  const answer =
    exchange.status === null
      ? [exchange.error ?? "No response."]
      : [statusWords(exchange.status), ...headers(exchange.response_headers), ...body(exchange.response_body)];
  return [...request, "", ...answer].join("\n");
}
