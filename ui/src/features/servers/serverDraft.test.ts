import { describe, expect, it } from "vitest";

import { address, plainDraft } from "../../ipc/drafts";
import type { NamedValue, ServerConfig, Transport } from "../../ipc/bindings";
import { looksLikeServers } from "./pasted";
import {
  asksForInputs,
  inputProblem,
  isSocket,
  named,
  nameFor,
  readNumber,
  secretWords,
  withHidden,
  withSecret,
} from "./serverDraft";

const draft = (transport: Transport, name = ""): ServerConfig => ({
  name,
  transport,
  ...plainDraft,
});
const stdio = (command: string, args: string[] = []): Transport => ({
  type: "stdio",
  command,
  args,
  env: [],
  cwd: null,
});
const http = address;

describe("what another client asks for", () => {
  const inputs = ["${input:key}", "${env:HOME}"];

  it("is said at its field, by its name", () => {
    expect(inputProblem("${input:key}", inputs)).toBe("Enter the value of “key”.");
    expect(inputProblem("--dir=${env:HOME}", inputs)).toBe("Replace ${env:HOME} with the value of “HOME”.");
    expect(inputProblem("${input:other}", inputs)).toBeUndefined();
  });

  it("is missing until every field has its value", () => {
    const transport = stdio("npx", ["${input:key}"]);
    expect(asksForInputs(draft(transport), inputs)).toBe(true);
    expect(asksForInputs(draft(stdio("npx", ["k"])), inputs)).toBe(false);
    const header = (value: string) => ({
      ...http("https://a.example/mcp"),
      headers: [{ name: "Authorization", value: { kind: "plain" as const, value } }],
    });
    expect(asksForInputs(draft(header("Bearer ${input:key}")), inputs)).toBe(true);
    expect(asksForInputs(draft(header("Bearer k")), inputs)).toBe(false);
  });
});

describe("a server's form", () => {
  it.each([
    [stdio("npx", ["-y", "@modelcontextprotocol/server-everything@1.2.3", "stdio"]), "server-everything"],
    [stdio("uvx", ["mcp-server-time"]), "mcp-server-time"],
    [stdio("/usr/bin/python3", ["server.py"]), "server.py"],
    [stdio("/opt/my-server"), "my-server"],
    [stdio("C:\\tools\\server.exe"), "server.exe"],
    [http("https://mcp.example.com/v1/mcp"), "mcp.example.com"],
  ])("finds a name", (transport, name) => {
    expect(nameFor(transport)).toBe(name);
    expect(named(draft(transport, "  "), []).name).toBe(name);
  });

  it.each([
    [http("https://a.example/mcp"), ["a.example"], "a.example/mcp"],
    [http("https://a.example/mcp/"), ["a.example", "a.example/mcp"], "a.example 2"],
    [http("https://a.example/"), ["a.example", "a.example 2"], "a.example 3"],
    [stdio("/opt/my-server"), ["my-server"], "my-server 2"],
  ])("tells a server from those that are there", (transport, taken, name) => {
    expect(named(draft(transport, ""), taken).name).toBe(name);
  });

  it("keeps the name that was typed", () => {
    expect(named(draft(stdio("server"), "Mine"), ["Mine"]).name).toBe("Mine");
  });

  it("knows web sockets", () => {
    expect(isSocket(" WSS://example.com")).toBe(true);
    expect(isSocket("https://example.com")).toBe(false);
  });

  it("reads whole numbers within their limits", () => {
    expect(readNumber("", 1, 10)).toEqual({ value: null });
    expect(readNumber(" 7 ", 1, 10)).toEqual({ value: 7 });
    for (const text of ["0", "11", "-1", "1.5", "soon"]) expect(readNumber(text, 1, 10)).toHaveProperty("problem");
  });

  it("never shows a kept secret", () => {
    expect(withSecret({ kind: "secret", value: { type: "keep" } }, false)).toEqual({ kind: "plain", value: "" });
    expect(withSecret({ kind: "plain", value: "x" }, true)).toEqual({
      kind: "secret",
      value: { type: "set", value: "x" },
    });
  });

  it("hides what is typed under a name that tells a secret, until the user says otherwise", () => {
    const entry = (name: string, value: string): NamedValue => ({ name, value: { kind: "plain", value } });
    const hidden = (name: string, value: string) => ({
      name,
      value: { kind: "secret", value: { type: "set", value } },
    });
    for (const name of ["Authorization", "X-API-Key", "GITHUB_TOKEN", "DB_PASSWORD", "SIGNING_KEY"]) {
      expect(withHidden(entry(name, ""), entry(name, "h"))).toEqual(hidden(name, "h"));
      expect(withHidden(entry("X", "hush"), entry(name, "hush"))).toEqual(hidden(name, "hush"));
    }
    for (const [name, value] of [
      ["MAX_TOKENS", "4096"],
      ["USE_TOKEN", "true"],
      ["API_TOKEN", "${env:API_TOKEN}"],
      ["KEYBOARD", "us"],
      ["API_TOKEN", ""],
    ] as const) {
      expect(withHidden(entry(name, ""), entry(name, value))).toEqual(entry(name, value));
    }
    // A value that the user made plain stays plain.
    expect(withHidden(entry("API_TOKEN", "hus"), entry("API_TOKEN", "hush"))).toEqual(entry("API_TOKEN", "hush"));
  });

  it("calls secrets by plain names", () => {
    expect(secretWords("env:API_KEY")).toBe("the variable API_KEY");
    expect(secretWords("header:X-Odd:Name")).toBe("the header X-Odd:Name");
    expect(secretWords("auth:private_key")).toBe("the private key");
    expect(secretWords("auth:id_token")).toBe("the ID token");
    expect(secretWords("proxy:password")).toBe("the password of the proxy");
    expect(secretWords("unheard-of")).toBe("unheard-of");
  });

  it("knows configuration JSON from other pasted text", () => {
    expect(looksLikeServers('{"mcpServers": {}}')).toBe(true);
    expect(looksLikeServers('"files": {"command": "npx"}')).toBe(true);
    expect(looksLikeServers('{"name": "Ada"}')).toBe(false);
    expect(looksLikeServers("npx -y server")).toBe(false);
  });
});
