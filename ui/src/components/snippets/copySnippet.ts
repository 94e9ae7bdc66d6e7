import { BackendError } from "../../ipc/backend";
import type { OperationView, ServerId } from "../../ipc/bindings";
import { copyText } from "../../lib/clipboard";
import { parseJson } from "../../schema/parse";
import type { App } from "../../state/app";
import { follow, wholeText } from "../viewer/copying";
import { snippetOf, type SnippetLanguage } from "./snippet";
import { targetOf } from "./target";

type Parts = Pick<App, "actions" | "backend" | "store">;

/** Copies the request that a log entry holds as a program. */
export function copyEntryAs(language: SnippetLanguage, parts: Parts, server: ServerId, seq: number): void {
  void parts.actions.attempt(entryAs(language, parts, server, seq).then(copyText), server);
}

/** Copies a run as a program. */
export function copyRunAs(language: SnippetLanguage, parts: Parts, run: OperationView): void {
  if (run.request_seq !== null) copyEntryAs(language, parts, run.server, run.request_seq);
}

async function entryAs(language: SnippetLanguage, parts: Parts, server: ServerId, seq: number): Promise<string> {
  const { live } = parts.store.getState();
  const view = live.servers[server];
  const message = parseJson(await wholeText(parts.backend, { type: "log_entry", server, seq }, 0));
  const method = message.ok ? follow(message.node, ["method"]) : undefined;
  if (!view || !message.ok || method?.kind !== "string") throw failed("This entry is not a request.");
  const target = targetOf({
    server: view,
    session: live.sessions[server],
    connection: live.connections[server],
    auth: live.auth[server],
  });
  const params = follow(message.node, ["params"]) ?? null;
  const snippet = snippetOf(language, target, { method: method.value, params });
  if ("problem" in snippet) throw failed(snippet.problem);
  return snippet.program;
}

function failed(message: string): BackendError {
  return new BackendError({ code: "invalid_input", message });
}
