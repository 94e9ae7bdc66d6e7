// A small server over Streamable HTTP.
import { basename } from "node:path";

const name = basename(process.argv[1], ".mjs");
export const port = Number(process.argv[2]);
export const text = (t) => ({ content: [{ type: "text", text: t }] });
export const EMPTY = { type: "object", properties: {} };
export const body = (req) =>
  new Promise((done) => {
    let b = "";
    req.on("data", (c) => (b += c)).on("end", () => done(b));
  });
export const json = (res, status, value, headers = {}) => {
  res.writeHead(status, { "Content-Type": "application/json", ...headers });
  res.end(JSON.stringify(value));
};
export const result = (res, id, value, headers) => json(res, 200, { jsonrpc: "2.0", id, result: value }, headers);
export const fail = (res, status, id, code, message) =>
  json(res, status, { jsonrpc: "2.0", id, error: { code, message } });
export const log = (...x) => console.error(new Date().toISOString().slice(11, 23), ...x);
/** Answers a message as a server with sessions does. */
export const usual = (res, m, tools = [{ name: "hi", inputSchema: EMPTY }]) => {
  if (m.method === "server/discover") return fail(res, 400, m.id, -32000, "Bad Request: Server not initialized");
  if (m.method === "initialize") {
    const { protocolVersion } = m.params;
    const serverInfo = { name, version: "1.0.0" };
    return result(res, m.id, { protocolVersion, capabilities: { tools: {} }, serverInfo }, { "Mcp-Session-Id": "s1" });
  }
  if (m.id === undefined) return res.writeHead(202).end();
  if (m.method === "tools/list") return result(res, m.id, { tools });
  if (m.method === "tools/call") return result(res, m.id, text("hi"));
  return fail(res, 200, m.id, -32601, "Method not found");
};
