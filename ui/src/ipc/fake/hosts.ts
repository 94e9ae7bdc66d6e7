/** Compatibility of the simulated servers' tools with hosts: a few of the backend's rules, in the backend's words. */
import type {
  FindingView,
  HostCell,
  HostFilter,
  HostReason,
  HostRow,
  HostSource,
  HostSummary,
  HostView,
  Verdict,
  Rows,
} from "../bindings";
import type { ToolDefinition } from "./definitions";
import { finding } from "./finding";
import type { FakeServer } from "./world";

const source = (name: string, date: string, evidence: HostSource["evidence"] = "source"): HostSource => ({
  name,
  url: `https://github.com/example/${encodeURIComponent(name)}`,
  date,
  evidence,
});

const offered = source("MCPJam catalog of hosts", "2026-08-22");
const kept = source("Codex CLI, json_schema.rs", "2026-11");
const secondHand = source("modelcontextprotocol, discussion 556", "2026-06", "second_hand");

function host(id: string, name: string, more: Partial<HostView> = {}): HostView {
  const offers = [{ text: "It speaks protocol version 2025-11-25.", source: offered }];
  return {
    id,
    name,
    kind: "host",
    known: true,
    prefix: null,
    prefix_source: null,
    results: [],
    offers,
    ...more,
  };
}

export const knownHosts: readonly HostView[] = [
  host("claude", "Claude"),
  host("claude_code", "Claude Code", { prefix: "mcp__SERVER__", prefix_source: source("CHANGELOG", "2026-11") }),
  host("vs_code", "VS Code", { prefix: "mcp_SERVER_", prefix_source: source("mcpTypes.ts", "2026-11") }),
  host("codex", "Codex", { prefix: "mcp__SERVER__", prefix_source: kept }),
  host("gemini_cli", "Gemini CLI", {
    results: [{ text: "A larger result is cut.", source: source("Gemini CLI 0.56, MCP servers", "2026-08-21") }],
  }),
  host("cursor", "Cursor"),
  host("windsurf", "Windsurf", { offers: [] }),
  host("zed", "Zed", { offers: [] }),
  host("cline", "Cline 4.0"),
  host("opencode", "opencode", { offers: [] }),
  host("copilot_cli", "Copilot CLI", { offers: [] }),
  host("openai_api", "OpenAI API", { kind: "api", offers: [] }),
  host("anthropic_api", "Anthropic API", { kind: "api", offers: [] }),
  host("claude_directory", "Claude directory", { kind: "directory", offers: [] }),
  host("goose", "Goose", { known: false }),
];

/** Hosts of which too little is known for a verdict. */
const UNSURE = ["cursor", "windsurf", "cline", "opencode", "copilot_cli", "goose"];

const textOf = (tool: ToolDefinition): string => JSON.stringify(tool.inputSchema ?? {});

function reasons(tool: ToolDefinition, id: string): HostReason[] {
  const schema = textOf(tool);
  const reason = (
    verdict: Verdict,
    what: string,
    then: string,
    pointer: string,
    source: HostSource,
    heuristic = false,
  ): HostReason => {
    const fix = "Say the same in the description of the parameter, and check it in the server.";
    return { verdict, what, then, when: null, fix, pointer, heuristic, source };
  };
  const dropped = ["minimum", "maximum", "format", "minItems", "default"].filter((one) => schema.includes(`"${one}"`));
  const uses = `The input schema uses ${dropped.map((one) => `\`${one}\``).join(", ")}.`;
  if ((id === "codex" || id === "vs_code") && dropped.length > 0) {
    const then = "Such keywords are dropped before the model sees the schema.";
    return [reason("degraded", uses, then, "/inputSchema", kept)];
  }
  if (id === "cursor" && tool.name.length > 12) {
    const what = "The names of server and tool have 64 characters together, 60 are accepted.";
    return [reason("may_fail", what, "The tool may be left out.", "/name", secondHand, true)];
  }
  return [];
}

const SEVERITY: Readonly<Record<Verdict, number>> = { works: 0, not_known: 1, degraded: 2, may_fail: 3, fails: 4 };

function verdict(tool: ToolDefinition, id: string): Verdict {
  const all = [UNSURE.includes(id) ? "not_known" : "works", ...reasons(tool, id).map((one) => one.verdict)] as const;
  return [...all].sort((one, other) => SEVERITY[other] - SEVERITY[one])[0] ?? "works";
}

const cost = (tool: ToolDefinition): { bytes: number; tokens: number } => ({
  bytes: JSON.stringify(tool).length,
  tokens: Math.ceil((tool.name.length + (tool.description ?? "").length + textOf(tool).length) / 4),
});

/** Returns what is unclear in the definition of a tool. */
export function toolLint({ name }: ToolDefinition): FindingView[] {
  if (name !== "write_file") return [];
  const message = "Required parameters without a description: 2. The first is path.";
  const unclear = finding("undescribed-parameter", message);
  return [{ ...unclear, group: "clarity", severity: "info", certainty: "heuristic", location: "/inputSchema" }];
}

function matching({ definitions }: FakeServer, { hosts, problems, search }: HostFilter): HostRow[] {
  return definitions
    .filter((tool) => tool.name.includes(search.toLowerCase()))
    .map((tool) => ({
      key: tool.name,
      name: tool.name,
      verdicts: hosts.map((id) => verdict(tool, id)),
      ...cost(tool),
      findings: toolLint(tool).length,
    }))
    .filter((row) => !problems || row.verdicts.some((one) => SEVERITY[one] >= SEVERITY.degraded));
}

export function hostRows(
  server: FakeServer,
  revision: number,
  filter: HostFilter,
  from: number,
  count: number,
): Rows<HostRow> {
  const present = server.list?.revision ?? 0;
  if (present !== revision) return { revision: present, total: 0, rows: [] };
  const rows = matching(server, filter);
  return { revision, total: rows.length, rows: rows.slice(from, from + count) };
}

export function hostSummary({ definitions, list }: FakeServer): HostSummary {
  const costs = definitions.map((tool) => ({ key: tool.name, ...cost(tool) }));
  const sum = (of: "bytes" | "tokens"): number => costs.reduce((total, one) => total + one[of], 0);
  return {
    revision: list?.revision ?? 0,
    tools: definitions.length,
    totals: knownHosts.map(({ id }) => {
      const all = definitions.map((tool) => verdict(tool, id));
      const of = (one: Verdict): number => all.filter((each) => each === one).length;
      return {
        host: id,
        works: of("works"),
        degraded: of("degraded"),
        may_fail: of("may_fail"),
        fails: of("fails"),
        not_known: of("not_known"),
        reasons: [],
        takes_all: null,
        refuses_all: false,
      };
    }),
    lists: [{ kind: "tools", items: definitions.length, bytes: sum("bytes"), tokens: sum("tokens") }],
    context: 200_000,
    costliest: costs.sort((one, other) => other.tokens - one.tokens).slice(0, 10),
    findings: [],
  };
}

export function hostCell(tool: ToolDefinition, id: string): HostCell {
  const name = knownHosts.find((one) => one.id === id)?.name ?? id;
  return {
    verdict: verdict(tool, id),
    reasons: reasons(tool, id),
    unknown: UNSURE.includes(id) ? `It is not known what ${name} does with schemas.` : null,
  };
}
