import type { CatalogRow, FindingView, ToolDetail, Rows } from "../bindings";
import type { ToolDefinition } from "./definitions";
import { noExtras } from "./extras";
import { changedFinding } from "./issues";
import { findingsOf } from "./toolFindings";
import type { FakeServer } from "./world";

/** Rows of the tools that match. */
export function rows(
  server: FakeServer,
  revision: number,
  text: string,
  from: number,
  count: number,
): Rows<CatalogRow> {
  const present = server.list?.revision ?? 0;
  if (present !== revision) return { revision: present, total: 0, rows: [] };
  const found = search(server, text);
  return { revision, total: found.length, rows: found.slice(from, from + count).map((tool) => row(server, tool)) };
}

/** The place of a tool among those that match. */
export function index(server: FakeServer, text: string, key: string): number | null {
  const place = search(server, text).findIndex((tool) => tool.name === key);
  return place < 0 ? null : place;
}

export function detail(server: FakeServer, tool: ToolDefinition): ToolDetail {
  const schema = tool.inputSchema as { properties?: object } | undefined;
  const findings = findingsOf(tool);
  return {
    row: row(server, tool),
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

function row(server: FakeServer, tool: ToolDefinition): CatalogRow {
  return {
    key: tool.name,
    name: tool.name,
    named: true,
    title: tool.title ?? null,
    summary: summary(tool),
    change: server.changes.get(tool.name) ?? null,
    issues: issuesOf(server, tool),
    forbidden: tool.forbidden ?? null,
    read_only: tool.annotations?.["readOnlyHint"] ?? null,
    destructive: tool.annotations?.["destructiveHint"] ?? null,
    idempotent: tool.annotations?.["idempotentHint"] ?? null,
    open_world: tool.annotations?.["openWorldHint"] ?? null,
    resource: null,
  };
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

function summary(tool: ToolDefinition): string {
  return (tool.description ?? "").split("\n")[0]?.replaceAll("*", "").slice(0, 160) ?? "";
}

/** The tools that have every word in their name, title or summary, in the server's order. */
function search({ definitions }: FakeServer, text: string): readonly ToolDefinition[] {
  const words = text.toLowerCase().split(/\s+/);
  return definitions.filter((tool) => {
    const said = `${tool.name} ${tool.title ?? ""} ${summary(tool)}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
}
