/**
 * State of one form: a schema, and the arguments as text and as a tree. The typed text is the source until a field is
 * edited; from then on the text is printed from the tree. Text that is not JSON is kept beside the last tree that could
 * be parsed.
 */
import { cached } from "../lib/cached";
import { prefilled } from "./blank";
import { EMPTY_OBJECT, isBlank, settled, type JsonNode } from "./node";
import { parseJson, type TextProblem } from "./parse";
import { printNode } from "./print";
import { rootSchema, type RootSchema } from "./root";
import { sameValue } from "./same";
import { SchemaSource } from "./source";
import { reconcile } from "./tree";

export interface FormDocument {
  readonly source: SchemaSource;
  /** The tree shown by the form, from the last text that was valid JSON. */
  readonly root: JsonNode;
  /** The text as typed; null if the tree is newer. */
  readonly text: string | null;
  /** Error of parsing `text`. */
  readonly problem: TextProblem | null;
}

export type SyntaxProblem = Omit<TextProblem, "tooDeep">;

const sources = new Map<string, SchemaSource>();
const MAX_SOURCES = 50;

/** Parsed schemas are shared, so that the plans made for one tool serve all its documents. */
function sourceOf(schemaText: string): SchemaSource {
  if (sources.size >= MAX_SOURCES && !sources.has(schemaText)) sources.clear();
  return cached(sources, schemaText, () => SchemaSource.parse(schemaText));
}

/**
 * Creates a document for a tool's input schema: from `initialText` exactly, or else from `{}` with the required fields
 * that have a default or only one possible value.
 */
export function createDocument(schemaText: string, initialText?: string): FormDocument {
  const source = sourceOf(schemaText);
  const empty: FormDocument = { source, root: EMPTY_OBJECT, text: "{}", problem: null };
  if (initialText !== undefined) return fromText(empty, initialText);
  const root = startOf(source);
  return root === EMPTY_OBJECT ? empty : { ...empty, root, text: null };
}

const starts = new WeakMap<SchemaSource, JsonNode>();

/** Returns the initial tree of a form for `source`. Cached, as every rendering asks for it. */
function startOf(source: SchemaSource): JsonNode {
  return cached(starts, source, () => {
    const schema = rootSchema(source);
    return schema.ok ? prefilled(source, schema.schema) : EMPTY_OBJECT;
  });
}

/** Returns the arguments exactly as they are sent, except for white space between tokens. */
export function toText(doc: FormDocument): string {
  return doc.text ?? printNode(doc.root);
}

/** Returns the document with `text` in place of its arguments. */
export function fromText(doc: FormDocument, text: string): FormDocument {
  if (text === toText(doc)) return doc;
  return new TypedDocument(doc.source, text, doc instanceof TypedDocument ? doc.lastTree() : doc);
}

/** A document that parses its text only when needed, as typing in a large text must not wait for that. */
class TypedDocument implements FormDocument {
  private read: { readonly root: JsonNode; readonly problem: TextProblem | null } | null = null;

  constructor(
    readonly source: SchemaSource,
    readonly text: string,
    private before: { readonly root: JsonNode },
  ) {}

  get root(): JsonNode {
    return this.reading().root;
  }

  get problem(): TextProblem | null {
    return this.reading().problem;
  }

  /** Returns the last tree that was parsed; texts that were never parsed are not kept. */
  lastTree(): { readonly root: JsonNode } {
    return this.read ?? this.before;
  }

  private reading(): { readonly root: JsonNode; readonly problem: TextProblem | null } {
    if (this.read) return this.read;
    const parsed = parseJson(this.text);
    const old = this.before.root;
    this.read = parsed.ok
      ? { root: reconcile(old, parsed.node), problem: null }
      : { root: old, problem: parsed.problem };
    this.before = this.read;
    return this.read;
  }
}

/** Returns the document with another tree, after an edit in the form. */
export function withRoot(doc: FormDocument, root: JsonNode): FormDocument {
  return root === doc.root && doc.problem === null ? doc : { source: doc.source, root, text: null, problem: null };
}

/** Drops text that is not JSON and returns to the last values that could be parsed. */
export function dropUnreadableText(doc: FormDocument): FormDocument {
  return doc.problem ? withRoot(doc, doc.root) : doc;
}

/** Returns the document with the same arguments under a changed schema; nothing is filled in. */
export function withSchema(doc: FormDocument, schemaText: string): FormDocument {
  const source = sourceOf(schemaText);
  return source === doc.source ? doc : { source, root: doc.root, text: doc.text, problem: doc.problem };
}

/** Returns the document as it was before anything was typed. */
export function resetDocument(doc: FormDocument): FormDocument {
  return createDocument(doc.source.text);
}

/** True when there are no arguments at all. */
export function isEmpty(doc: FormDocument): boolean {
  const root = settled(doc.root);
  return doc.problem === null && root.kind === "object" && root.members.length === 0;
}

/** True while the arguments are the ones that the form started with. */
export function isPristine(doc: FormDocument): boolean {
  if (doc.problem) return false;
  const now = settled(doc.root);
  const then = startOf(doc.source);
  // Comparing the number of members first avoids comparing the values of most documents.
  if (now.kind !== "object" || then.kind !== "object" || now.members.length !== then.members.length) return false;
  return sameValue(now, then);
}

/**
 * Returns the error that prevents sending the text in a JSON-RPC message; null if there is none. Values that the schema
 * forbids are not such errors.
 */
export function syntaxProblem(doc: FormDocument): SyntaxProblem | null {
  if (doc.problem) return doc.problem.tooDeep ? null : doc.problem;
  // Text that could be parsed has no unparsable part; only edits of single fields create one.
  if (doc.text !== null || !holdsUnreadable(doc.root)) return null;
  const parsed = parseJson(toText(doc));
  return parsed.ok
    ? { message: "A field contains text that is not valid JSON", line: 1, column: 1, offset: 0 }
    : parsed.problem;
}

function holdsUnreadable(node: JsonNode): boolean {
  switch (node.kind) {
    case "raw":
      return node.parsed === undefined;
    case "array":
      return node.items.some((item) => holdsUnreadable(item.value));
    case "object":
      return node.members.some(({ value }) => !isBlank(value) && holdsUnreadable(value));
    default:
      return false;
  }
}

/** The schema of the arguments as a whole. */
export function argumentsSchema(doc: FormDocument): RootSchema {
  return rootSchema(doc.source);
}
