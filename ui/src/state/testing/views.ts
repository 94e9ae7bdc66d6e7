/** Views as the host sends them, for tests. */
import type { OpenServerRequest, PresentationStep, SavedInput } from "../../ipc/bindings";

/** A server request with a form. */
export function serverRequest(change: Partial<OpenServerRequest> = {}): OpenServerRequest {
  return {
    request: 1,
    server: "s",
    operation: null,
    candidates: [],
    method: "elicitation/create",
    message: "m",
    schema: null,
    params: "{}",
    as_task: false,
    undeclared: false,
    findings: [],
    rule: null,
    seq: 1,
    ...change,
  };
}

/** Values saved for a tool. */
export function savedInput(change: Partial<SavedInput> = {}): SavedInput {
  const tool = { server: "s", method: "tools/call", target: "say_hello" };
  return { id: "1", ...tool, name: "n", arguments: "{}", private: false, ...change };
}

/** A step of a presentation that calls a tool. */
export function presentationStep(change: Partial<PresentationStep> = {}): PresentationStep {
  const server = { server: "s", server_name: "Demo server", server_removed: false };
  const shown = { title: "Say hello", inputs: [], notes: "" };
  return { id: "1", ...server, method: "tools/call", target: "say_hello", ...shown, ...change };
}
