/** Edits of a form document; each returns the next document. */
import { blankValue, carriedOver } from "./blank";
import { withRoot, type FormDocument } from "./document";
import { NULL, isBlank, memberOf, numberNode, settled, stringNode, withNotes, type JsonNode } from "./node";
import { isNumberLexeme, parseJson } from "./parse";
import type { Branch, UnionPlan } from "./plan";
import { chosenBranch, innerUnion } from "./planunion";
import { printNode } from "./print";
import { sameValue } from "./same";
import * as tree from "./tree";
import { nodeAt, removedName, setAt, updateAt, type Path } from "./tree";

/** Sets a value. `order` is the schema's order of names, for a member that does not exist yet. */
export function setValue(doc: FormDocument, path: Path, value: JsonNode, order?: readonly string[]): FormDocument {
  return withRoot(doc, setAt(doc.root, path, value, order));
}

/** Sets the text of a text field. */
export function setText(doc: FormDocument, path: Path, text: string, order?: readonly string[]): FormDocument {
  return setValue(doc, path, stringNode(text), order);
}

/**
 * Sets the text of a number field: as a number if it is a JSON number, otherwise as a string, so that a wrong value can
 * be sent on purpose. An emptied field is not sent.
 */
export function setNumber(doc: FormDocument, path: Path, typed: string, order?: readonly string[]): FormDocument {
  if (typed === "" && typeof path.at(-1) === "string") return forget(doc, path);
  const text = typed.trim();
  return setValue(doc, path, isNumberLexeme(text) ? numberNode(text) : stringNode(typed), order);
}

function forget(doc: FormDocument, path: Path): FormDocument {
  const parent = path.slice(0, -1);
  const removed = tree.removeAt(doc.root, path);
  return withRoot(
    doc,
    updateAt(removed, parent, (node) => unpark(node, removedName(String(path.at(-1))))),
  );
}

function unpark(node: JsonNode, name: string): JsonNode {
  if (!node.notes?.parked.has(name)) return node;
  const parked = new Map(node.notes.parked);
  parked.delete(name);
  return withNotes(node, { choices: node.notes.choices, parked });
}

/** Adds a field with the value that it had before it was removed, or else with an initial value. */
export function addField(doc: FormDocument, path: Path, schema: JsonNode, order?: readonly string[]): FormDocument {
  return setValue(doc, path, removedValue(doc, path) ?? blankValue(doc.source, schema), order);
}

/** Returns the value that a field had before it was removed. */
function removedValue(doc: FormDocument, path: Path): JsonNode | undefined {
  const parent = nodeAt(doc.root, path.slice(0, -1));
  const name = removedName(String(path.at(-1)));
  return (parent?.notes ?? (parent && settled(parent).notes))?.parked.get(name);
}

/** Stops sending a field, or removes an item from its list. */
export function removeField(doc: FormDocument, path: Path): FormDocument {
  return withRoot(doc, tree.removeAt(doc.root, path));
}

/** Sends null; `unsetNull` restores the previous value. */
export function setNull(doc: FormDocument, path: Path, order?: readonly string[]): FormDocument {
  const old = nodeAt(doc.root, path);
  if (old && settled(old).kind === "null") return doc;
  return setValue(doc, path, old ? tree.park(withNotes(NULL, old.notes), "value", old) : NULL, order);
}

export function unsetNull(doc: FormDocument, path: Path, schema: JsonNode): FormDocument {
  const old = nodeAt(doc.root, path);
  const before = old?.notes?.parked.get("value");
  const blank = blankValue(doc.source, schema);
  return setValue(doc, path, before ?? (blank.kind === "null" ? stringNode("") : blank));
}

/** Replaces a value that does not suit its field by the field's initial value. */
export function restartField(doc: FormDocument, path: Path, schema: JsonNode): FormDocument {
  return setValue(doc, path, blankValue(doc.source, schema));
}

/**
 * Chooses a branch of a union. The value of the previous branch is remembered; members that both branches know keep
 * their current values. A removed field continues from the value that it had.
 */
export function chooseBranch(
  doc: FormDocument,
  path: Path,
  union: string,
  plan: UnionPlan,
  to: number,
  order?: readonly string[],
): FormDocument {
  const branch = plan.branches[to];
  if (!branch) return doc;
  const removed = removedValue(doc, path);
  // Null belongs to no branch.
  const old = nodeAt(doc.root, path) ?? (removed?.kind === "null" ? undefined : removed);
  const from = old && plan.branches[chosenBranch(doc.source, plan, old, union)];
  let next = old;
  if (!next || from !== branch) {
    const start = old?.notes?.parked.get(branchName(union, branch)) ?? blankValue(doc.source, branch.schema);
    next = withNotes(carriedOver(doc.source, old, branch.schema, start), old?.notes);
    if (old && from) next = tree.park(next, branchName(union, from), withNotes(old, undefined));
  }
  return setValue(doc, path, tree.choose(next, union, branch.own), order);
}

function branchName(union: string, branch: Branch): string {
  return `branch:${innerUnion(union, branch)}`;
}

export function addItem(doc: FormDocument, list: Path, index: number, schema: JsonNode): FormDocument {
  return withRoot(doc, tree.insertItemAt(doc.root, list, index, blankValue(doc.source, schema)));
}

export function moveItem(doc: FormDocument, list: Path, from: number, to: number): FormDocument {
  return withRoot(doc, tree.moveItemAt(doc.root, list, from, to));
}

/** Adds `value` to the list, or removes it. */
export function toggleItem(doc: FormDocument, list: Path, value: JsonNode, order?: readonly string[]): FormDocument {
  const node = nodeAt(doc.root, list);
  const array = node && settled(node);
  if (array?.kind !== "array") return setValue(doc, list, { kind: "array", items: [{ id: 0, value }] }, order);
  const at = array.items.findIndex((item) => sameValue(item.value, value));
  const root =
    at < 0 ? tree.insertItemAt(doc.root, list, array.items.length, value) : tree.removeAt(doc.root, [...list, at]);
  return withRoot(doc, root);
}

/**
 * Adds a member with a free name; a number is appended to a name that is taken. `order` lists the schema's own names,
 * which are taken too.
 */
export function addMember(
  doc: FormDocument,
  object: Path,
  name: string,
  schema: JsonNode,
  order: readonly string[] = [],
): FormDocument {
  const found = nodeAt(doc.root, object);
  const node = found && settled(found);
  const named = new Set(order);
  let free = name;
  for (let count = 2; named.has(free) || memberOf(node, free) !== undefined; count++) free = `${name}${count}`;
  return withRoot(doc, tree.appendMemberAt(doc.root, object, free, blankValue(doc.source, schema)));
}

export function renameMember(doc: FormDocument, object: Path, index: number, name: string): FormDocument {
  return withRoot(doc, tree.renameMemberAt(doc.root, object, index, name));
}

/** Opens a field as JSON text. */
export function openAsJson(doc: FormDocument, path: Path, order?: readonly string[]): FormDocument {
  const node = nodeAt(doc.root, path);
  if (node?.kind === "raw") return doc;
  return setRaw(doc, path, node ? printNode(node) : "", order);
}

/** Sets the JSON text of one field, kept character by character. */
export function setRaw(doc: FormDocument, path: Path, text: string, order?: readonly string[]): FormDocument {
  const parsed = parseJson(text);
  return setValue(doc, path, { kind: "raw", text, parsed: parsed.ok ? parsed.node : undefined }, order);
}

/**
 * Turns the JSON text of a field back into the field; does nothing while the text is not JSON. A blank text is not
 * sent.
 */
export function closeJson(doc: FormDocument, path: Path): FormDocument {
  const node = nodeAt(doc.root, path);
  if (isBlank(node) && typeof path.at(-1) === "string") return forget(doc, path);
  if (node?.kind !== "raw" || !node.parsed) return doc;
  return setValue(doc, path, withNotes(node.parsed, node.notes));
}
