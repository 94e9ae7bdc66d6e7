// A small server over stdio.
import { basename } from "node:path";
import { createInterface } from "node:readline";

const name = basename(process.argv[1], ".mjs");
export const out = (o) => process.stdout.write((typeof o === "string" ? o : JSON.stringify(o)) + "\n");
export const ok = (id, result) => out({ jsonrpc: "2.0", id, result });
export const fail = (id, code, message) => out({ jsonrpc: "2.0", id, error: { code, message } });
export const hello = (m, capabilities = { tools: {} }) =>
  ok(m.id, { protocolVersion: m.params.protocolVersion, capabilities, serverInfo: { name, version: "1.0.0" } });
export const serve = (handle) =>
  createInterface({ input: process.stdin }).on("line", (line) => {
    if (line.trim()) handle(JSON.parse(line));
  });
export const text = (t) => ({ content: [{ type: "text", text: t }] });
export const EMPTY = { type: "object", properties: {} };
