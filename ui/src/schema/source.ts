/** A schema document and the references inside it. Only local references are followed, never the network. */
import { decoded } from "../lib/decoded";
import { memberOf, settled, stringOf, type JsonNode, type ObjectNode } from "./node";
import { parseJson } from "./parse";

/** Base URI of schemas that name no identifier of their own (RFC 3986, 5.1.4). */
const DEFAULT_BASE = "json-schema:///tool";
const MAX_INDEXED = 100_000;
/** Limit of identifiers and references, in characters: each is resolved against the identifier around it. */
const MAX_REFERENCE = 2_000;
/** Keywords whose content is data, not schemas. */
const DATA_KEYWORDS = new Set(["enum", "const", "default", "examples", "example"]);

export type Resolved = { readonly ok: true; readonly node: JsonNode } | { readonly ok: false; readonly reason: string };

interface Index {
  readonly resources: ReadonlyMap<string, JsonNode>;
  readonly anchors: ReadonlyMap<string, JsonNode>;
  /** Base URI of each object that lies inside an embedded resource. */
  readonly bases: WeakMap<JsonNode, string>;
  readonly rootBase: string;
}

export class SchemaSource {
  private index: Index | undefined;

  private constructor(
    readonly text: string,
    /** The parsed schema; null where the text is not JSON. */
    readonly root: JsonNode | null,
    /** Reason for a missing root, in plain words. */
    readonly failure: string | null,
  ) {}

  static parse(text: string): SchemaSource {
    if (text.trim() === "") {
      return new SchemaSource(text, null, "The server sent no schema for the arguments.");
    }
    const parsed = parseJson(text);
    if (parsed.ok) return new SchemaSource(text, parsed.node, null);
    const { message, line, column } = parsed.problem;
    return new SchemaSource(text, null, `The schema is not JSON (line ${line}, column ${column}): ${message}.`);
  }

  /** Returns the schema that `ref`, written inside the object `from`, points to. */
  resolve(ref: string, from: JsonNode): Resolved {
    if (!this.root) return missing(ref);
    const index = (this.index ??= buildIndex(this.root));
    const base = index.bases.get(from) ?? index.rootBase;
    const url = resolveUrl(ref, base);
    if (url === null) return { ok: false, reason: `The schema points to “${ref}”, which is not a valid reference.` };
    const [address = "", ...rest] = url.split("#");
    const fragment = decoded(rest.join("#"));
    const resource = index.resources.get(address);
    if (!resource) {
      return address === stripFragment(index.rootBase)
        ? missing(ref)
        : { ok: false, reason: `The schema points to “${ref}” outside itself; Sonde does not fetch it.` };
    }
    if (fragment === "") return { ok: true, node: resource };
    if (!fragment.startsWith("/")) {
      const anchored = index.anchors.get(`${address}#${fragment}`);
      return anchored ? { ok: true, node: anchored } : missing(ref);
    }
    const target = walkPointer(resource, fragment);
    return target ? { ok: true, node: target } : missing(ref);
  }
}

function missing(ref: string): Resolved {
  return { ok: false, reason: `The schema points to “${ref}”, but there is nothing there.` };
}

/** Follows a JSON pointer (RFC 6901) from `node`. */
function walkPointer(node: JsonNode, pointer: string): JsonNode | undefined {
  let at: JsonNode | undefined = settled(node);
  for (const token of pointerTokens(pointer)) {
    if (at.kind === "object") at = memberOf(at, token);
    else if (at.kind === "array" && /^(0|[1-9][0-9]{0,8})$/.test(token)) at = at.items[Number(token)]?.value;
    else return undefined;
    if (!at) return undefined;
    at = settled(at);
  }
  return at;
}

export function pointerTokens(pointer: string): string[] {
  if (!pointer.startsWith("/")) return [];
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replace(/~1/g, "/").replace(/~0/g, "~"));
}

/** Writes the steps of a path as a JSON pointer. */
export function pointerOf(steps: readonly string[]): string {
  return steps.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function buildIndex(root: JsonNode): Index {
  const resources = new Map<string, JsonNode>();
  const anchors = new Map<string, JsonNode>();
  const bases = new WeakMap<JsonNode, string>();
  const rootId = idOf(root);
  const rootBase = stripFragment((rootId && resolveUrl(rootId, DEFAULT_BASE)) || DEFAULT_BASE);
  resources.set(rootBase, root);
  const stack: (readonly [JsonNode, string])[] = [[root, rootBase]];
  let seen = 0;
  for (let top = stack.pop(); top && seen < MAX_INDEXED; top = stack.pop()) {
    const [node, outer] = top;
    seen++;
    if (node.kind === "array") {
      for (const item of node.items) stack.push([item.value, outer]);
      continue;
    }
    if (node.kind !== "object") continue;
    const base = node === root ? rootBase : enter(node, outer, resources, anchors);
    if (base !== rootBase) bases.set(node, base);
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      const name = stringOf(memberOf(node, keyword));
      if (name !== undefined && !anchors.has(`${base}#${name}`)) anchors.set(`${base}#${name}`, node);
    }
    for (const member of node.members) {
      if (!DATA_KEYWORDS.has(member.key)) stack.push([member.value, base]);
    }
  }
  return { resources, anchors, bases, rootBase };
}

function enter(
  node: ObjectNode,
  outer: string,
  resources: Map<string, JsonNode>,
  anchors: Map<string, JsonNode>,
): string {
  const id = idOf(node);
  const url = id === undefined ? null : resolveUrl(id, outer);
  if (id === undefined || url === null) return outer;
  if (id.startsWith("#")) {
    // Drafts before 2019-09 wrote anchors as `$id: "#name"`.
    anchors.set(`${outer}${id}`, node);
    return outer;
  }
  const base = stripFragment(url);
  if (!resources.has(base)) resources.set(base, node);
  return base;
}

/** Returns `$id`, or the `id` of draft-04 if it cannot be an ordinary property name. */
function idOf(node: JsonNode): string | undefined {
  const id = stringOf(memberOf(node, "$id"));
  if (id !== undefined) return id;
  const old = stringOf(memberOf(node, "id"));
  return old !== undefined && /^#|:\/\//.test(old) ? old : undefined;
}

function resolveUrl(ref: string, base: string): string | null {
  if (ref.length > MAX_REFERENCE) return null;
  try {
    return new URL(ref, base).href;
  } catch {
    return null;
  }
}

function stripFragment(url: string): string {
  const at = url.indexOf("#");
  return at < 0 ? url : url.slice(0, at);
}
