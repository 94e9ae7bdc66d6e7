import type { CatalogKind, CatalogRow, Commands, FindingView, ToolDetail, Rows } from "../bindings";
import type { ToolDefinition } from "./definitions";
import { noExtras, rowOf } from "./extras";
import { changedFinding } from "./issues";
import { promptRow } from "./prompts";
import { resourceRows } from "./resources";
import { skillRow } from "./skills";
import { findingsOf } from "./toolFindings";
import type { FakeServer } from "./world";

/** Returns the rows of a server's list in order. */
function allRows(server: FakeServer, kind: CatalogKind): readonly CatalogRow[] {
  if (kind === "tools") return server.definitions.map((tool) => toolRow(server, tool));
  if (kind === "prompts") return server.prompts.map(promptRow);
  return kind === "skills" ? server.skills.map(skillRow) : resourceRows(kind);
}

/** Returns the rows that have every word in their name, title or summary. */
function search(server: FakeServer, kind: CatalogKind, text: string): readonly CatalogRow[] {
  const words = text.toLowerCase().split(/\s+/);
  return allRows(server, kind).filter(({ name, title, summary }) => {
    const said = `${name} ${title ?? ""} ${summary}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
}

type Asked = Commands["catalog_rows"]["args"];

export function rows(server: FakeServer, { kind, revision, search: text, from, count }: Asked): Rows<CatalogRow> {
  const list = kind === "tools" ? server.list : server.lists.find((one) => one.kind === kind);
  const present = list?.revision ?? 0;
  if (present !== revision) return { revision: present, total: 0, rows: [] };
  const found = search(server, kind, text);
  return { revision, total: found.length, rows: found.slice(from, from + count) };
}

/** Returns the index of an item among the matching ones. */
export function index(server: FakeServer, kind: CatalogKind, text: string, key: string): number | null {
  const place = search(server, kind, text).findIndex((row) => row.key === key);
  return place < 0 ? null : place;
}

export function detail(server: FakeServer, tool: ToolDefinition): ToolDetail {
  const schema = tool.inputSchema as { properties?: object } | undefined;
  const findings = findingsOf(tool);
  return {
    row: toolRow(server, tool),
    task_support: tool.taskSupport ?? "forbidden",
    app: { resource_uri: tool.app ?? null, for_model: true, for_app: tool.annotations?.["destructiveHint"] !== true },
    parameters: Object.keys(schema?.properties ?? {}).length,
    findings,
    description: tool.description ?? null,
    input_schema: tool.inputSchema === undefined ? null : JSON.stringify(tool.inputSchema),
    extras: noExtras,
    raw: JSON.stringify(tool),
    schema_error: findings.length === 0 ? null : "At /type: “objekt” is not one of the types of JSON Schema.",
  };
}

function toolRow(server: FakeServer, tool: ToolDefinition): CatalogRow {
  return rowOf(tool.name, tool.name, {
    title: tool.title ?? null,
    summary: (tool.description ?? "").split("\n")[0]?.replaceAll("*", "").slice(0, 160) ?? "",
    change: server.changes.get(tool.name) ?? null,
    issues: issuesOf(server, tool),
    forbidden: tool.forbidden ?? null,
    read_only: tool.annotations?.["readOnlyHint"] ?? null,
    destructive: tool.annotations?.["destructiveHint"] ?? null,
    idempotent: tool.annotations?.["idempotentHint"] ?? null,
    open_world: tool.annotations?.["openWorldHint"] ?? null,
  });
}

/** Counts the findings about a tool and about its changes since it was accepted, without infos and muted rules. */
function issuesOf(server: FakeServer, tool: ToolDefinition): number {
  const changed = server.changedDefinitions.filter(
    ({ subject }) => subject.type === "tool" && subject.key === tool.name,
  );
  const found = [...findingsOf(tool), ...changed.map(changedFinding)];
  const counts = ({ rule, severity }: FindingView): boolean =>
    severity !== "info" && !server.mutedRules.some((muted) => muted.rule === rule);
  return found.filter(counts).length;
}
