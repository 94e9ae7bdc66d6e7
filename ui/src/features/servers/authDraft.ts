import type { AuthConfig, DpopMode, GrantConfig, SecretInput, ServerField, SignInConfig } from "../../ipc/bindings";
import { plainAuth, plainSignIn } from "../../ipc/drafts";

/** Ways to sign in, chosen at the top of the section. */
export type AuthWay = "token" | "off" | GrantConfig["type"];

/** Fields of the section. */
export const authFields: readonly ServerField[] = [
  "token",
  "client_id",
  "client_secret",
  "issuer",
  "metadata_url",
  "scopes",
  "redirect_port",
  "key",
  "algorithm",
  "idp_token_endpoint",
  "idp_client_id",
  "id_token",
  "assertion",
];

export const ways: readonly { way: AuthWay; label: string; hint: string }[] = [
  {
    way: "browser",
    label: "OAuth (when the server asks)",
    hint: "Sign in with the browser when the server requires it. Nothing to fill in.",
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
  { way: "workload", label: "Workload identity", hint: "Uses an assertion from the workload’s platform." },
  { way: "off", label: "None", hint: "HTTP 401 responses are shown as they are." },
];

export function wayOf(auth: AuthConfig): AuthWay {
  return auth.type === "sign_in" ? auth.options.grant.type : auth.type;
}

/** True if the section has its defaults. */
export function isPlain(auth: AuthConfig): boolean {
  return JSON.stringify(auth) === JSON.stringify(plainAuth);
}

/** True if the options under "Advanced" have their defaults. */
export function moreIsPlain(options: SignInConfig): boolean {
  const { issuer, scopes, dpop } = options;
  const shown = options.grant.type === "browser" ? options : { ...plainSignIn, issuer, scopes, dpop };
  return JSON.stringify(shown) === JSON.stringify(plainSignIn);
}

/** Summary of the folded section in one line. */
export function authSummary(auth: AuthConfig): string {
  const way = wayOf(auth);
  const label = ways.find((each) => each.way === way)?.label ?? way;
  const client = auth.type === "sign_in" ? (auth.options.client_id?.trim() ?? "") : "";
  return client === "" ? label : `${label}, client “${client}”`;
}

// ---- secrets -------------------------------------------------------------------------------------

/** Fields of the section that are secrets. */
const SECRETS = ["token", "client_secret", "key", "idp_client_secret", "id_token", "assertion"] as const;
export type SecretField = (typeof SECRETS)[number];

/** Fields whose secrets are saved in the configuration, and can be kept without typing them again. */
export function keptSecrets(saved: AuthConfig | undefined): ReadonlySet<SecretField> {
  const members: { readonly type?: string } & { readonly [K in SecretField]?: SecretInput | null } =
    saved?.type === "sign_in" ? { ...saved.options, ...saved.options.grant } : { ...saved };
  return new Set(SECRETS.filter((field) => members[field]?.type === "keep"));
}

/** Value of a secret whose field is emptied: the stored one if there is one, else nothing. */
export function emptied(kept: boolean, optional: boolean): SecretInput | null {
  if (kept) return { type: "keep" };
  return optional ? null : { type: "set", value: "" };
}

// ---- changing the grant -----------------------------------------------------------------------------

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
export function choose(typed: AuthTyped, way: AuthWay, kept: ReadonlySet<SecretField>): AuthConfig {
  const blank = (field: SecretField): SecretInput => (kept.has(field) ? { type: "keep" } : { type: "set", value: "" });
  if (way === "off") return { type: "off" };
  if (way === "token") return { type: "token", token: typed.token ?? blank("token") };
  const options = typed.options ?? plainSignIn;
  return { type: "sign_in", options: { ...options, grant: typed.grants?.[way] ?? blankGrant(way, blank) } };
}

function blankGrant(type: GrantConfig["type"], blank: (field: SecretField) => SecretInput): GrantConfig {
  switch (type) {
    case "private_key":
      return { type, key: blank("key"), algorithm: null, audience: null };
    case "enterprise":
      return {
        type,
        idp_token_endpoint: "",
        idp_client_id: "",
        idp_client_secret: null,
        id_token: blank("id_token"),
      };
    case "workload":
      return { type, assertion: blank("assertion") };
    case "browser":
    case "client_secret":
      return { type };
  }
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
