import { describe, expect, it } from "vitest";

import type { StoredKind, StoredSecret } from "../../ipc/bindings";
import { consequence, list, retried, when } from "./secretWords";

const secret = (kind: StoredKind) =>
  ({ kind, title: "Header Authorization", issuer: "https://login.example.com" }) as StoredSecret;

describe("what is said about stored secrets", () => {
  it("is what their loss means", () => {
    expect(consequence(secret("token"), ["Tickets", "Files"])).toBe(
      "You will have to sign in again to “Tickets” and “Files”.",
    );
    expect(consequence(secret("token"), [])).toContain("No server uses it");
    expect(consequence(secret("client"), [])).toContain("register again with https://login.example.com");
    expect(consequence(secret("setting"), ["Tickets"])).toMatch(
      /“Header Authorization” will have no value .* of “Tickets”\./,
    );
  });

  it("lists names as people do", () => {
    expect([list([]), list(["a"]), list(["a", "b", "c"])]).toEqual(["", "“a”", "“a”, “b” and “c”"]);
  });

  it("says how many the keyring took, and how many not", () => {
    expect(retried(0, 0)).toBe("No secrets are waiting to be moved to the keyring.");
    expect(retried(1, 0)).toBe("One secret was moved to the keyring.");
    expect(retried(0, 2)).toBe("No secret was moved to the keyring. 2 are still in memory only.");
    expect(retried(4, 1)).toBe("4 secrets were moved to the keyring. One is still in memory only.");
  });

  it("writes a day and a time", () => {
    expect(when(new Date(2026, 0, 3, 4, 5).getTime())).toBe("2026-01-03 04:05");
  });
});
