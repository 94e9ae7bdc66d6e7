import type { FindingView } from "../bindings";

/** A finding about something that a simulated server sent. */
export function finding(rule: string, message: string): FindingView {
  return {
    rule,
    group: "spec",
    severity: "error",
    certainty: "fact",
    message,
    why: "Clients that follow the schema cannot read it.",
    fix: "Send what the schema of the protocol version says.",
    revisions: null,
    location: null,
    spec: { name: "Schema reference", url: "https://modelcontextprotocol.io/specification/2025-11-25/schema" },
  };
}
