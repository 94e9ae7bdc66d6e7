import { describe, expect, it } from "vitest";

import type { AuthExchange, AuthProblem, AuthStep, AuthStatus, Grant, SignInPrompt } from "../../ipc/bindings";
import { plainAuth, plainSignIn } from "../../ipc/drafts";
import { announcement, badgeWords, expiryWords, isUntouched } from "./badgeWords";
import {
  agoWords,
  expiryDate,
  givenUpWords,
  opensElsewhere,
  refreshReason,
  signOutWords,
  traceText,
  untouchedWords,
} from "./authWords";

const now = Date.UTC(2026, 0, 2, 3, 4, 5);

const grant = {
  issuer: "https://login.example.com/tenants/a",
  scopes: ["read", "write"],
  refresh_fingerprint: "77d1",
  expires_at: now + 300_000,
  revocable: true,
} as Grant;

const signedOut = {
  state: "signed_out",
  grant: null,
  problem: null,
  steps: [],
  wrong_token: false,
} as unknown as AuthStatus;

const step: AuthStep = {
  step: 1,
  at: now,
  millis: 42,
  code: "token",
  title: "The code was exchanged",
  state: "done",
  sentence: "There is a token.",
  has_exchange: true,
  spec: { name: "Authorization: tokens", url: "https://example.org/spec" },
};

const exchange: AuthExchange = {
  method: "POST",
  url: "https://login.example.com/token",
  request_headers: [{ name: "accept", value: "application/json" }],
  request_body: "grant_type=authorization_code",
  status: 400,
  response_headers: [{ name: "content-type", value: "application/json" }],
  response_body: '{"error":"invalid_grant"}',
  error: null,
};

describe("the badge", () => {
  it("says nothing where nobody asked for a sign-in", () => {
    expect(badgeWords(undefined, now)).toBeNull();
    expect(badgeWords(signedOut, now)).toBeNull();
    expect(isUntouched({ ...signedOut, steps: [step] })).toBe(false);
  });

  it("says that somebody was signed in", () => {
    expect(badgeWords({ ...signedOut, steps: [step] }, now)?.word).toBe("Signed out");
  });

  it("counts scopes and the time that is left", () => {
    const auth: AuthStatus = { ...signedOut, state: "signed_in", grant };
    expect(badgeWords(auth, now)).toEqual({
      word: "Signed in",
      facts: ["2 scopes", "expires in 5 minutes"],
      tone: "ok",
    });
    expect(badgeWords(auth, now + 300_000)).toEqual({
      word: "Signed in",
      facts: ["2 scopes", "expired"],
      tone: "warn",
    });
    expect(badgeWords({ ...auth, grant: { ...grant, scopes: [], expires_at: null } }, now)?.facts).toEqual([]);
  });

  it("has a word for every state", () => {
    const word = (state: AuthStatus["state"]): string | undefined => badgeWords({ ...signedOut, state }, now)?.word;
    expect(word("prompt")).toBe("Sign-in required");
    expect(word("confirmation")).toBe("Confirmation required");
    expect(word("browser")).toBe("Signing in…");
    expect(word("refreshing")).toBe("Refreshing…");
    expect(word("failed")).toBe("Sign-in failed");
    const problem = { code: "cancelled" } as AuthProblem;
    expect(badgeWords({ ...signedOut, state: "failed", problem }, now)?.word).toBe("Sign-in cancelled");
  });

  it("is read out without times", () => {
    expect(announcement({ ...signedOut, state: "signed_in", grant }, "Tickets")).toBe("Signed in to Tickets");
    expect(announcement({ ...signedOut, state: "refreshing", grant }, "Tickets")).toBe("");
  });
});

describe("countdowns", () => {
  it("are rounded and never say 0", () => {
    expect(expiryWords(now + 1, now)).toBe("expires in less than a minute");
    expect(expiryWords(now + 60_000, now)).toBe("expires in 1 minute");
    expect(expiryWords(now + 89_000, now)).toBe("expires in 1 minute");
    expect(expiryWords(now + 91_000, now)).toBe("expires in 2 minutes");
    // A clock slightly behind the server's does not round up to a second hour.
    expect(expiryWords(now + 3_600_700, now)).toBe("expires in 60 minutes");
    expect(expiryWords(now + 3_599_000, now)).toBe("expires in 60 minutes");
    expect(expiryWords(now + 3 * 86_400_000, now)).toBe("expires in 3 days");
    expect(expiryWords(now, now)).toBe("expired");
    expect(expiryWords(null, now)).toBe("");
  });

  it("are exact where there is room", () => {
    expect(expiryDate(now + 245_000, now)).toMatch(/^\d\d:\d\d:\d\d, in 4 minutes$/);
    expect(expiryDate(now - 12_000, now)).toMatch(/^\d\d:\d\d:\d\d, expired$/);
    expect(expiryDate(null, now)).toBe("Not stated by the authorization server");
    expect(givenUpWords(now + 272_000, now)).toBe("Expires in 5 minutes");
    expect(givenUpWords(now - 1, now)).toBe("Expires now");
  });

  it("say how long ago something was", () => {
    expect(agoWords(now, now)).toBe("just now");
    expect(agoWords(now - 61_000, now)).toBe("1 min ago");
    expect(agoWords(now - 7_300_000, now)).toBe("2 h ago");
  });
});

describe("addresses", () => {
  it("tell when the page is at another host", () => {
    const prompt = { issuer: "https://login.example.com/a", host: "login.example.com" } as SignInPrompt;
    expect(opensElsewhere(prompt)).toBe(false);
    expect(opensElsewhere({ ...prompt, issuer: "https://login.example.com:8443" })).toBe(false);
    expect(opensElsewhere({ ...prompt, host: "accounts.example.com" })).toBe(true);
  });
});

describe("what can be done", () => {
  it("knows when a new token needs the user", () => {
    expect(refreshReason(null, plainAuth)).not.toBeNull();
    expect(refreshReason(grant, plainAuth)).toBeNull();
    expect(refreshReason({ ...grant, refresh_fingerprint: null }, plainAuth)).not.toBeNull();
    const client = { type: "sign_in" as const, options: { ...plainSignIn, grant: { type: "client_secret" as const } } };
    expect(refreshReason({ ...grant, refresh_fingerprint: null }, client)).toBeNull();
  });

  it("says whether the authorization server is told of a sign-out", () => {
    expect(signOutWords(grant)).toContain("revoked at login.example.com");
    expect(signOutWords({ ...grant, revocable: false })).toContain("stays valid until it expires");
  });

  it("explains an empty pane by the settings", () => {
    expect(untouchedWords({ type: "off" })).toContain("is off");
    expect(untouchedWords(null)).toContain("has not required a sign-in");
  });
});

describe("the trace", () => {
  it("has every step with its request and answer", () => {
    const text = traceText(
      "Tickets",
      [step, { ...step, step: 2, has_exchange: false, millis: null, spec: null }],
      new Map([[1, exchange]]),
    );
    expect(text).toContain("1. The code was exchanged (done, 42 ms)");
    expect(text).toContain("See Authorization: tokens: https://example.org/spec");
    expect(text).toContain(
      'POST https://login.example.com/token\naccept: application/json\n\ngrant_type=authorization_code\n\n400 Bad Request\ncontent-type: application/json\n\n{"error":"invalid_grant"}',
    );
    expect(text).toContain("2. The code was exchanged (done) at");
  });

  it("says which requests are gone or had no answer", () => {
    expect(traceText("Tickets", [step], new Map([[1, null]]))).toContain("no longer stored");
    const lost = {
      ...exchange,
      status: null,
      response_headers: [],
      response_body: null,
      error: "The host was not found.",
    };
    expect(traceText("Tickets", [step], new Map([[1, lost]]))).toContain("\n\nThe host was not found.");
  });
});
