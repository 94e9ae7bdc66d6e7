import type { LogRow } from "../../ipc/bindings";

/** Builds a log entry for tests. */
export function testRow(change: Partial<LogRow>): LogRow {
  return {
    seq: 5,
    at: 1000,
    began: 1000,
    out: true,
    kind: "request",
    error: false,
    method: null,
    id: null,
    bytes: 0,
    has_body: false,
    micros: null,
    partner: null,
    no_response: null,
    operation: null,
    ambiguous: false,
    cause: null,
    preview: "",
    summary: null,
    level: null,
    logger: null,
    group: null,
    findings: 0,
    severity: null,
    rule: null,
    ...change,
  };
}
