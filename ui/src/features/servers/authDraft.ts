import type { AuthConfig, DpopMode, GrantConfig, SecretInput, SignInConfig } from "../../ipc/bindings";
import { plainAuth, plainSignIn } from "../../ipc/drafts";

/** Ways to sign in, chosen at the top of the section. */
export type AuthWay = "token" | "off" | GrantConfig["type"];

/** Fields of the section that can be invalid, by the names that the host uses for them. */
export const authFields = [
  "auth.token",
  "auth.client_id",
  "auth.client_secret",
  "auth.issuer",
  "auth.metadata_url",
  "auth.scopes",
  "auth.redirect_port",
  "auth.key",
  "auth.algorithm",
  "auth.audience",
  "auth.idp_token_endpoint",
  "auth.idp_client_id",
  "auth.idp_client_secret",
  "auth.id_token",
  "auth.assertion",
] as const;
export type AuthField = (typeof authFields)[number];
export type AuthProblems = Readonly<Partial<Record<AuthField, string>>>;

export const ways: readonly { way: AuthWay; label: string; hint: string }[] = [
  {
    way: "browser",
    label: "OAuth (when the server asks)",
    hint: "You sign in with the browser once the server requires it. Nothing to fill in.",
  },
  { way: "token", label: "Bearer token", hint: "The same token is sent with every request." },
  {
    way: "client_secret",
    label: "Client credentials (secret)",
    hint: "Sonde gets a token by itself, without a user.",
  },
  {
    way: "private_key",
    label: "Client credentials (private key)",
    hint: "The same with a signed JWT. The key never leaves this computer.",
  },
  {
    way: "enterprise",
    label: "Enterprise-managed",
    hint: "The company’s identity provider vouches for you.",
  },
  { way: "workload", label: "Workload identity", hint: "With an assertion from the platform that runs the workload." },
  { way: "off", label: "None", hint: "HTTP 401 responses are shown as they are." },
];

/** Fields of each way, in their order. Other fields are not saved with it. */
const fieldsOfWay: Readonly<Record<AuthWay, readonly AuthField[]>> = {
  browser: [
    "auth.client_id",
    "auth.client_secret",
    "auth.issuer",
    "auth.metadata_url",
    "auth.scopes",
    "auth.redirect_port",
  ],
  token: ["auth.token"],
  client_secret: ["auth.client_id", "auth.client_secret", "auth.issuer", "auth.scopes"],
  private_key: ["auth.client_id", "auth.key", "auth.algorithm", "auth.audience", "auth.issuer", "auth.scopes"],
  enterprise: [
    "auth.idp_token_endpoint",
    "auth.idp_client_id",
    "auth.idp_client_secret",
    "auth.id_token",
    "auth.client_id",
    "auth.client_secret",
    "auth.issuer",
    "auth.scopes",
  ],
  workload: ["auth.assertion", "auth.client_id", "auth.issuer", "auth.scopes"],
  off: [],
};

export function wayOf(auth: AuthConfig): AuthWay {
  return auth.type === "sign_in" ? auth.options.grant.type : auth.type;
}

function hasField(auth: AuthConfig, field: AuthField): boolean {
  return fieldsOfWay[wayOf(auth)].includes(field);
}

/** Field named by the host's error, if the chosen way has it. */
export function refusedField(auth: AuthConfig, detail: string | undefined): AuthField | undefined {
  const named = /^auth\.[a-z_]+/.exec(detail ?? "")?.[0];
  return authFields.find((field) => field === named && hasField(auth, field));
}

/** True if the section has its defaults. */
export function isPlain(auth: AuthConfig): boolean {
  return JSON.stringify(tidyAuth(auth)) === JSON.stringify(plainAuth);
}

/** True if the options under "Advanced" have their defaults. */
export function moreIsPlain(options: SignInConfig): boolean {
  const tidy = optionsOf(tidyAuth({ type: "sign_in", options }));
  const grant = options.grant;
  // The client stands above it in the other ways.
  const client = grant.type === "browser" ? {} : { client_id: null, client_secret: null };
  return JSON.stringify({ ...tidy, ...client, grant }) === JSON.stringify({ ...plainSignIn, grant });
}

/** Summary of the folded section in one line. */
export function authSummary(auth: AuthConfig): string {
  const way = wayOf(auth);
  const label = ways.find((each) => each.way === way)?.label ?? way;
  const client = auth.type === "sign_in" ? (auth.options.client_id?.trim() ?? "") : "";
  return client === "" ? label : `${label}, client “${client}”`;
}

// ---- secrets -------------------------------------------------------------------------------------

/** Fields whose secrets are saved in the configuration, and can be kept without typing them again. */
export function keptSecrets(saved: AuthConfig | undefined): ReadonlySet<AuthField> {
  const kept = new Set<AuthField>();
  const look = (field: AuthField, input: SecretInput | null): void => {
    if (input?.type === "keep") kept.add(field);
  };
  if (saved?.type === "token") look("auth.token", saved.token);
  if (saved?.type !== "sign_in") return kept;
  const { grant, client_secret } = saved.options;
  look("auth.client_secret", client_secret);
  if (grant.type === "private_key") look("auth.key", grant.key);
  if (grant.type === "enterprise") {
    look("auth.idp_client_secret", grant.idp_client_secret);
    look("auth.id_token", grant.id_token);
  }
  if (grant.type === "workload") look("auth.assertion", grant.assertion);
  return kept;
}

/** Value of a secret whose field is emptied: the stored one if there is one, else nothing. */
export function emptied(kept: boolean, optional: boolean): SecretInput | null {
  if (kept) return { type: "keep" };
  return optional ? null : { type: "set", value: "" };
}

export function isMissing(input: SecretInput | null): boolean {
  return input === null || (input.type === "set" && input.value.trim() === "");
}

// ---- changing the way ------------------------------------------------------------------------------

/** Values typed for ways that are not chosen at present. */
export interface AuthTyped {
  readonly token?: SecretInput;
  /** Options shared by all ways of signing in. */
  readonly options?: SignInConfig;
  readonly grants?: Readonly<Partial<Record<GrantConfig["type"], GrantConfig>>>;
}

export function remember(typed: AuthTyped, auth: AuthConfig): AuthTyped {
  switch (auth.type) {
    case "token":
      return { ...typed, token: auth.token };
    case "sign_in": {
      const { options } = auth;
      return { ...typed, options, grants: { ...typed.grants, [options.grant.type]: options.grant } };
    }
    case "off":
      return typed;
  }
}

/** Switches to another way, with the values typed for it before. */
export function choose(typed: AuthTyped, way: AuthWay, kept: ReadonlySet<AuthField>): AuthConfig {
  const blank = (field: AuthField): SecretInput => (kept.has(field) ? { type: "keep" } : { type: "set", value: "" });
  if (way === "off") return { type: "off" };
  if (way === "token") return { type: "token", token: typed.token ?? blank("auth.token") };
  const options = typed.options ?? plainSignIn;
  return { type: "sign_in", options: { ...options, grant: typed.grants?.[way] ?? blankGrant(way, blank) } };
}

function blankGrant(type: GrantConfig["type"], blank: (field: AuthField) => SecretInput): GrantConfig {
  switch (type) {
    case "private_key":
      return { type, key: blank("auth.key"), algorithm: null, audience: null };
    case "enterprise":
      return {
        type,
        idp_token_endpoint: "",
        idp_client_id: "",
        idp_client_secret: null,
        id_token: blank("auth.id_token"),
      };
    case "workload":
      return { type, assertion: blank("auth.assertion") };
    case "browser":
    case "client_secret":
      return { type };
  }
}

// ---- what is saved -----------------------------------------------------------------------------------

/** Section as it is saved: fields of other ways are left out, and empty fields are `null`. */
export function tidyAuth(auth: AuthConfig): AuthConfig {
  switch (auth.type) {
    case "off":
      return auth;
    case "token":
      return { type: "token", token: bare(auth.token) };
    case "sign_in": {
      const { options } = auth;
      const own = <T>(field: AuthField, value: T): T | null => (hasField(auth, field) ? value : null);
      return {
        type: "sign_in",
        options: {
          grant: tidyGrant(options.grant),
          client_id: own("auth.client_id", text(options.client_id)),
          client_secret: own("auth.client_secret", optionalSecret(options.client_secret)),
          issuer: text(options.issuer),
          metadata_url: own("auth.metadata_url", text(options.metadata_url)),
          scopes: text(options.scopes?.replace(/\s+/g, " ") ?? null),
          redirect_port: own("auth.redirect_port", options.redirect_port),
          without_pkce_promise: options.grant.type === "browser" && options.without_pkce_promise,
          dpop: options.dpop,
        },
      };
    }
  }
}

/** Options of a way that signs in; the defaults for other ways. */
export function optionsOf(auth: AuthConfig): SignInConfig {
  return auth.type === "sign_in" ? auth.options : plainSignIn;
}

function tidyGrant(grant: GrantConfig): GrantConfig {
  switch (grant.type) {
    case "browser":
    case "client_secret":
      return grant;
    case "private_key":
      return { ...grant, algorithm: text(grant.algorithm), audience: text(grant.audience) };
    case "enterprise":
      return {
        ...grant,
        idp_token_endpoint: grant.idp_token_endpoint.trim(),
        idp_client_id: grant.idp_client_id.trim(),
        idp_client_secret: optionalSecret(grant.idp_client_secret),
        id_token: trimmed(grant.id_token),
      };
    case "workload":
      return { ...grant, assertion: trimmed(grant.assertion) };
  }
}

function text(value: string | null): string | null {
  const inside = value?.trim() ?? "";
  return inside === "" ? null : inside;
}

function optionalSecret(input: SecretInput | null): SecretInput | null {
  return isMissing(input) ? null : input;
}

/** Strips the scheme from a token that was copied from a header. */
function bare(token: SecretInput): SecretInput {
  const input = trimmed(token);
  return input.type === "set" ? { type: "set", value: input.value.replace(/^bearer\s+/i, "") } : input;
}

/** Removes spaces: tokens hold none, but are often pasted with some. Passwords stay unchanged. */
function trimmed(input: SecretInput): SecretInput {
  return input.type === "set" ? { type: "set", value: input.value.trim() } : input;
}

// ---- words ---------------------------------------------------------------------------------------------

export const algorithms: readonly { value: string; label: string }[] = [
  { value: "", label: "Match the key" },
  ...["ES256", "ES384", "RS256", "PS256", "EdDSA"].map((value) => ({ value, label: value })),
];

/** Choices for binding tokens to a key (DPoP). */
export const dpopChoices: readonly { value: DpopMode; label: string; hint: string }[] = [
  { value: "automatic", label: "When the server requires it", hint: "A stolen token cannot be used without the key." },
  { value: "always", label: "Always", hint: "Fails if the server does not support it." },
  { value: "never", label: "Never", hint: "Fails if the server requires it." },
];

/** Redirect URI for a fixed port. */
export function redirectAddress(port: number): string {
  return `http://127.0.0.1:${port}/callback`;
}
