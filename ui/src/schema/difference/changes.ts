import type { JsonNode } from "../node";
import { printNode, printShort } from "../print";
import type { Difference, ItemDifference, MemberDifference } from "./jsonDifference";

export type ChangeKind = "added" | "removed" | "changed" | "moved";

/** One place at which two values differ. */
export interface Change {
  readonly kind: ChangeKind;
  /** Path in the second value; in the first value for a removal. */
  readonly path: string;
  /** Path in the first value, if it differs. */
  readonly from: string | null;
  readonly left: JsonNode | null;
  readonly right: JsonNode | null;
}

/** A row of the list of changes. */
export interface ChangeRow extends Pick<Change, "kind" | "path" | "from"> {
  readonly left: string | null;
  readonly right: string | null;
}

/** Lists the changes of a difference in the order of the second value; none for equal values. */
export function changesOf(difference: Difference | null): Change[] {
  const changes: Change[] = [];
  const walk = (found: Difference, from: string, to: string): void => {
    const before = from === to ? null : from;
    switch (found.kind) {
      case "replaced":
        changes.push({ kind: "changed", path: to, from: before, left: found.left, right: found.right });
        return;
      case "object":
        for (const member of found.members) ofMember(member, from, to);
        return;
      case "array":
        for (const item of found.items) ofItem(item, from, to);
    }
  };
  const ofMember = (member: MemberDifference, from: string, to: string): void => {
    const step = keyStep(member.key);
    if (member.kind === "changed") walk(member.difference, from + step, to + step);
    else if (member.kind === "added") {
      changes.push({ kind: "added", path: to + step, from: null, left: null, right: member.right });
    } else changes.push({ kind: "removed", path: from + step, from: null, left: member.left, right: null });
  };
  const ofItem = (item: ItemDifference, from: string, to: string): void => {
    if (item.kind === "same") return;
    if (item.kind === "removed") {
      changes.push({ kind: "removed", path: `${from}[${item.from}]`, from: null, left: item.left, right: null });
      return;
    }
    const path = `${to}[${item.to}]`;
    if (item.kind === "added") {
      changes.push({ kind: "added", path, from: null, left: null, right: item.right });
      return;
    }
    const before = `${from}[${item.from}]`;
    if (item.kind === "changed") {
      if (item.moved) changes.push({ kind: "moved", path, from: before, left: item.moved, right: item.moved });
      walk(item.difference, before, path);
    } else changes.push({ kind: "moved", path, from: before, left: item.value, right: item.value });
  };
  if (difference) walk(difference, "", "");
  return changes;
}

const PLAIN = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** Returns the step of a path into a member, as in code. */
export function keyStep(key: string): string {
  return PLAIN.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/** Limit of characters that a row shows of a value. */
const SHOWN_CHARACTERS = 200;

export function rowOfChange({ kind, path, from, left, right }: Change): ChangeRow {
  return {
    kind,
    path: shownPath(path),
    from: from === null ? null : shownPath(from),
    left: left && printShort(left, SHOWN_CHARACTERS),
    right: right && printShort(right, SHOWN_CHARACTERS),
  };
}

/** Formats changes as text: the path, then the whole old and new value. */
export function changesText(changes: readonly Change[], names: readonly [string, string]): string {
  const value = (sign: string, node: JsonNode | null): string =>
    node ? `${printNode(node).replaceAll(/^/gm, `${sign} `)}\n` : "";
  const blocks = changes.map(({ kind, path, from, left, right }) => {
    const head = `@@ ${kind} ${shownPath(path)}${from === null ? "" : ` (was ${shownPath(from)})`}\n`;
    return kind === "moved" ? head : head + value("-", left) + value("+", right);
  });
  return `--- ${names[0]}\n+++ ${names[1]}\n${blocks.join("")}`;
}

/** Returns a path for display, without its leading dot. */
export function shownPath(path: string): string {
  return path.startsWith(".") ? path.slice(1) : path === "" ? "(all of it)" : path;
}
