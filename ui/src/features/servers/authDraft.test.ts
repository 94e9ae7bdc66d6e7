import { describe, expect, it } from "vitest";

import type { AuthConfig, GrantConfig, SecretInput, SignInConfig } from "../../ipc/bindings";
import { address, plainAuth, plainDraft, plainSignIn } from "../../ipc/drafts";
import {
  authFields,
  authSummary,
  choose,
  emptied,
  isPlain,
  keptSecrets,
  moreIsPlain,
  redirectAddress,
  refusedField,
  remember,
  tidyAuth,
  wayOf,
  ways,
} from "./authDraft";
import { authProblems } from "./authProblems";
import { draftProblems, finished } from "./serverDraft";

const keep: SecretInput = { type: "keep" };
const set = (value: string): SecretInput => ({ type: "set", value });
const nothing: ReadonlySet<(typeof authFields)[number]> = new Set();
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
    expect(isPlain(signIn({ scopes: "  " }))).toBe(true);
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
    expect([...kept].toSorted()).toEqual(["auth.client_secret", "auth.id_token", "auth.idp_client_secret"]);
    const token = choose(remember({}, saved), "token", kept);
    expect(token).toEqual({ type: "token", token: set("") });
    expect(choose(remember(remember({}, saved), token), "enterprise", kept)).toEqual(saved);
    expect(keptSecrets({ type: "token", token: keep })).toEqual(new Set(["auth.token"]));
    expect(choose({}, "token", new Set(["auth.token"] as const))).toEqual({ type: "token", token: keep });
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
    // In the other ways the client stands above.
    expect(
      moreIsPlain({ ...plainSignIn, grant: { type: "client_secret" }, client_id: "c", client_secret: set("s") }),
    ).toBe(true);
    expect(moreIsPlain({ ...plainSignIn, grant: { type: "client_secret" }, dpop: "always" })).toBe(false);
  });
});

describe("what is saved of signing in", () => {
  it("is nothing where nothing was typed", () => {
    const typed = signIn({ client_id: " ", client_secret: set(""), issuer: "", metadata_url: " ", scopes: "\n" });
    expect(tidyAuth(typed)).toEqual(plainAuth);
  });

  it("has spaces only where they belong", () => {
    expect(tidyAuth({ type: "token", token: set(" abc\n") })).toEqual({ type: "token", token: set("abc") });
    // As it is copied from a header.
    expect(tidyAuth({ type: "token", token: set("bearer  abc") })).toEqual({ type: "token", token: set("abc") });
    // A password may begin with a space.
    expect(tidyAuth(signIn({ client_id: " c ", client_secret: set(" s "), scopes: " a   b\n" }))).toEqual(
      signIn({ client_id: "c", client_secret: set(" s "), scopes: "a b" }),
    );
  });

  it("leaves out what the way does not have", () => {
    const all: Partial<SignInConfig> = {
      client_id: "c",
      client_secret: set("s"),
      metadata_url: "https://a/b",
      redirect_port: 7000,
      without_pkce_promise: true,
      issuer: "https://i",
      scopes: "x",
      dpop: "never",
    };
    expect(tidyAuth(signIn(all))).toEqual(signIn(all));
    const shared = { client_id: "c", issuer: "https://i", scopes: "x", dpop: "never" } as const;
    expect(tidyAuth(signIn({ ...all, grant: { type: "client_secret" } }))).toEqual(
      signIn({ ...shared, grant: { type: "client_secret" }, client_secret: set("s") }),
    );
    const workload: GrantConfig = { type: "workload", assertion: set("j") };
    expect(tidyAuth(signIn({ ...all, grant: workload }))).toEqual(signIn({ ...shared, grant: workload }));
    expect(tidyAuth(signIn({ ...all, grant: key("k") }))).toEqual(signIn({ ...shared, grant: key("k") }));
  });

  it("is part of the server that is saved", () => {
    const transport = { ...address("https://a/"), auth: { type: "token", token: set(" t ") } } as const;
    const saved = finished({ name: "", ...plainDraft, transport } as Parameters<typeof finished>[0], []);
    expect(saved.transport).toMatchObject({ auth: { type: "token", token: set("t") } });
    const empty = { ...address("https://a/"), auth: { type: "token", token: set("") } } as const;
    expect(
      draftProblems({ name: "", ...plainDraft, transport: empty } as Parameters<typeof finished>[0]),
    ).toHaveProperty(["auth.token"]);
  });
});

describe("what is wrong with signing in", () => {
  const fields = (auth: AuthConfig) => Object.keys(authProblems(auth)).toSorted();

  it("is nothing to begin with, and never with “Never”", () => {
    expect(authProblems(plainAuth)).toEqual({});
    expect(authProblems({ type: "off" })).toEqual({});
  });

  it.each<[string, AuthConfig, string[]]>([
    ["no token", { type: "token", token: set(" ") }, ["auth.token"]],
    ["a kept token", { type: "token", token: keep }, []],
    ["a scheme without its token", { type: "token", token: set("Bearer ") }, ["auth.token"]],
    ["a token with another scheme", { type: "token", token: set("DPoP abc") }, ["auth.token"]],
    ["a token no header can carry", { type: "token", token: set("añb") }, ["auth.token"]],
    ["an odd token", { type: "token", token: set('a,b"c') }, []],
    [
      "a program without anything",
      signIn({ grant: { type: "client_secret" } }),
      ["auth.client_id", "auth.client_secret"],
    ],
    [
      "a program with a kept secret",
      signIn({ grant: { type: "client_secret" }, client_id: "c", client_secret: keep }),
      [],
    ],
    ["a key without a client", signIn({ grant: key(pem("PRIVATE KEY")) }), ["auth.client_id"]],
    ["no key", signIn({ grant: key(" "), client_id: "c" }), ["auth.key"]],
    ["a key in another form", signIn({ grant: key(pem("RSA PRIVATE KEY")), client_id: "c" }), ["auth.key"]],
    ["a certificate", signIn({ grant: key(pem("CERTIFICATE")), client_id: "c" }), ["auth.key"]],
    ["a company that vouches", signIn({ grant: enterprise, client_id: "c" }), []],
    ["a company without a client", signIn({ grant: enterprise }), ["auth.client_id"]],
    [
      "a company of which nothing is known",
      signIn({
        grant: { ...enterprise, idp_token_endpoint: "", idp_client_id: " ", id_token: set("") },
        client_id: "c",
      }),
      ["auth.id_token", "auth.idp_client_id", "auth.idp_token_endpoint"],
    ],
    ["a workload without a statement", signIn({ grant: { type: "workload", assertion: set("") } }), ["auth.assertion"]],
    ["a secret of nobody", signIn({ client_secret: set("s") }), ["auth.client_id"]],
    ["an issuer that is no address", signIn({ issuer: "login.example.com" }), ["auth.issuer"]],
    ["an issuer on this computer", signIn({ issuer: "http://localhost:8080/realm" }), []],
    ["an issuer with a fragment", signIn({ issuer: "https://a/#b" }), ["auth.issuer"]],
    ["a document over http", signIn({ metadata_url: "http://a.example/c.json" }), ["auth.metadata_url"]],
    ["a document without a path", signIn({ metadata_url: "https://a.example/" }), ["auth.metadata_url"]],
    ["a document with a password", signIn({ metadata_url: "https://me:pw@a.example/c" }), ["auth.metadata_url"]],
    ["scopes", signIn({ scopes: " files:read  https://a/b " }), []],
    ["scopes in quotation marks", signIn({ scopes: '"files"' }), ["auth.scopes"]],
  ])("names the field: %s", (_, auth, expected) => {
    expect(fields(auth)).toEqual(expected);
  });

  it("does not look at what the way does not have", () => {
    expect(
      fields(
        signIn({ grant: { type: "client_secret" }, client_id: "c", client_secret: set("s"), metadata_url: "nonsense" }),
      ),
    ).toEqual([]);
  });

  it("says how to convert a key", () => {
    expect(authProblems(signIn({ grant: key(pem("EC PRIVATE KEY")), client_id: "c" }))["auth.key"]).toContain(
      "openssl pkcs8 -topk8",
    );
    expect(authProblems(signIn({ grant: key(pem("ENCRYPTED PRIVATE KEY")), client_id: "c" }))["auth.key"]).toContain(
      "encrypted",
    );
    expect(authProblems(signIn({ grant: key(pem("PUBLIC KEY")), client_id: "c" }))["auth.key"]).toContain("public key");
  });

  it("finds the field of a refusal, if it is there to be seen", () => {
    expect(refusedField({ type: "token", token: keep }, "auth.token")).toBe("auth.token");
    expect(refusedField(signIn({ grant: key("k") }), "auth.algorithm: RS1 is not known")).toBe("auth.algorithm");
    expect(refusedField({ type: "off" }, "auth.token")).toBeUndefined();
    expect(refusedField(plainAuth, "auth.unheard_of")).toBeUndefined();
    expect(refusedField(plainAuth, undefined)).toBeUndefined();
  });
});

it("shows the address to register", () => {
  expect(redirectAddress(6274)).toBe("http://127.0.0.1:6274/callback");
});
