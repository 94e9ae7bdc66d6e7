import { describe, expect, it } from "vitest";

import { decodePunycode, foreignHosts, hostOf, hostWords, normalForm, splitHost } from "./address";

describe("addresses", () => {
  it("are cut around the host", () => {
    expect(splitHost("https://login.example.com:8443/a?b#c")).toEqual({
      before: "https://",
      host: "login.example.com:8443",
      after: "/a?b#c",
    });
    expect(splitHost("http://[::1]:3000/")?.host).toBe("[::1]:3000");
    expect(splitHost("no address")).toBeNull();
  });

  it("do not take a user name for the host", () => {
    expect(hostOf("https://login.example.com@evil.example/authorize")).toBe("evil.example");
    expect(hostOf("https://evil.example/@login.example.com")).toBe("evil.example");
    expect(hostOf("https://evil.example?@login.example.com")).toBe("evil.example");
    expect(hostOf("https://evil.example\\@login.example.com")).toBe("evil.example");
  });

  it("are shown as they open", () => {
    expect(normalForm("https://a.example")).toBe("https://a.example");
    expect(normalForm("https://a.example/\u202Egpj.exe")).toBe("https://a.example/%E2%80%AEgpj.exe");
    expect(normalForm("https:\\\\evil.example\\a")).toBe("https://evil.example/a");
    expect(normalForm("https://good.example\t@evil.exam\nple/")).toBe("https://good.example@evil.example/");
    expect(normalForm("https://a\u200Bpple.com/")).toBe("https://apple.com/");
    expect(normalForm("https://аррӏе.com/")).toBe("https://xn--80ak6aa92e.com/");
    expect(normalForm("no address")).toBe("no address");
  });
});

describe("hosts", () => {
  it("are decoded, and their letters named", () => {
    expect(hostWords("example.com")).toBeNull();
    expect(hostWords("xn--80ak6aa92e.com")).toBe("`xn--80ak6aa92e.com` stands for “аррӏе.com” in Cyrillic letters.");
    const mixed = new URL("https://pаypal.com/").host;
    expect(hostWords(`${mixed}:8443`)).toBe(
      `\`${mixed}\` stands for “pаypal.com”, which mixes Latin and Cyrillic letters.`,
    );
    expect(hostWords("xn--mnchen-3ya.example")).toBe(
      "`xn--mnchen-3ya.example` stands for “münchen.example” in Latin letters.",
    );
  });

  it("of symbols only have no letters to name", () => {
    const { host } = new URL("https://😀.example/");
    expect(hostWords(host)).toBe(`\`${host}\` stands for “😀.example”.`);
  });

  it("are found in a command's words", () => {
    expect(
      foreignHosts("npx mcp-remote --url=https://аррӏе.com/mcp https://example.com 'wss://münchen.example:1'"),
    ).toEqual(["xn--80ak6aa92e.com", "xn--mnchen-3ya.example:1"]);
    expect(foreignHosts("https://user@xn--80ak6aa92e.com/ https://xn--80ak6aa92e.com/again")).toEqual([
      "xn--80ak6aa92e.com",
    ]);
    expect(foreignHosts("報告.txt https://example.com/報告")).toEqual([]);
    expect(
      foreignHosts(
        "https://аррӏе.com ".repeat(10_000) + Array.from({ length: 100 }, (_, n) => `https://ä${n}.example`).join(" "),
      ),
    ).toHaveLength(20);
  });

  it("are decoded as they are encoded", () => {
    for (const label of ["münchen", "аррӏе", "日本語テスト", "пример-a1", "ελλάδα", "한국", "a-ü-b", "😀x"]) {
      const { hostname } = new URL(`https://${label}/`);
      expect(decodePunycode(hostname.slice(4))).toBe(label);
    }
    expect(decodePunycode("!")).toBeNull();
    expect(decodePunycode("99999999")).toBeNull();
  });

  it("that cannot be decoded stay as they are", () => {
    for (const label of ["9".repeat(330) + "a", "9".repeat(58) + "a", "a".repeat(60), "!"]) {
      expect(decodePunycode(label), label).toBeNull();
      expect(hostWords(`xn--${label}.com`), label).toBeNull();
    }
  });
});
