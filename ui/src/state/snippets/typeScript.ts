/** Programs with the official TypeScript SDK, version 1. */
import { own } from "../../lib/own";
import { block, expression, literal, roundedNumbers, typeScript } from "./literals";
import { member, OPENING, ownParams, type Request } from "./request";
import type { Target } from "./target";

const SDK = "@modelcontextprotocol/sdk";
const text = typeScript.string;

/** Requests with a client method that takes the params. */
const METHODS: Readonly<Record<string, string>> = {
  "tools/call": "callTool",
  "tools/list": "listTools",
  "prompts/get": "getPrompt",
  "prompts/list": "listPrompts",
  "resources/list": "listResources",
  "resources/read": "readResource",
  "resources/subscribe": "subscribeResource",
  "resources/templates/list": "listResourceTemplates",
  "resources/unsubscribe": "unsubscribeResource",
  "completion/complete": "complete",
  ping: "ping",
};

export function typeScriptProgram(target: Target, request: Request): string {
  const { method } = request;
  const params = ownParams(request.params);
  const imports = [`import { Client } from ${text(`${SDK}/client/index.js`)};`];
  const transport = transportOf(target, imports);
  const call = callOf(method, params, imports);
  const rounded = params ? roundedNumbers(params) : [];
  return [
    `// npm install ${SDK}@1`,
    ...(rounded.length > 0 ? [`// JavaScript rounds these numbers: ${rounded.slice(0, 10).join(", ")}`] : []),
    ...imports,
    "",
    `const transport = ${transport};`,
    'const client = new Client({ name: "my-client", version: "1.0.0" });',
    "await client.connect(transport);",
    `const result = ${call};`,
    "console.log(JSON.stringify(result, null, 2));",
    "await client.close();",
    "",
  ].join("\n");
}

function callOf(method: string, params: Request["params"], imports: string[]): string {
  if (OPENING.has(method)) return "client.getServerVersion()";
  const known = own(METHODS, method);
  if (known === "ping") return "await client.ping()";
  if (known !== undefined) return `await client.${known}(${params ? literal(params, typeScript) : ""})`;
  const level = member(params, "level");
  if (method === "logging/setLevel" && level) return `await client.setLoggingLevel(${literal(level, typeScript)})`;
  imports.push(`import { ResultSchema } from ${text(`${SDK}/types.js`)};`);
  const request = [`method: ${text(method)}`, ...(params ? [`params: ${literal(params, typeScript, 1)}`] : [])];
  return `await client.request(${block("{", request, "}", typeScript)}, ResultSchema)`;
}

function transportOf(target: Target, imports: string[]): string {
  if (target.type === "stdio") {
    const { command, args, env, cwd } = target;
    const inherited = env.length > 0 ? ", getDefaultEnvironment" : "";
    imports.push(`import { StdioClientTransport${inherited} } from ${text(`${SDK}/client/stdio.js`)};`);
    const options = [`command: ${text(command)}`];
    if (args.length > 0) options.push(`args: ${block("[", args.map(text), "]", typeScript, 1)}`);
    if (env.length > 0) {
      const values = env.map(([name, value]) => `${typeScript.key(name)}: ${expression(value, typeScript)}`);
      options.push(`env: ${block("{", ["...getDefaultEnvironment()", ...values], "}", typeScript, 1)}`);
    }
    if (cwd !== null) options.push(`cwd: ${text(cwd)}`);
    return `new StdioClientTransport(${block("{", options, "}", typeScript)})`;
  }
  const { type, url, headers } = target;
  const [name, file] = {
    streamable_http: ["StreamableHTTPClientTransport", "streamableHttp"] as const,
    http_sse: ["SSEClientTransport", "sse"] as const,
    web_socket: ["WebSocketClientTransport", "websocket"] as const,
  }[type];
  imports.push(`import { ${name} } from ${text(`${SDK}/client/${file}.js`)};`);
  const address = `new URL(${text(url)})`;
  // This SDK's WebSocket transport takes no headers.
  if (headers.length === 0 || type === "web_socket") return `new ${name}(${address})`;
  const values = headers.map(([header, value]) => `${typeScript.key(header)}: ${expression(value, typeScript)}`);
  const init = `headers: ${block("{", values, "}", typeScript, 2)}`;
  const options = block("{", [`requestInit: ${block("{", [init], "}", typeScript, 1)}`], "}", typeScript);
  return `new ${name}(${address}, ${options})`;
}
