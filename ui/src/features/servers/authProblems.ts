import type { AuthConfig, GrantConfig, SecretInput, SignInConfig } from "../../ipc/bindings";
import { isMissing, optionsOf, tidyAuth, type AuthField, type AuthProblems } from "./authDraft";

/** Problems that keep the section from being saved. The host checks again, and knows more. */
export function authProblems(auth: AuthConfig): AuthProblems {
  if (auth.type === "off") return {};
  if (auth.type === "token") return only({ "auth.token": tokenProblem(auth) });
  const { grant } = auth.options;
  const way = grant.type;
  // Fields of other ways are not checked: they are not saved either.
  const options = optionsOf(tidyAuth(auth));
  return only({
    ...grantProblems(grant),
    "auth.client_id": clientProblem(way, options),
    "auth.client_secret":
      way === "client_secret" && isMissing(options.client_secret) ? "Enter the client secret." : undefined,
    "auth.issuer": options.issuer === null ? undefined : addressProblem(options.issuer, /^https?:$/),
    "auth.metadata_url": options.metadata_url === null ? undefined : documentProblem(options.metadata_url),
    "auth.scopes":
      options.scopes !== null && !/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(options.scopes)
        ? "Scopes are separated by spaces and cannot contain quotes, backslashes or non-ASCII characters."
        : undefined,
  });
}

function only(found: Partial<Record<AuthField, string | undefined>>): AuthProblems {
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== undefined));
}

function clientProblem(way: GrantConfig["type"], options: SignInConfig): string | undefined {
  if (options.client_id !== null) return undefined;
  if (way === "client_secret" || way === "private_key") return "Enter the client ID.";
  if (way === "enterprise") return "Enter the client ID.";
  return isMissing(options.client_secret) ? undefined : "Enter the client ID that this secret belongs to.";
}

function grantProblems(grant: GrantConfig): Partial<Record<AuthField, string | undefined>> {
  switch (grant.type) {
    case "browser":
    case "client_secret":
      return {};
    case "private_key":
      return { "auth.key": keyProblem(grant.key) };
    case "enterprise":
      return {
        "auth.idp_token_endpoint":
          grant.idp_token_endpoint.trim() === ""
            ? "Enter the identity provider’s token endpoint."
            : addressProblem(grant.idp_token_endpoint.trim(), /^https?:$/),
        "auth.idp_client_id": grant.idp_client_id.trim() === "" ? "Enter the identity provider client ID." : undefined,
        "auth.id_token": isMissing(grant.id_token) ? "Enter your ID token." : undefined,
      };
    case "workload":
      return {
        "auth.assertion": isMissing(grant.assertion) ? "Enter the assertion." : undefined,
      };
  }
}

function tokenProblem(auth: AuthConfig): string | undefined {
  const tidy = tidyAuth(auth);
  if (tidy.type !== "token" || tidy.token.type === "keep") return undefined;
  const { value } = tidy.token;
  if (value === "" || /^bearer$/i.test(value)) return "Enter the token.";
  // A header cannot carry anything else as one token (RFC 6750, section 2.1).
  return /^[\x21-\x7e]+$/.test(value)
    ? undefined
    : "A token cannot contain spaces, line breaks or non-ASCII characters.";
}

function keyProblem(input: SecretInput): string | undefined {
  if (isMissing(input)) return "Enter the private key: PEM text that starts with -----BEGIN PRIVATE KEY-----.";
  if (input.type === "keep" || input.value.includes("-----BEGIN PRIVATE KEY-----")) return undefined;
  const kind = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(input.value)?.[1];
  if (kind === "ENCRYPTED PRIVATE KEY" || /ENCRYPTED/.test(input.value)) {
    return "This key is encrypted. Decrypt it first: openssl pkcs8 -in key.pem -out open.pem.";
  }
  if (kind === "RSA PRIVATE KEY" || kind === "EC PRIVATE KEY") {
    return "This key is not in PKCS #8 format. Convert it: openssl pkcs8 -topk8 -nocrypt -in key.pem.";
  }
  return kind === undefined
    ? "This is not PEM text: it must start with -----BEGIN PRIVATE KEY-----."
    : `This is not a private key but “${kind.toLowerCase()}”.`;
}

function addressProblem(given: string, scheme: RegExp): string | undefined {
  const url = parsed(given);
  if (url === undefined) return "This is not a complete URL. It must start with https://.";
  if (!scheme.test(url.protocol)) return `It must start with https://, not with ${url.protocol}//.`;
  if (url.username !== "" || url.password !== "") return "This URL cannot contain a user name or password.";
  return given.includes("#") ? "This URL cannot have a fragment (“#”)." : undefined;
}

/** Problem of a client ID metadata document: its URL must be https, with a path. */
function documentProblem(given: string): string | undefined {
  const problem = addressProblem(given, /^https:$/);
  if (problem !== undefined) return problem;
  return parsed(given)?.pathname === "/" ? "It must have a path, as in https://example.com/client.json." : undefined;
}

function parsed(given: string): URL | undefined {
  try {
    return new URL(given);
  } catch {
    return undefined;
  }
}
