import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { ServerConfig, ServerView } from "../../ipc/bindings";
import { address, plainDraft } from "../../ipc/drafts";
import { parsed as node } from "../../schema/testing/walk";
import { literal, python, roundedNumbers, typeScript } from "./literals";
import type { Request } from "./request";
import { snippetOf, type SnippetLanguage } from "./snippet";
import { targetOf, type Target } from "./target";

/** Evaluates a literal with the engine. */
// oxlint-disable-next-line no-eval
const evaluated = (code: string): unknown => (0, eval)(`(${code})`) as unknown;

/** Decodes a Python string literal, and checks that it only has escapes that are decoded here. */
function pythonText(code: string): string {
  expect(code).toMatch(/^"(?:[^"\\\n]|\\(?:[nrt"\\]|u[0-9a-f]{4}|U[0-9a-f]{8}))*"$/);
  return code.slice(1, -1).replaceAll(/\\(?:U([0-9a-f]{8})|u([0-9a-f]{4})|(.))/g, (_, wide, short, one) => {
    if (one !== undefined) return { n: "\n", r: "\r", t: "\t" }[one as string] ?? (one as string);
    return String.fromCodePoint(parseInt((wide ?? short) as string, 16));
  });
}

const EVIL = [
  `"; process.exit(1); "`,
  "`${process.env.HOME}`",
  "\\",
  '\\"',
  "*/ // #",
  "line\nbreak\r\n\t\0",
  "\u2028\u2029\u0085",
  "\u202Egnp.exe\u200B\uFEFF",
  "'''\"\"\"",
  "{0} %s $HOME $(id)",
  "\u{1F600}\u{E0041}",
  "\uD800",
  "__proto__",
];

const stdio: Target = { type: "stdio", command: "npx", args: ["-y", "x"], env: [], cwd: null };
const http: Target = { type: "streamable_http", url: "https://example.com/mcp", headers: [] };

function program(language: SnippetLanguage, target: Target, method: string, params: string | null): string {
  const request: Request = { method, params: params === null ? null : node(params) };
  const snippet = snippetOf(language, target, request);
  if ("problem" in snippet) throw new Error(snippet.problem);
  return snippet.program;
}

describe("literals", () => {
  it.each(EVIL)("mean what the string says: %j", (text) => {
    const json = node(JSON.stringify({ [text]: [text] }));
    const code = literal(json, typeScript);
    const value = evaluated(code) as Record<string, string[]>;
    expect(Object.keys(value)).toEqual([text]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value[text]).toEqual([text]);
    expect(code).not.toMatch(/[\u202E\u200B\uFEFF\u2028\u0085]/);
    const string = literal(node(JSON.stringify(text)), python);
    expect(pythonText(string)).toBe(text);
    expect(string).not.toMatch(/[\u202E\u200B\uFEFF\u2028\u0085]/);
  });

  it("mean what any JSON says", () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: "binary" }), (json) => {
        expect(evaluated(literal(node(json), typeScript))).toEqual(evaluated(`JSON.parse(${JSON.stringify(json)})`));
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(pythonText(python.string(text))).toBe(text);
      }),
    );
  });

  it("keep the digits, the order of the keys, and the words of the language", () => {
    const json = node('{"b":[9007199254740993,1.0,null,true,false],"a":{},"c":[],"b":1e400}');
    expect(literal(json, python)).toBe('{\n    "a": {},\n    "c": [],\n    "b": 1e400,\n}');
    const all = node("[9007199254740993,1.0,null,true,false]");
    expect(literal(all, python)).toBe("[\n    9007199254740993,\n    1.0,\n    None,\n    True,\n    False,\n]");
    expect(roundedNumbers(node('[1,1.5,9007199254740993,{"a":1e400},-0]'))).toEqual(["9007199254740993", "1e400"]);
  });
});

describe("programs", () => {
  const call = '{"_meta":{"progressToken":1},"name":"echo","arguments":{"message":"it\'s \\"here\\""}}';

  it("call a tool over stdio", () => {
    const target: Target = {
      ...stdio,
      env: [
        ["PLAIN", { value: "1" }],
        ["API_KEY", { variable: "API_KEY", before: "" }],
      ],
      cwd: "C:\\work",
    };
    expect(program("typescript", target, "tools/call", call)).toBe(`// npm install @modelcontextprotocol/sdk@1
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport, getDefaultEnvironment } from "@modelcontextprotocol/sdk/client/stdio.js";

const transport = new StdioClientTransport({
  command: "npx",
  args: [
    "-y",
    "x",
  ],
  env: {
    ...getDefaultEnvironment(),
    "PLAIN": "1",
    "API_KEY": (process.env["API_KEY"] ?? ""),
  },
  cwd: "C:\\\\work",
});
const client = new Client({ name: "my-client", version: "1.0.0" });
await client.connect(transport);
const result = await client.callTool({
  "name": "echo",
  "arguments": {
    "message": "it's \\"here\\"",
  },
});
console.log(JSON.stringify(result, null, 2));
await client.close();
`);
    expect(program("python", target, "tools/call", call)).toBe(`# pip install "mcp>=2"
import asyncio
import os

from mcp import Client, StdioServerParameters


async def main() -> None:
    server = StdioServerParameters(
        command="npx",
        args=[
            "-y",
            "x",
        ],
        env={
            "PLAIN": "1",
            "API_KEY": os.environ["API_KEY"],
        },
        cwd="C:\\\\work",
    )
    async with Client(server) as client:
        result = await client.call_tool("echo", {
            "message": "it's \\"here\\"",
        })
        print(result.model_dump_json(indent=2, by_alias=True, exclude_none=True))


asyncio.run(main())
`);
  });

  it("send headers, with variables for secrets", () => {
    const target: Target = {
      ...http,
      headers: [
        ["X-Team", { value: 'a"b' }],
        ["Authorization", { variable: "ACCESS_TOKEN", before: "Bearer " }],
      ],
    };
    const code = program("typescript", target, "resources/read", '{"uri":"file:///a"}');
    expect(code).toContain('"X-Team": "a\\"b",');
    expect(code).toContain('"Authorization": "Bearer " + (process.env["ACCESS_TOKEN"] ?? ""),');
    expect(code).toContain('client.readResource({\n  "uri": "file:///a",\n})');
    const other = program("python", target, "resources/read", '{"uri":"file:///a"}');
    expect(other).toContain('"Authorization": "Bearer " + os.environ["ACCESS_TOKEN"],');
    expect(other).toContain('Client(streamable_http_client("https://example.com/mcp", http_client=http)) as client:');
    expect(other).toContain('read_resource("file:///a")');
  });

  it("have variables for the secrets of params", () => {
    const params = '{"name":"echo","arguments":{"key":"‹secret 3fa9c1›","header":"Bearer ‹secret 3fa9c1›."}}';
    const code = program("typescript", stdio, "tools/call", params);
    expect(code).toContain('"key": (process.env["SECRET_3fa9c1"] ?? ""),');
    expect(code).toContain('"header": "Bearer " + (process.env["SECRET_3fa9c1"] ?? "") + ".",');
    const other = program("python", stdio, "tools/call", params);
    expect(other).toContain('"key": os.environ["SECRET_3fa9c1"],');
    expect(other).toContain('"header": "Bearer " + os.environ["SECRET_3fa9c1"] + ".",');
    expect(other).toContain("\nimport os\n");
    expect(program("python", stdio, "resources/read", '{"uri":"‹secret 12345›"}')).toContain('"‹secret 12345›"');
  });

  it("use the transport of the server, and say where there is none", () => {
    const sse: Target = { ...http, type: "http_sse" };
    expect(program("typescript", sse, "ping", null)).toContain("new SSEClientTransport(new URL(");
    expect(program("python", sse, "ping", null)).toContain('Client(sse_client("https://example.com/mcp")) as client');
    const socket: Target = { ...http, type: "web_socket", url: "wss://example.com" };
    expect(program("typescript", socket, "ping", null)).toContain("new WebSocketClientTransport(");
    expect(() => program("python", socket, "ping", null)).toThrow("no WebSocket transport");
    expect(() => program("python", http, "no/such", null)).toThrow("no method for no/such");
    expect(() => program("python", http, "constructor", null)).toThrow("no method");
  });

  it("send what the client has no method for as a request", () => {
    const code = program("typescript", http, 'a"b', '{"n":9007199254740993}');
    expect(code).toContain(
      'client.request({\n  method: "a\\"b",\n  params: {\n    "n": 9007199254740993,\n  },\n}, ResultSchema)',
    );
    expect(code).toContain("// JavaScript rounds these numbers: 9007199254740993");
    expect(program("typescript", http, "tools/list", '{"_meta":{}}')).toContain("await client.listTools();");
    expect(program("python", http, "tools/list", '{"cursor":"x"}')).toContain('list_tools(cursor="x")');
    expect(program("python", http, "initialize", "{}")).toContain("print(client.server_info)");
  });
});

describe("the target", () => {
  it("has variables for what is secret", () => {
    const draft: ServerConfig = {
      ...plainDraft,
      name: "s",
      transport: {
        ...address("https://example.com/mcp"),
        headers: [{ name: "X-API-Key", value: { kind: "secret", value: { type: "keep" } } }],
        auth: { type: "token", token: { type: "keep" } },
      },
    };
    const server = { id: "s", config: draft } as ServerView;
    expect(targetOf({ server, session: undefined, connection: undefined, auth: undefined })).toEqual({
      type: "streamable_http",
      url: "https://example.com/mcp",
      headers: [
        ["X-API-Key", { variable: "X_API_KEY", before: "" }],
        ["Authorization", { variable: "ACCESS_TOKEN", before: "Bearer " }],
      ],
    });
  });
});
