import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { JsonNode, ObjectNode } from "../node";
import { compactJson, printNode } from "../print";
import { parsed as node } from "../testing/walk";
import { changesOf, changesText, rowOfChange } from "./changes";
import { compareJson, type Difference } from "./jsonDifference";

/** Computes the second value from the first and the difference. */
function apply(left: JsonNode, difference: Difference | null): JsonNode {
  if (!difference) return left;
  if (difference.kind === "replaced") {
    expect(left).toBe(difference.left);
    return difference.right;
  }
  if (difference.kind === "object") {
    const members = new Map((left as ObjectNode).members.map(({ key, value }) => [key, value]));
    for (const member of difference.members) {
      const old = members.get(member.key);
      if (member.kind === "added") {
        expect(old).toBeUndefined();
        members.set(member.key, member.right);
      } else if (member.kind === "removed") {
        expect(old).toBe(member.left);
        members.delete(member.key);
      } else if (old) members.set(member.key, apply(old, member.difference));
    }
    return { kind: "object", members: [...members].map(([key, value], id) => ({ id, key, value })) };
  }
  if (left.kind !== "array") throw new Error("no array");
  const used: number[] = [];
  const items = difference.items.flatMap((item): JsonNode[] => {
    if (item.kind === "added") return [item.right];
    used.push(item.from);
    const old = left.items[item.from]?.value ?? expect.fail("no such item");
    if (item.kind === "changed") return [apply(old, item.difference)];
    return item.kind === "removed" ? [] : [old];
  });
  // Each item of the first array is used exactly once.
  expect(used.toSorted((a, b) => a - b)).toEqual(left.items.map((_, place) => place));
  return { kind: "array", items: items.map((value, id) => ({ id, value })) };
}

/** Formats JSON with sorted keys and digits as they are. */
function text(value: JsonNode): string {
  if (value.kind === "array") return `[${value.items.map((item) => text(item.value)).join()}]`;
  if (value.kind !== "object") return compactJson(printNode(value));
  const members = new Map(value.members.map((member) => [member.key, member.value]));
  return `{${[...members]
    .map(([key, one]) => `${JSON.stringify(key)}:${text(one)}`)
    .sort()
    .join()}}`;
}

const key = fc.oneof(fc.constantFrom("a", "b", "id", "name", "__proto__", "constructor", "0", ""), fc.string());
const { value: anything } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom("null", "true", "false", "0", "1", "1.0", "9007199254740993", "9007199254740992", '""', '"a"'),
    fc.string().map((one) => JSON.stringify(one)),
    fc.array(tie("value"), { maxLength: 6 }).map((items) => `[${items.join()}]`),
    fc
      .array(fc.tuple(key, tie("value")), { maxLength: 5 })
      .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`),
  ),
}));

describe("compareJson", () => {
  it("makes the second value of the first, whatever they are", () => {
    fc.assert(
      fc.property(anything, anything, (left, right) => {
        const [a, b] = [node(left), node(right)];
        const { difference, cut } = compareJson(a, b);
        expect(cut).toBe(false);
        expect(text(apply(a, difference))).toBe(text(b));
        // The difference is null exactly for equal values.
        expect(difference === null).toBe(text(a) === text(b));
        expect(changesOf(difference).length === 0).toBe(difference === null);
      }),
      { numRuns: 500 },
    );
  });

  it("makes an array of another that was shuffled, cut and added to", () => {
    const items = fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 20 });
    fc.assert(
      fc.property(items, items, fc.boolean(), (left, right, named) => {
        const json = (ids: readonly number[]) =>
          `[${ids.map((id, place) => (named ? `{"id":${id},"place":${place}}` : id)).join()}]`;
        const a = node(json(left));
        const { difference } = compareJson(a, node(json(right)));
        expect(text(apply(a, difference))).toBe(text(node(json(right))));
        if (!named) return;
        // An item with a name is never matched with an item of another name.
        const found = changesOf(difference).filter(({ kind }) => kind === "added" || kind === "removed");
        const lost = left.filter((id) => !right.includes(id));
        const won = right.filter((id) => !left.includes(id));
        expect(found.length).toBeLessThanOrEqual(lost.length + won.length);
      }),
    );
  });
});

describe("changesOf", () => {
  const changes = (left: string, right: string) =>
    changesOf(compareJson(node(left), node(right)).difference).map((change) => {
      const { kind, path, from, left: was, right: is } = rowOfChange(change);
      return [kind, from === null ? path : `${from} to ${path}`, was, is];
    });

  it("tells added, removed and changed members apart", () => {
    expect(changes('{"a":1,"b":{"c":[1,2]},"gone":"x"}', '{"b":{"c":[1,3]},"a":1,"new key":null}')).toEqual([
      ["changed", "b.c[1]", "2", "3"],
      ["added", '["new key"]', null, "null"],
      ["removed", "gone", '"x"', null],
    ]);
  });

  it("keeps digits apart that a float does not", () => {
    expect(changes("9007199254740993", "9007199254740992")).toEqual([
      ["changed", "(all of it)", "9007199254740993", "9007199254740992"],
    ]);
    expect(changes("[1.0]", "[1]")).toEqual([["changed", "[0]", "1.0", "1"]]);
  });

  it("follows an item that an array has elsewhere now", () => {
    expect(changes('[{"x":1},{"x":2},{"x":3}]', '[{"x":3},{"x":1},{"x":2}]')).toEqual([
      ["moved", "[2] to [0]", '{"x":3}', '{"x":3}'],
    ]);
  });

  it("tells that an item changed its place as well as its value", () => {
    const before = '[{"id":1,"x":1},{"id":2,"x":1},{"id":3,"x":1}]';
    expect(changes(before, '[{"id":3,"x":2},{"id":1,"x":2},{"id":2,"x":2}]')).toEqual([
      ["moved", "[2] to [0]", '{"id":3,"x":1}', '{"id":3,"x":1}'],
      ["changed", "[2].x to [0].x", "1", "2"],
      ["changed", "[0].x to [1].x", "1", "2"],
      ["changed", "[1].x to [2].x", "1", "2"],
    ]);
  });

  it("follows what has a name, also where it changed", () => {
    expect(changes('[{"id":1,"v":"a"},{"id":2,"v":"b"}]', '[{"id":2,"v":"c"},{"id":1,"v":"a"}]')).toEqual([
      ["changed", "[1].v to [0].v", '"b"', '"c"'],
    ]);
  });

  it("says one insertion in a long array, not a change of all behind it", () => {
    const items = Array.from({ length: 2_000 }, (_, index) => `{"n":${index}}`);
    const more = [...items.slice(0, 700), '{"n":-1}', ...items.slice(700)];
    expect(changes(`[${items.join()}]`, `[${more.join()}]`)).toEqual([["added", "[700]", null, '{"n":-1}']]);
  });

  it("is copied whole", () => {
    const { difference } = compareJson(node('{"a":[1],"b":1}'), node('{"a":[1,{"x":"y"}],"c":1}'));
    expect(changesText(changesOf(difference), ["run A", "run B"])).toBe(
      '--- run A\n+++ run B\n@@ added a[1]\n+ {\n+   "x": "y"\n+ }\n@@ added c\n+ 1\n@@ removed b\n- 1\n',
    );
  });
});
