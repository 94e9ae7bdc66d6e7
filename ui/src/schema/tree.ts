/** Edits of a value tree by path. Every function returns a new tree and shares the unchanged parts. */
import { insertMember } from "./blank";
import { memberIndex, nextId, settled, withNotes, type Item, type JsonNode, type Member, type Notes } from "./node";
import { sameValue } from "./same";

/** A string is a member's name (the last of repeated ones), a number an item's or member's position. */
export type PathStep = string | number;
export type Path = readonly PathStep[];

export function nodeAt(root: JsonNode, path: Path): JsonNode | undefined {
  let node: JsonNode | undefined = settled(root);
  for (const step of path) {
    if (!node) return undefined;
    node = settled(node);
    const at = position(node, step);
    if (node.kind === "array") node = node.items[at]?.value;
    else if (node.kind === "object") node = node.members[at]?.value;
    else return undefined;
  }
  return node;
}

function position(node: JsonNode, step: PathStep): number {
  if (typeof step === "number") return step;
  return node.kind === "object" ? memberIndex(node, step) : -1;
}

/** Replaces the node at `path` by the result of `change`; does nothing if the path does not exist. */
export function updateAt(root: JsonNode, path: Path, change: (node: JsonNode) => JsonNode, from = 0): JsonNode {
  const step = path[from];
  if (step === undefined) return change(root);
  const node = settled(root);
  const at = position(node, step);
  if (node.kind === "array") {
    const item = node.items[at];
    if (!item) return root;
    const value = updateAt(item.value, path, change, from + 1);
    return value === item.value ? root : { ...node, items: node.items.with(at, { ...item, value }) };
  }
  if (node.kind === "object") {
    const member = node.members[at];
    if (!member) return root;
    const value = updateAt(member.value, path, change, from + 1);
    return value === member.value ? root : { ...node, members: node.members.with(at, { ...member, value }) };
  }
  return root;
}

/** Sets the value at `path`; the last step is added as a new member if it does not exist. */
export function setAt(root: JsonNode, path: Path, value: JsonNode, order: readonly string[] = []): JsonNode {
  const last = path.at(-1);
  if (last === undefined) return keepNotes(root, value);
  return updateAt(root, path.slice(0, -1), (given) => {
    const node = settled(given);
    if (node.kind === "object" && typeof last === "string" && memberIndex(node, last) < 0) {
      return insertMember(node, last, value, order);
    }
    return updateAt(node, [last], (old) => keepNotes(old, value));
  });
}

function keepNotes(old: JsonNode, value: JsonNode): JsonNode {
  return value.notes || !old.notes ? value : withNotes(value, old.notes);
}

/** Removes the entry at `path`. A named member's value is parked, so that adding the member again restores it. */
export function removeAt(root: JsonNode, path: Path): JsonNode {
  const last = path.at(-1);
  if (last === undefined) return root;
  return updateAt(root, path.slice(0, -1), (given) => {
    const node = settled(given);
    const at = position(node, last);
    if (node.kind === "array" && node.items[at]) {
      return { ...node, items: node.items.filter((_, index) => index !== at) };
    }
    const member = node.kind === "object" ? node.members[at] : undefined;
    if (node.kind !== "object" || !member) return given;
    const rest = { ...node, members: node.members.filter((_, index) => index !== at) };
    return typeof last === "string" ? park(rest, removedName(last), member.value) : rest;
  });
}

/** Returns the name under which a removed member is parked at its object. */
export function removedName(key: string): string {
  return `removed:${key}`;
}

export function park<T extends JsonNode>(node: T, name: string, value: JsonNode): T {
  const parked = new Map(node.notes?.parked);
  parked.set(name, value);
  return withNotes(node, { choices: node.notes?.choices ?? new Map(), parked });
}

export function choose<T extends JsonNode>(node: T, union: string, branch: JsonNode): T {
  const choices = new Map(node.notes?.choices);
  // Choices further inside belonged to the previous branch.
  for (const inner of choices.keys()) if (inner.startsWith(`${union}/`)) choices.delete(inner);
  choices.set(union, branch);
  return withNotes(node, { choices, parked: node.notes?.parked ?? new Map() });
}

export function insertItemAt(root: JsonNode, list: Path, index: number, value: JsonNode): JsonNode {
  return updateAt(root, list, (given) => {
    const node = settled(given);
    if (node.kind !== "array") return given;
    const item: Item = { id: nextId(node.items), value };
    const at = Math.max(0, Math.min(index, node.items.length));
    return { ...node, items: node.items.toSpliced(at, 0, item) };
  });
}

export function moveItemAt(root: JsonNode, list: Path, from: number, to: number): JsonNode {
  return updateAt(root, list, (given) => {
    const node = settled(given);
    const item = node.kind === "array" ? node.items[from] : undefined;
    if (node.kind !== "array" || !item || to < 0 || to >= node.items.length) return given;
    return { ...node, items: node.items.toSpliced(from, 1).toSpliced(to, 0, item) };
  });
}

export function renameMemberAt(root: JsonNode, object: Path, index: number, key: string): JsonNode {
  return updateAt(root, object, (given) => {
    const node = settled(given);
    const member = node.kind === "object" ? node.members[index] : undefined;
    if (node.kind !== "object" || !member || member.key === key) return given;
    const renamed: Member = { id: member.id, key, value: member.value };
    return { ...node, members: node.members.with(index, renamed) };
  });
}

export function appendMemberAt(root: JsonNode, object: Path, key: string, value: JsonNode): JsonNode {
  return updateAt(root, object, (given) => {
    const node = settled(given);
    if (node.kind !== "object") return given;
    return { ...node, members: [...node.members, { id: nextId(node.members), key, value }] };
  });
}

/**
 * Carries the form's memory over from an old tree to a newly parsed one: ids, parked values, and the chosen branches of
 * unchanged values.
 */
export function reconcile(old: JsonNode, fresh: JsonNode): JsonNode {
  const before = settled(old);
  let node = fresh;
  if (before.kind === "array" && node.kind === "array") {
    const items = node.items.map((item, at): Item => {
      const twin = before.items[at];
      return twin ? { ...item, value: reconcile(twin.value, item.value) } : item;
    });
    node = { ...node, items };
  } else if (before.kind === "object" && node.kind === "object") {
    const members = node.members.map((member): Member => {
      const twin = before.members[memberIndex(before, member.key)];
      return twin ? { ...member, value: reconcile(twin.value, member.value) } : member;
    });
    node = { ...node, members };
  }
  const notes: Notes | undefined = old.notes ?? before.notes;
  if (!notes) return node;
  return withNotes(node, sameValue(before, fresh) ? notes : { choices: new Map(), parked: notes.parked });
}
