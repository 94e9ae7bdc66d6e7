import { describe, expect, it } from "vitest";

import type { ServerDraft, TransportDraft } from "../../ipc/bindings";
import { looksLikeServers } from "./pasted";
import { draftProblems, finished, moved, nameFor, withSecret } from "./serverDraft";

const draft = (transport: TransportDraft, name = ""): ServerDraft => ({
  name,
  transport,
  idle_seconds: null,
  hard_seconds: null,
});
const stdio = (command: string, args: string[] = []): TransportDraft => ({ type: "stdio", command, args, env: [], cwd: null });
const http = (url: string): TransportDraft => ({ type: "http", url, headers: [] });

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
    expect(finished(draft(transport, "  ")).name).toBe(name);
  });

  it("keeps the name that was typed, and an argument's spaces", () => {
    const saved = finished(draft(stdio(" server ", [" a "]), " Mine "));
    expect(saved.name).toBe("Mine");
    expect(saved.transport).toMatchObject({ command: "server", args: [" a "] });
  });

  it("names what is missing", () => {
    expect(draftProblems(draft(stdio(" ")))).toHaveProperty("command");
    expect(draftProblems(draft(http("localhost:3000")))).toHaveProperty("url");
    expect(draftProblems(draft(http("ftp://example.com")))).toHaveProperty("url");
    expect(draftProblems(draft(http("http://localhost:3000/mcp")))).toEqual({});
    const header = { name: " ", value: { kind: "plain", value: "x" } } as const;
    expect(draftProblems(draft({ type: "http", url: "http://a/", headers: [header] }))).toHaveProperty("names");
  });

  it("never shows a kept secret", () => {
    expect(withSecret({ kind: "secret", input: { type: "keep" } }, false)).toEqual({ kind: "plain", value: "" });
    expect(withSecret({ kind: "plain", value: "x" }, true)).toEqual({ kind: "secret", input: { type: "set", value: "x" } });
  });

  it("moves an item and stops at the ends", () => {
    expect(moved(["a", "b", "c"], 2, -1)).toEqual(["a", "c", "b"]);
    expect(moved(["a", "b"], 0, -1)).toEqual(["a", "b"]);
    expect(moved(["a", "b"], 1, 1)).toEqual(["a", "b"]);
  });

  it("knows configuration JSON from other pasted text", () => {
    expect(looksLikeServers('{"mcpServers": {}}')).toBe(true);
    expect(looksLikeServers('"files": {"command": "npx"}')).toBe(true);
    expect(looksLikeServers('{"name": "Ada"}')).toBe(false);
    expect(looksLikeServers("npx -y server")).toBe(false);
  });
});
