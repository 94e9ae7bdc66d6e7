import type { CatalogRow, CatalogRows, ToolDetail, FindingView } from "../bindings";
import type { ToolDefinition } from "./definitions";
import type { FakeServer } from "./world";
import { finding } from "./finding";

/** Rows of the tools that match, best first. */
export function rows(server: FakeServer, revision: number, text: string, from: number, count: number): CatalogRows {
  const present = server.list?.revision ?? 0;
  if (present !== revision) return { revision: present, total: 0, rows: [] };
  const found = search(server.definitions, text);
  return { revision, total: found.length, rows: found.slice(from, from + count).map((tool) => row(server, tool)) };
}

/** The place of a tool among those that match. */
export function index(server: FakeServer, text: string, key: string): number | null {
  const place = search(server.definitions, text).findIndex((tool) => tool.name === key);
  return place < 0 ? null : place;
}

export function detail(server: FakeServer, tool: ToolDefinition): ToolDetail {
  const schema = tool.inputSchema as { properties?: object } | undefined;
  const findings = findingsOf(tool);
  return {
    row: row(server, tool),
    parameters: Object.keys(schema?.properties ?? {}).length,
    findings,
    description: tool.description ?? null,
    input_schema: tool.inputSchema === undefined ? null : JSON.stringify(tool.inputSchema),
    raw: JSON.stringify(tool),
    schema_error: findings[0]?.message ?? null,
  };
}

function row(server: FakeServer, tool: ToolDefinition): CatalogRow {
  return {
    key: tool.name,
    name: tool.name,
    title: tool.title ?? null,
    summary: summary(tool),
    change: server.changes.get(tool.name) ?? null,
    findings: findingsOf(tool).length,
    forbidden: tool.forbidden ?? null,
    read_only: tool.annotations?.["readOnlyHint"] ?? null,
    destructive: tool.annotations?.["destructiveHint"] ?? null,
    idempotent: tool.annotations?.["idempotentHint"] ?? null,
    open_world: tool.annotations?.["openWorldHint"] ?? null,
  };
}

function summary(tool: ToolDefinition): string {
  return (tool.description ?? "").split("\n")[0]?.replaceAll("*", "").slice(0, 160) ?? "";
}

function findingsOf(tool: ToolDefinition): FindingView[] {
  const schema = tool.inputSchema as { type?: string } | undefined;
  if (schema?.type === "object") return [];
  return [finding("schema-type", 'The input schema has the type "objekt", which does not exist.')];
}

/** The host's ranking, without its abbreviations. */
function search(tools: readonly ToolDefinition[], text: string): readonly ToolDefinition[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return tools;
  const found = tools.map((tool) => {
    const [name, title, line] = [tool.name, tool.title ?? "", summary(tool)].map((each) => each.toLowerCase());
    const scores = words.map(
      (word) => Math.max(placeScore(name, word), placeScore(title, word)) * 10 || placeScore(line, word),
    );
    return { tool, score: scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0) };
  });
  return found
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}

/** The whole text 5, its beginning 4, the beginning of a word 3, anywhere 2. */
function placeScore(text = "", word: string): number {
  if (text === word) return 5;
  if (text.startsWith(word)) return 4;
  const places = text.split(word);
  if (places.length === 1) return 0;
  return places.slice(0, -1).some((before) => !/[a-z0-9]$/.test(before)) ? 3 : 2;
}
