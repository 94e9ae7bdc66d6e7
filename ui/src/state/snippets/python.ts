/** Programs with the official Python SDK, version 2. */
import { own } from "../../lib/own";
import { block, expression, literal, python } from "./literals";
import { member, OPENING, ownParams, type Request, type Snippet } from "./request";
import type { Target } from "./target";

const text = python.string;

/** List requests, with the SDK method of each. */
const LISTS: Readonly<Record<string, string>> = {
  "tools/list": "list_tools",
  "prompts/list": "list_prompts",
  "resources/list": "list_resources",
  "resources/templates/list": "list_resource_templates",
};

/** Requests about one thing: the SDK method, and the members of the params that it takes, in order. */
const CALLS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  "tools/call": ["call_tool", "name", "arguments"],
  "prompts/get": ["get_prompt", "name", "arguments"],
  "resources/read": ["read_resource", "uri"],
  "resources/subscribe": ["subscribe_resource", "uri"],
  "resources/unsubscribe": ["unsubscribe_resource", "uri"],
  "logging/setLevel": ["set_logging_level", "level"],
  ping: ["send_ping"],
};

export function pythonProgram(target: Target, request: Request): Snippet {
  if (target.type === "web_socket") return { problem: "The Python SDK has no WebSocket transport." };
  const call = OPENING.has(request.method) ? null : callOf(request);
  if (call === undefined) return { problem: `The Python SDK has no method for ${request.method}.` };
  const { imports, before, server, around } = serverOf(target);
  const inner = around === null ? 1 : 2;
  const pad = (depth: number): string => python.indent.repeat(depth);
  const needsOs = [...before, call ?? ""].some((line) => line.includes("os.environ"));
  return {
    program: [
      `# pip install "mcp>=2"`,
      "import asyncio",
      ...(needsOs ? ["import os"] : []),
      "",
      ...imports,
      "",
      "",
      "async def main() -> None:",
      ...before.map((line) => pad(1) + line),
      ...(around === null ? [] : [`${pad(1)}async with ${around} as http:`]),
      `${pad(inner)}async with Client(${server}) as client:`,
      ...(call === null
        ? [`${pad(inner + 1)}print(client.server_info)`]
        : [
            `${pad(inner + 1)}result = await client.${indented(call, inner + 1)}`,
            `${pad(inner + 1)}print(result.model_dump_json(indent=2, by_alias=True, exclude_none=True))`,
          ]),
      "",
      "",
      "asyncio.run(main())",
      "",
    ].join("\n"),
  };
}

/** Indents lines. Literals have no line breaks within strings, so that each line can be indented. */
function indented(lines: string, depth: number): string {
  return lines.replaceAll("\n", `\n${python.indent.repeat(depth)}`);
}

function callOf({ method, params }: Request): string | undefined {
  const given = ownParams(params);
  const list = own(LISTS, method);
  if (list !== undefined) {
    const cursor = member(given, "cursor");
    return `${list}(${cursor ? `cursor=${literal(cursor, python)}` : ""})`;
  }
  const [name, ...names] = own(CALLS, method) ?? [];
  if (name === undefined) return undefined;
  const members = names.map((each) => member(given, each));
  const end = members.findLastIndex((value) => value !== undefined) + 1;
  const values = members.slice(0, end).map((value) => (value ? literal(value, python) : python.words.null));
  return `${name}(${values.join(", ")})`;
}

interface Server {
  readonly imports: readonly string[];
  /** Statements before the client. */
  readonly before: readonly string[];
  /** Expression passed to the client. */
  readonly server: string;
  /** Expression of the context manager around the client, as `http`; `null` for none. */
  readonly around: string | null;
}

function serverOf(target: Target): Server {
  if (target.type === "stdio") {
    const { command, args, env, cwd } = target;
    const options = [`command=${text(command)}`];
    if (args.length > 0) options.push(`args=${block("[", args.map(text), "]", python, 1)}`);
    if (env.length > 0) {
      const values = env.map(([name, value]) => `${text(name)}: ${expression(value, python)}`);
      options.push(`env=${block("{", values, "}", python, 1)}`);
    }
    if (cwd !== null) options.push(`cwd=${text(cwd)}`);
    const lines = `server = StdioServerParameters${block("(", options, ")", python)}`;
    return {
      imports: ["from mcp import Client, StdioServerParameters"],
      before: lines.split("\n"),
      server: "server",
      around: null,
    };
  }
  const { type, url, headers } = target;
  const values = headers.map(([name, value]) => `${text(name)}: ${expression(value, python)}`);
  const head = `headers = ${block("{", values, "}", python)}`;
  const before = headers.length > 0 ? head.split("\n") : [];
  if (type === "http_sse") {
    return {
      imports: ["from mcp import Client", "from mcp.client.sse import sse_client"],
      before,
      server: `sse_client(${text(url)}${headers.length > 0 ? ", headers=headers" : ""})`,
      around: null,
    };
  }
  if (headers.length === 0) return { imports: ["from mcp import Client"], before, server: text(url), around: null };
  return {
    imports: [
      "import httpx2",
      "from mcp import Client",
      "from mcp.client.streamable_http import streamable_http_client",
    ],
    before,
    server: `streamable_http_client(${text(url)}, http_client=http)`,
    around: "httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(30, read=300))",
  };
}
