import type { FindingView } from "../bindings";
import type { ToolDefinition } from "./definitions";
import { finding } from "./finding";

/** Returns the findings about the definition of a tool. */
export function findingsOf(tool: ToolDefinition): FindingView[] {
  const schema = tool.inputSchema as { type?: string } | undefined;
  if (schema?.type === "object") return [];
  return [
    { ...finding("schema-not-object", "The root of `inputSchema` is not of type “object”."), location: "/inputSchema" },
  ];
}
