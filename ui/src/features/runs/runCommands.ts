import { draftActions } from "../../state/actions/drafts";
import { operationActions } from "../../state/actions/operations";
import { MOST_COPIED, wholeText } from "../../state/wholeText";
import type { OperationView } from "../../ipc/bindings";
import { isCut } from "../../components/viewer/ShowAll";
import type { App } from "../../state/app";
import { isByHand, isReading, PROMPTS_GET } from "../../state/operationName";
import { savedInputActions } from "../../state/savedInputs";
import { focusNames, formTargetOf } from "../../state/view";

type Parts = Pick<App, "actions" | "backend">;

/** Reads all arguments of a run; the view holds only short ones. */
async function argumentsText({ backend }: Parts, operation: OperationView): Promise<string | null> {
  if (operation.arguments === null) return null;
  return wholeText(backend, { type: "arguments", operation: operation.operation }, 0);
}

/** Reads the further members of a run's params, or all params of a raw request. */
async function paramsText({ backend }: Parts, operation: OperationView): Promise<string | null> {
  if (operation.params === null) return null;
  return wholeText(backend, { type: "params", operation: operation.operation }, 0);
}

/** Reason why a run cannot be repeated unchanged; `null` if it can, as far as known. */
export function notAgain(operation: OperationView): string | null {
  const { target, earlier } = operation;
  if (isReading(operation)) {
    return target === null || isCut(target) ? "Only the beginning of its URI is known" : null;
  }
  if (earlier?.arguments_redacted === true) return "Secrets in the arguments were not stored; edit the arguments first";
  return formTargetOf(operation) === null && !isByHand(operation) ? goneSentence(operation) : null;
}

/** Sentence saying that the item of a run is no longer in the list. */
export function goneSentence({ method }: Pick<OperationView, "method">): string {
  return `The server no longer has this ${method === PROMPTS_GET ? "prompt" : "tool"}`;
}

/** Repeats a run (tool call, prompt, read or raw message) with the same arguments, and selects the new run. */
export async function runAgain(parts: Parts, operation: OperationView): Promise<void> {
  const { server, method, target, notification } = operation;
  const { readResource, run: call, sendRequest } = parts.actions.get(operationActions);
  if (isReading(operation)) {
    if (target === null) return;
    const params = await parts.actions.attempt(paramsText(parts, operation), server);
    const reading = params === undefined ? undefined : await readResource(server, target, { params });
    if (reading !== undefined) parts.actions.focus(focusNames.run(reading));
    return;
  }
  const texts = Promise.all([argumentsText(parts, operation), paramsText(parts, operation)]);
  const read = await parts.actions.attempt(texts, server);
  if (read === undefined) return;
  const [text, params] = read;
  const key = formTargetOf(operation);
  if (key === null && !isByHand(operation)) return;
  const run = await (key === null
    ? sendRequest(server, { method, target: null, arguments: text, params, notification })
    : call(server, key, text, false, params, operation.task && { ttl: null }));
  if (run !== undefined) parts.actions.focus(focusNames.run(run));
}

/** Puts the arguments into the form of the tool or prompt, and moves the focus into it. */
export async function editArguments(parts: Parts, operation: OperationView): Promise<void> {
  const { server, method, notification } = operation;
  if (isByHand(operation)) {
    const params = await parts.actions.attempt(paramsText(parts, operation), server);
    if (params !== undefined)
      await parts.actions.get(operationActions).editRequest(server, { method, params: params ?? "", notification });
    return;
  }
  const key = formTargetOf(operation);
  if (key === null) return;
  const text = await parts.actions.attempt(argumentsText(parts, operation), server);
  if (text !== undefined) await parts.actions.get(draftActions).restoreArguments(server, key, text ?? "{}");
}

/** Opens the name field for saving the arguments, beside the form of the tool. */
export async function saveArguments(parts: Parts, operation: OperationView): Promise<void> {
  const { server } = operation;
  const text = await parts.actions.attempt(argumentsText(parts, operation), server);
  if (text !== undefined) await parts.actions.get(savedInputActions).nameValuesOf(operation.operation, text ?? "{}");
}

export function copyArguments(parts: Parts, operation: OperationView): void {
  const text = argumentsText(parts, operation).then((arguments_) => arguments_ ?? "");
  void parts.actions.copy(text, "Arguments copied", operation.server);
}

/** True if the result is small enough to be copied. */
export function hasCopyableResult({ outcome }: OperationView): boolean {
  return outcome?.type === "protocol_error" || (outcome?.type === "result" && outcome.bytes <= MOST_COPIED);
}

/** Copies the readable result: its only text, or else all of it. */
export function copyResult(parts: Parts, operation: OperationView): void {
  void parts.actions.copy(resultText(parts, operation), "Result copied", operation.server);
}

async function resultText({ backend }: Parts, { cut, ...shown }: OperationView): Promise<string> {
  const operation = cut ? await backend.call("operation", { operation: shown.operation }) : shown;
  const { outcome } = operation;
  const only = outcome?.type === "result" && outcome.content.length === 1 ? outcome.content[0] : undefined;
  const source =
    only?.kind === "text" && outcome?.type === "result" && !outcome.structured
      ? ({ type: "content", operation: operation.operation, index: 0 } as const)
      : ({ type: "answer", operation: operation.operation } as const);
  const size = outcome?.type === "result" ? outcome.bytes : 0;
  return wholeText(backend, source, size);
}
