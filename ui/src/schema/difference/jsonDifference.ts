import { cached } from "../../lib/cached";
import type { JsonNode, Item, Member, ObjectNode } from "../node";
import { common } from "./sequence";

/** Steps from one value to another. Numbers are equal if their digits are; the order of members does not matter. */
export type Difference =
  | { readonly kind: "replaced"; readonly left: JsonNode; readonly right: JsonNode }
  | { readonly kind: "object"; readonly members: readonly MemberDifference[] }
  /** All items of the second array in order, with the removed items between them. */
  | { readonly kind: "array"; readonly items: readonly ItemDifference[] };

export type MemberDifference = { readonly key: string } & (
  | { readonly kind: "added"; readonly right: JsonNode }
  | { readonly kind: "removed"; readonly left: JsonNode }
  | { readonly kind: "changed"; readonly difference: Difference }
);

/** `from` and `to` are positions in the first and the second array. */
export type ItemDifference =
  | { readonly kind: "same" | "moved"; readonly from: number; readonly to: number; readonly value: JsonNode }
  | {
      readonly kind: "changed";
      readonly from: number;
      readonly to: number;
      readonly difference: Difference;
      /** The item's value in the first array, if the item also moved. */
      readonly moved: JsonNode | null;
    }
  | { readonly kind: "added"; readonly to: number; readonly right: JsonNode }
  | { readonly kind: "removed"; readonly from: number; readonly left: JsonNode };

export interface Compared {
  /** `null` if the values are the same. */
  readonly difference: Difference | null;
  /** The arrays differ so much that some equal items may not be matched. */
  readonly cut: boolean;
}

/** Compares two values by structure. */
export function compareJson(left: JsonNode, right: JsonNode): Compared {
  const comparer = new Comparer();
  return { difference: comparer.compare(left, right), cut: comparer.cut };
}

/** Members that identify the objects of an array, the most reliable first. */
const NAMING_MEMBERS = ["id", "uuid", "key", "uri", "url", "path", "name"];

class Comparer {
  cut = false;
  readonly #known = new Map<string, number>();
  readonly #ids = new WeakMap<JsonNode, number>();

  compare(left: JsonNode, right: JsonNode): Difference | null {
    if (this.#id(left) === this.#id(right)) return null;
    if (left.kind === "object" && right.kind === "object") return this.#objects(left, right);
    if (left.kind === "array" && right.kind === "array") return this.#arrays(left.items, right.items);
    return { kind: "replaced", left, right };
  }

  #objects(left: ObjectNode, right: ObjectNode): Difference {
    const before = membersOf(left);
    const after = membersOf(right);
    const members: MemberDifference[] = [];
    for (const [key, value] of after) {
      const old = before.get(key);
      if (!old) members.push({ kind: "added", key, right: value });
      else {
        const difference = this.compare(old, value);
        if (difference) members.push({ kind: "changed", key, difference });
      }
    }
    for (const [key, value] of before) if (!after.has(key)) members.push({ kind: "removed", key, left: value });
    return { kind: "object", members };
  }

  #arrays(left: readonly Item[], right: readonly Item[]): Difference {
    const leftIds = left.map(({ value }) => this.#id(value));
    const rightIds = right.map(({ value }) => this.#id(value));
    const { pairs, cut } = common(leftIds, rightIds);
    if (cut) this.cut = true;
    /**
     * By position in the second array, the position in the first one. `used` has the matched positions of the first
     * array.
     */
    const from = new Map<number, number>(pairs.map(([a, b]) => [b, a]));
    const used = new Set(pairs.map(([a]) => a));
    const kept = new Set(from.keys());
    const free = (place: number): boolean => !used.has(place);
    const take = (to: number, place: number): void => {
      from.set(to, place);
      used.add(place);
    };
    const rest = (): number[] => rightIds.flatMap((_, to) => (from.has(to) ? [] : [to]));
    // Matches items that moved, then items of the same name, then items at the same position.
    const byId = places(leftIds, free);
    for (const to of rest()) {
      const place = byId.get(rightIds[to] ?? -1)?.shift();
      if (place !== undefined) take(to, place);
    }
    const moved = new Set(from.keys());
    for (const name of NAMING_MEMBERS) {
      const byName = places(
        left.map(({ value }) => this.#nameId(value, name)),
        free,
      );
      for (const to of rest()) {
        const value = right[to]?.value;
        const place = value && byName.get(this.#nameId(value, name))?.shift();
        if (place !== undefined) take(to, place);
      }
    }
    this.#pairGaps(left, right, pairs, from, take, free);

    const inOrder = inOrderOf(from);
    const items: ItemDifference[] = [];
    let gone = 0;
    const passGone = (until: number): void => {
      for (; gone < until; gone++) {
        const value = left[gone]?.value;
        if (value && !used.has(gone)) items.push({ kind: "removed", from: gone, left: value });
      }
    };
    for (const [to, { value }] of right.entries()) {
      const place = from.get(to);
      const old = place === undefined ? undefined : left[place]?.value;
      if (place === undefined || !old) {
        items.push({ kind: "added", to, right: value });
        continue;
      }
      if (kept.has(to)) passGone(place);
      if (kept.has(to)) items.push({ kind: "same", from: place, to, value: old });
      else if (moved.has(to)) items.push({ kind: "moved", from: place, to, value: old });
      else {
        const difference = this.compare(old, value);
        items.push(
          difference
            ? { kind: "changed", from: place, to, difference, moved: inOrder.has(to) ? null : old }
            : { kind: "moved", from: place, to, value: old },
        );
      }
    }
    passGone(left.length);
    return { kind: "array", items };
  }

  /** Between equal items, pairs the remaining items in order if they are of the same kind. */
  #pairGaps(
    left: readonly Item[],
    right: readonly Item[],
    pairs: readonly (readonly [number, number])[],
    from: ReadonlyMap<number, number>,
    take: (to: number, place: number) => void,
    free: (place: number) => boolean,
  ): void {
    let [a, b] = [0, 0];
    for (const [endA, endB] of [...pairs, [left.length, right.length] as const]) {
      const olds: number[] = [];
      for (let place = a; place < endA; place++) if (free(place)) olds.push(place);
      for (let to = b; to < endB && olds.length > 0; to++) {
        if (from.has(to)) continue;
        const place = olds[0] ?? 0;
        if (isContainer(left[place]?.value) !== isContainer(right[to]?.value)) continue;
        take(to, place);
        olds.shift();
      }
      [a, b] = [endA + 1, endB + 1];
    }
  }

  /** Returns a number that only equal values share. */
  #id(node: JsonNode): number {
    return cached(this.#ids, node, () => cached(this.#known, this.#text(node), () => this.#known.size));
  }

  #text(node: JsonNode): string {
    switch (node.kind) {
      case "null":
        return "null";
      case "boolean":
        return String(node.value);
      case "number":
        return node.lexeme;
      case "string":
        return JSON.stringify(node.value);
      case "raw":
        return `raw ${node.text}`;
      case "array":
        return `[${node.items.map(({ value }) => this.#id(value)).join()}]`;
      case "object":
        return `{${[...membersOf(node)]
          .map(([key, value]) => `${JSON.stringify(key)}:${this.#id(value)}`)
          .sort()
          .join()}}`;
    }
  }

  /** Returns the id of the value that names an object, its member `name`; below 0 without such a member. */
  #nameId(node: JsonNode, name: string): number {
    if (node.kind !== "object") return -1;
    const value = membersOf(node).get(name);
    return value?.kind === "string" || value?.kind === "number" ? this.#id(value) : -1;
  }
}

/** Members by key; of repeated keys the last one counts, as in JSON parsers. */
function membersOf(node: ObjectNode): Map<string, JsonNode> {
  return new Map(node.members.map((member: Member) => [member.key, member.value]));
}

/** Returns the positions in the second array of the longest row of items that kept their order. */
function inOrderOf(from: ReadonlyMap<number, number>): ReadonlySet<number> {
  const places = [...from].toSorted(([a], [b]) => a - b);
  const order = places.map(([, place]) => place);
  const { pairs } = common(
    order.toSorted((a, b) => a - b),
    order,
  );
  return new Set(pairs.flatMap(([, at]) => places[at]?.[0] ?? []));
}

function isContainer(node: JsonNode | undefined): boolean {
  return node?.kind === "object" || node?.kind === "array";
}

/** Returns the free positions of each value, in order. Negative values are skipped. */
function places(values: readonly number[], free: (place: number) => boolean): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const [place, value] of values.entries()) {
    if (value < 0 || !free(place)) continue;
    const same = found.get(value);
    if (same) same.push(place);
    else found.set(value, [place]);
  }
  return found;
}
