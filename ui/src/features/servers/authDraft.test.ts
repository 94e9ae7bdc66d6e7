import { describe, expect, it } from "vitest";

import type { AuthConfig, GrantConfig, SecretInput, SignInConfig } from "../../ipc/bindings";
import { plainAuth, plainSignIn } from "../../ipc/drafts";
import {
  authSummary,
  choose,
  emptied,
  isPlain,
  keptSecrets,
  moreIsPlain,
  redirectAddress,
  remember,
  wayOf,
  ways,
  type SecretField,
} from "./authDraft";

const keep: SecretInput = { type: "keep" };
const set = (value: string): SecretInput => ({ type: "set", value });
const nothing: ReadonlySet<SecretField> = new Set();
const signIn = (options: Partial<SignInConfig> = {}): AuthConfig => ({
  type: "sign_in",
  options: { ...plainSignIn, ...options },
});
const enterprise: GrantConfig = {
  type: "enterprise",
  idp_token_endpoint: "https://idp.example.com/token",
  idp_client_id: "desk",
  idp_client_secret: null,
  id_token: set("eyJ.eyJ.sig"),
};
const pem = (kind: string) => `-----BEGIN ${kind}-----\nMC4CAQ==\n-----END ${kind}-----\n`;
const key = (text: string): GrantConfig => ({ type: "private_key", key: set(text), algorithm: null, audience: null });

describe("the way of signing in", () => {
  it("is plain until something is chosen", () => {
    expect(wayOf(plainAuth)).toBe("browser");
    expect(isPlain(plainAuth)).toBe(true);
    expect(isPlain(signIn({ redirect_port: 6274 }))).toBe(false);
    expect(isPlain({ type: "off" })).toBe(false);
  });

  it("loses nothing when it changes back and forth", () => {
    const typedInto: Partial<Record<string, AuthConfig>> = {
      token: { type: "token", token: set("abc") },
      browser: signIn({
        client_id: "c",
        client_secret: set("s"),
        metadata_url: "https://a/b",
        redirect_port: 7000,
        without_pkce_promise: true,
      }),
      client_secret: signIn({ grant: { type: "client_secret" }, client_id: "c", client_secret: set("s") }),
      private_key: signIn({ grant: { ...key("k"), audience: "x" } as GrantConfig, client_id: "c" }),
      enterprise: signIn({ grant: enterprise, client_id: "c" }),
      workload: signIn({ grant: { type: "workload", assertion: set("j.w.t") }, scopes: "a b" }),
      off: { type: "off" },
    };
    for (const { way } of ways) {
      for (const { way: other } of ways) {
        const before = typedInto[way] ?? plainAuth;
        const there = choose(remember({}, before), other, nothing);
        expect(wayOf(there)).toBe(other);
        expect(choose(remember(remember({}, before), there), way, nothing)).toEqual(before);
      }
    }
  });

  it("keeps stored secrets for the way that has them, and begins empty elsewhere", () => {
    const saved = signIn({
      grant: { ...enterprise, id_token: keep, idp_client_secret: keep },
      client_id: "c",
      client_secret: keep,
    });
    const kept = keptSecrets(saved);
    expect([...kept].toSorted()).toEqual(["client_secret", "id_token", "idp_client_secret"]);
    const token = choose(remember({}, saved), "token", kept);
    expect(token).toEqual({ type: "token", token: set("") });
    expect(choose(remember(remember({}, saved), token), "enterprise", kept)).toEqual(saved);
    expect(keptSecrets({ type: "token", token: keep })).toEqual(new Set(["token"]));
    expect(choose({}, "token", new Set(["token"] as const))).toEqual({ type: "token", token: keep });
    expect(keptSecrets(undefined).size).toBe(0);
    expect(keptSecrets(signIn({ grant: key(pem("PRIVATE KEY")) })).size).toBe(0);
  });

  it("takes an emptied field for what was there before", () => {
    expect(emptied(true, true)).toEqual(keep);
    expect(emptied(true, false)).toEqual(keep);
    expect(emptied(false, true)).toBeNull();
    expect(emptied(false, false)).toEqual(set(""));
  });

  it("is said in one line", () => {
    expect(authSummary(plainAuth)).toBe("OAuth (when the server asks)");
    expect(authSummary(signIn({ client_id: " abc " }))).toBe("OAuth (when the server asks), client “abc”");
    expect(authSummary({ type: "off" })).toBe("None");
  });

  it("opens what most people never need only where something is in it", () => {
    expect(moreIsPlain(plainSignIn)).toBe(true);
    expect(moreIsPlain({ ...plainSignIn, client_id: "c" })).toBe(false);
    // For other grants, the client is shown above.
    expect(
      moreIsPlain({ ...plainSignIn, grant: { type: "client_secret" }, client_id: "c", client_secret: set("s") }),
    ).toBe(true);
    expect(moreIsPlain({ ...plainSignIn, grant: { type: "client_secret" }, metadata_url: "https://a/b" })).toBe(true);
    expect(moreIsPlain({ ...plainSignIn, grant: { type: "client_secret" }, dpop: "always" })).toBe(false);
  });
});

it("shows the address to register", () => {
  expect(redirectAddress(6274)).toBe("http://127.0.0.1:6274/callback");
});
