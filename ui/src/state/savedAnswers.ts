/** Saved answers to server requests: saved inputs (`savedInputs.ts`) whose method is that of the request. */
import type { SavedInput, ServerId, OpenServerRequest } from "../ipc/bindings";
import { valueIn } from "../lib/valueIn";
import { createDocument, syntaxProblem, toText } from "../schema/document";
import { compactJson, prettyJson } from "../schema/print";
import { memberOf } from "../schema/node";
import { hasPrivateFields } from "../schema/privacy";
import type { LiveState } from "./live";
import { draftOf, samplingProblem, writeSampling } from "./sampling";
import type { Answer } from "./view";

type About = Pick<OpenServerRequest, "method" | "schema">;

/** Limit of the target of a saved answer, in characters. */
const LONGEST_TARGET = 200;

/**
 * Returns the target that replies to a request are saved under: the field names of its form, so that a reply is
 * offered where it fits; `null` if none are saved.
 */
export function answerTarget({ method, schema }: About): string | null {
  if (method === "sampling/createMessage") return "response";
  if (method !== "elicitation/create" || schema === null) return null;
  const properties = memberOf(createDocument(schema).source.root ?? undefined, "properties");
  const names = properties?.kind === "object" ? properties.members.map(({ key }) => key) : [];
  return names.length === 0 ? null : names.join(", ").slice(0, LONGEST_TARGET);
}

/** Returns the saved answers for a request, in order. */
export function answersFor(live: LiveState, server: ServerId, request: About): readonly SavedInput[] {
  const target = answerTarget(request);
  return (live.savedInputs[server] ?? []).filter((one) => one.method === request.method && one.target === target);
}

/** Returns the JSON text under which a reply is saved; `null` while it cannot be sent. */
export function answerText({ document, raw, sampling }: Answer): string | null {
  if (document) return syntaxProblem(document) === null ? compactJson(toText(document)) : null;
  if (sampling) return samplingProblem(sampling) === null ? writeSampling(sampling) : null;
  return valueIn(raw) === undefined ? null : compactJson(raw);
}

/** Restores the draft of a reply from a saved answer. */
export function answerFrom({ method, schema }: About, text: string): Answer {
  const document = schema === null ? null : createDocument(schema, text);
  const sampling = method === "sampling/createMessage" ? draftOf(text) : null;
  return { document, raw: prettyJson(text), sampling };
}

/** Returns true if two replies to one request have the same content. */
export function isSameAnswer(one: Answer, other: Answer): boolean {
  const written = ({ document, raw, sampling }: Answer): string =>
    document ? toText(document) : sampling ? writeSampling(sampling) : raw;
  return written(one) === written(other);
}

/** Returns the input that saves a reply under a name, replacing the one with that name. */
export function answerInput(
  live: LiveState,
  request: Pick<OpenServerRequest, "server" | "method" | "schema" | "schema_digest">,
  name: string,
  text: string,
): SavedInput | null {
  const target = answerTarget(request);
  if (target === null) return null;
  const { server, method, schema, schema_digest } = request;
  const same = answersFor(live, server, request).find((one) => one.name === name);
  const isPrivate = schema !== null && hasPrivateFields(schema);
  const input = { id: same?.id ?? "", server, method, target, name, arguments: text, private: isPrivate };
  return schema_digest === undefined ? input : { ...input, schema_digest };
}
