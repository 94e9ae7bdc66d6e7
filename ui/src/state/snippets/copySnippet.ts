import { BackendError } from "../../ipc/backend";
import type { OperationView, ServerId } from "../../ipc/bindings";
import { memberOf, stringOf } from "../../schema/node";
import { nodeIn } from "../../schema/parse";
import type { App } from "../app";
import { wholeText } from "../wholeText";
import type { Request } from "./request";
import { snippetOf, type SnippetLanguage } from "./snippet";
import { targetOf } from "./target";

type Parts = Pick<App, "actions" | "backend" | "store">;

/** Copies the request of a log entry as a program. */
export function copyEntryAs(language: SnippetLanguage, parts: Parts, server: ServerId, seq: number): void {
  copy(language, parts, server, entryRequest(parts, server, seq));
}

/** Copies a run as a program, even if the wire log no longer has its request. */
export function copyRunAs(language: SnippetLanguage, parts: Parts, run: OperationView): void {
  copy(language, parts, run.server, runRequest(parts, run));
}

function copy(language: SnippetLanguage, parts: Parts, server: ServerId, request: Promise<Request>): void {
  const program = request.then((given) => programOf(language, parts, server, given));
  void parts.actions.copy(program, "Program copied", server);
}

async function entryRequest({ backend }: Parts, server: ServerId, seq: number): Promise<Request> {
  const message = nodeIn(await wholeText(backend, { type: "log_entry", server, seq }, 0));
  const method = stringOf(memberOf(message, "method"));
  if (method === undefined) throw failed("This entry is not a request.");
  return { method, params: memberOf(message, "params") ?? null };
}

async function runRequest(parts: Parts, run: OperationView): Promise<Request> {
  const { operation, server, method, target, request_seq } = run;
  if (method !== "tools/call" || target === null) {
    if (request_seq === null) throw failed("The request was not sent.");
    return entryRequest(parts, server, request_seq);
  }
  const text =
    run.arguments === null ? "" : await wholeText(parts.backend, { type: "redacted_arguments", operation }, 0);
  const params = nodeIn(`{"name":${JSON.stringify(target)}${text === "" ? "" : `,"arguments":${text}`}}`);
  if (!params) throw failed("The arguments have a secret outside of a text, so no program can be made of them.");
  return { method, params };
}

function programOf(language: SnippetLanguage, { store }: Parts, server: ServerId, request: Request): string {
  const { live } = store.getState();
  const view = live.servers[server];
  if (!view) throw failed("This server was removed.");
  const target = targetOf({
    server: view,
    session: live.sessions[server],
    connection: live.connections[server],
    auth: live.auth[server],
  });
  const snippet = snippetOf(language, target, request);
  if ("problem" in snippet) throw failed(snippet.problem);
  return snippet.program;
}

function failed(message: string): BackendError {
  return new BackendError({ code: "invalid_input", message });
}
