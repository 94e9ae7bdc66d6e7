import { describe, expect, it } from "vitest";
import * as actions from "./actions";
import {
  argumentsSchema,
  createDocument,
  fromText,
  isEmpty,
  isPristine,
  resetDocument,
  syntaxProblem,
  toText,
  withSchema,
  type FormDocument,
} from "./document";
import { NULL, settled } from "./node";
import type { UnionPlan } from "./plan";
import { planField } from "./planner";
import { bestBranch, chosenBranch } from "./planunion";
import { compactJson } from "./print";

import { nodeAt } from "./tree";

const schema = (value: unknown) => JSON.stringify(value);
const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const sent = (doc: FormDocument) => compactJson(toText(doc));

describe("the start of a form", () => {
  it("sends nothing that nobody asked for", () => {
    const doc = createDocument(
      schema(
        object(
          {
            a: { type: "string" },
            b: { type: "array" },
            c: { type: "object" },
            d: { default: 5 },
            e: { type: "boolean" },
          },
          { required: ["a", "e"] },
        ),
      ),
    );
    expect(toText(doc)).toBe("{}");
    expect(isEmpty(doc)).toBe(true);
  });

  it("fills in what is required and known, with its digits", () => {
    const text = `{"type":"object","required":["z","a","o","k"],"properties":{
      "z":{"default":1.0},"a":{"default":9007199254740993},"k":{"const":"v"},
      "o":{"type":"object","required":["in"],"properties":{"in":{"default":null},"out":{"default":1}}}}}`;
    const doc = createDocument(text);
    expect(sent(doc)).toBe('{"z":1.0,"a":9007199254740993,"k":"v","o":{"in":null}}');
    expect(isPristine(doc)).toBe(true);
    expect(isPristine(actions.setText(doc, ["z"], "x"))).toBe(false);
    expect(sent(resetDocument(actions.setText(doc, ["z"], "x")))).toBe(sent(doc));
  });

  it("follows a condition that a default switches", () => {
    const doc = createDocument(
      schema(
        object(
          { mode: { enum: ["a", "b"], default: "a" } },
          {
            required: ["mode"],
            if: { properties: { mode: { const: "a" } } },
            then: { properties: { depth: { type: "integer", default: 3 } }, required: ["depth"] },
          },
        ),
      ),
    );
    expect(sent(doc)).toBe('{"mode":"a","depth":3}');
  });

  it("ends for a schema that requires itself", () => {
    const doc = createDocument(schema(object({ next: { $ref: "#" } }, { required: ["next"] })));
    expect(toText(doc).length).toBeLessThan(2000);
  });

  it.each<[string, string, string]>([
    ["no JSON", "{type: object}", "not JSON"],
    ["nothing", "", "no schema"],
    ["true", "true", "anything"],
    ["false", "false", "no arguments"],
    ["a list", "[1]", "an array"],
    ["a number", "12", "a number"],
    ["a schema for text", '{"type":"string"}', "always an object"],
    ["an external reference", '{"$ref":"https://x.test/s"}', "outside itself"],
  ])("without a form when the schema is %s", (_, text, reason) => {
    const doc = createDocument(text);
    expect(argumentsSchema(doc)).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
    expect(toText(doc)).toBe("{}");
    expect(toText(fromText(doc, '{"a": 1}'))).toBe('{"a": 1}');
  });

  it.each(["{}", '{"$schema":"http://json-schema.org/draft-07/schema#"}', '{"properties":{"a":{}}}'])(
    "with a form for %s, since arguments are an object",
    (text) => expect(argumentsSchema(createDocument(text)).ok).toBe(true),
  );
});

describe("an optional value with the default null", () => {
  const optional = (part: object) => ({ anyOf: [part, { type: "null" }], default: null });
  const tool = schema(
    object({ where: optional(object({ x: { const: 1 } }, { required: ["x"] })), all: optional({ type: "array" }) }),
  );
  const field = (doc: FormDocument, at: number) => {
    const root = argumentsSchema(doc);
    const plan = root.ok && planField(doc.source, root.schema, undefined);
    return (plan && plan.kind === "object" && plan.properties[at]?.schema) || expect.fail("no field");
  };

  it("gets a value when it is added, started over or sent instead of null", () => {
    const doc = createDocument(tool);
    expect(sent(doc)).toBe("{}");
    expect(sent(actions.addField(doc, ["where"], field(doc, 0)))).toBe('{"where":{"x":1}}');
    expect(sent(actions.restartField(createDocument(tool, '{"where":3}'), ["where"], field(doc, 0)))).toBe(
      '{"where":{"x":1}}',
    );
    expect(sent(actions.unsetNull(createDocument(tool, '{"all":null}'), ["all"], field(doc, 1)))).toBe('{"all":[]}');
  });

  it("is prefilled with null where it is required", () => {
    expect(sent(createDocument(schema(object({ all: optional({ type: "array" }) }, { required: ["all"] }))))).toBe(
      '{"all":null}',
    );
  });
});

describe("text and form are one document", () => {
  const tool = schema(object({ a: { type: "number" }, b: { type: "string" }, c: { type: "string" } }));

  it("keeps hand-written text until a field changes, and digits after that", () => {
    const text = '{ "x":1.0,\n "10": 1e400, "2":"\\u00e9", "a":9007199254740993 }';
    const doc = createDocument(tool, text);
    expect(toText(doc)).toBe(text);
    expect(sent(actions.setText(doc, ["b"], "hé", ["a", "b", "c"]))).toBe(
      '{"x":1.0,"10":1e400,"2":"\\u00e9","a":9007199254740993,"b":"hé"}',
    );
  });

  it("keeps text that is no JSON, and the fields as they were", () => {
    const doc = fromText(createDocument(tool, '{"a":1}'), '{"a":1,');
    expect(toText(doc)).toBe('{"a":1,');
    expect(syntaxProblem(doc)).toMatchObject({ line: 1, column: 8 });
    const mended = fromText(doc, '{"a":1,"b":""}');
    expect(syntaxProblem(mended)).toBeNull();
    expect(sent(mended)).toBe('{"a":1,"b":""}');
  });

  it("tells absent, null and empty text apart", () => {
    const order = ["a", "b", "c"];
    let doc = createDocument(tool);
    doc = actions.setText(doc, ["b"], "", order);
    expect(sent(doc)).toBe('{"b":""}');
    doc = actions.setNull(doc, ["b"]);
    expect(sent(doc)).toBe('{"b":null}');
    doc = actions.removeField(doc, ["b"]);
    expect(sent(doc)).toBe("{}");
  });

  it("writes new members where the schema has them, and moves none", () => {
    const order = ["a", "b", "c"];
    let doc = createDocument(tool, '{"c":"3","a":1}');
    doc = actions.setText(doc, ["b"], "2", order);
    expect(sent(doc)).toBe('{"c":"3","a":1,"b":"2"}');
    doc = actions.setText(createDocument(tool, '{"c":"3"}'), ["a"], "1", order);
    expect(sent(doc)).toBe('{"a":"1","c":"3"}');
  });

  it("sends numbers as typed, wrong ones as text, emptied ones not at all", () => {
    let doc = createDocument(tool);
    for (const [typed, result] of [
      ["9007199254740993", '{"a":9007199254740993}'],
      ["1.0", '{"a":1.0}'],
      ["1e400", '{"a":1e400}'],
      ["1.", '{"a":"1."}'],
      ["abc", '{"a":"abc"}'],
      ["", "{}"],
    ] as const) {
      doc = actions.setNumber(doc, ["a"], typed);
      expect(sent(doc)).toBe(result);
    }
    const removed = actions.removeField(actions.setNumber(doc, ["a"], "12"), ["a"]);
    expect(sent(actions.addField(removed, ["a"], { kind: "boolean", value: true }))).toBe('{"a":12}');
  });

  it("keeps the values when the schema changes", () => {
    const doc = actions.setText(createDocument(tool), ["b"], "x");
    expect(sent(withSchema(doc, schema(object({}))))).toBe('{"b":"x"}');
  });

  it("shows a repeated key's last value and keeps the others", () => {
    const doc = createDocument(tool, '{"b":"1","b":"2"}');
    expect(sent(actions.setText(doc, ["b"], "3"))).toBe('{"b":"1","b":"3"}');
  });

  it("opens one field as JSON and keeps its text character by character", () => {
    let doc = actions.openAsJson(createDocument(tool, '{"a":1.0,"b":"x"}'), ["a"]);
    doc = actions.setRaw(doc, ["a"], '[1, 2 ,{"k" :1e2');
    expect(syntaxProblem(doc)).not.toBeNull();
    expect(toText(doc)).toContain('"a": [1, 2 ,{"k" :1e2');
    expect(actions.closeJson(doc, ["a"])).toBe(doc);
    doc = actions.setRaw(doc, ["a"], '[1, 2 ,{"k" :1e2}]');
    expect(syntaxProblem(doc)).toBeNull();
    expect(toText(doc)).toContain('[1, 2 ,{"k" :1e2}]');
    expect(sent(actions.closeJson(doc, ["a"]))).toBe('{"a":[1,2,{"k":1e2}],"b":"x"}');
  });

  it("does not send a member with a blank JSON field, and does not let an item be blank", () => {
    const doc = actions.openAsJson(createDocument(tool, '{"b":"x"}'), ["a"]);
    expect([sent(doc), syntaxProblem(doc)]).toEqual(['{"b":"x"}', null]);
    const list = createDocument(schema(object({ l: { type: "array" } })), '{"l":[1]}');
    expect(syntaxProblem(actions.setRaw(list, ["l", 0], " "))).not.toBeNull();
  });

  it("does not take text for JSON that only happens to complete the rest", () => {
    const doc = actions.setRaw(createDocument(tool), ["a"], '1, "smuggled": 2');
    expect(syntaxProblem(doc)).not.toBeNull();
  });
});

describe("lists and maps", () => {
  const tool = schema(object({ l: { type: "array", items: { type: "integer", default: 7 } } }));
  const items = {
    kind: "object",
    members: [{ id: 0, key: "default", value: { kind: "number", lexeme: "7" } }],
  } as const;

  it("adds, moves and removes items, which keep their ids", () => {
    let doc = createDocument(tool, '{"l":[1,2.0,3]}');
    doc = actions.moveItem(doc, ["l"], 2, 0);
    expect(sent(doc)).toBe('{"l":[3,1,2.0]}');
    const list = nodeAt(doc.root, ["l"]);
    expect(list?.kind === "array" && list.items.map((item) => item.id)).toEqual([2, 0, 1]);
    doc = actions.addItem(doc, ["l"], 3, items);
    doc = actions.removeField(doc, ["l", 1]);
    expect(sent(doc)).toBe('{"l":[3,2.0,7]}');
    expect(actions.moveItem(doc, ["l"], 0, -1)).toEqual(doc);
    expect(actions.moveItem(doc, ["l"], 2, 3)).toEqual(doc);
  });

  it("toggles items of a set", () => {
    const a = { kind: "string", value: "a" } as const;
    let doc = actions.toggleItem(createDocument(tool), ["l"], a);
    expect(sent(doc)).toBe('{"l":["a"]}');
    doc = actions.toggleItem(doc, ["l"], a);
    expect(sent(doc)).toBe('{"l":[]}');
  });

  it("adds no member with a name of the schema", () => {
    const doc = createDocument(schema(object({ name: { type: "string" } })));
    const added = actions.addMember(doc, [], "name", { kind: "boolean", value: true }, ["name", "name2"]);
    expect(sent(added)).toBe('{"name3":null}');
  });

  it("renames and adds members in place", () => {
    let doc = createDocument(tool, '{"x":1,"y":2}');
    doc = actions.renameMember(doc, [], 0, "z");
    doc = actions.addMember(doc, [], "y", { kind: "boolean", value: true });
    expect(sent(doc)).toBe('{"z":1,"y":2,"y2":null}');
  });
});

describe("unions", () => {
  const tool = schema(
    object({
      shape: {
        oneOf: [
          object(
            { kind: { const: "circle" }, name: { type: "string" }, r: { type: "number" } },
            { required: ["kind", "r"] },
          ),
          object(
            { kind: { const: "square" }, name: { type: "string" }, side: { type: "number" } },
            { required: ["kind", "side"] },
          ),
        ],
      },
    }),
  );

  /** The plan of the first property, which is a union. */
  function unionOf(doc: FormDocument): UnionPlan {
    const root = argumentsSchema(doc);
    const object = root.ok && planField(doc.source, root.schema, doc.root);
    const first = object && object.kind === "object" && object.properties[0];
    const union = first && planField(doc.source, first.schema, undefined);
    return union && union.kind === "union" ? union : expect.fail("no union");
  }

  it("remember what the other branch held, and keep what both know", () => {
    let doc = createDocument(tool, '{"shape":{"kind":"circle","name":"n","r":1.50}}');
    const union = unionOf(doc);
    const shape = () => settled(nodeAt(doc.root, ["shape"]) ?? { kind: "null" });

    expect(bestBranch(doc.source, union, shape())).toBe(0);
    doc = actions.chooseBranch(doc, ["shape"], "", union, 1);
    expect(sent(doc)).toBe('{"shape":{"kind":"square","name":"n"}}');
    doc = actions.setNumber(doc, ["shape", "side"], "2", ["kind", "name", "side"]);
    doc = actions.setText(doc, ["shape", "name"], "m");
    doc = actions.chooseBranch(doc, ["shape"], "", union, 0);
    expect(sent(doc)).toBe('{"shape":{"kind":"circle","name":"m","r":1.50}}');
    expect(chosenBranch(doc.source, union, shape(), "")).toBe(0);
    doc = actions.chooseBranch(doc, ["shape"], "", union, 1);
    expect(sent(doc)).toBe('{"shape":{"kind":"square","name":"m","side":2}}');
    doc = actions.chooseBranch(actions.removeField(doc, ["shape"]), ["shape"], "", union, 1);
    expect(sent(doc)).toBe('{"shape":{"kind":"square","name":"m","side":2}}');
    doc = actions.chooseBranch(actions.removeField(doc, ["shape"]), ["shape"], "", union, 0);
    expect(sent(doc)).toBe('{"shape":{"kind":"circle","name":"m","r":1.50}}');
  });

  it("forget the chosen branch when the text says something else, or when the schema has it no longer", () => {
    const [text, number] = [{ type: "string" }, { type: ["number", "boolean"] }];
    const tool = (...anyOf: object[]) => schema(object({ v: { anyOf } }));
    const doc = createDocument(tool(text, number));
    const branchOf = (of: FormDocument) => chosenBranch(of.source, unionOf(of), nodeAt(of.root, ["v"]) ?? NULL, "");
    const chosen = actions.setText(actions.chooseBranch(doc, ["v"], "", unionOf(doc), 1), ["v"], "12a");
    expect(branchOf(chosen)).toBe(1);
    expect(branchOf(fromText(chosen, ` ${toText(chosen)}`))).toBe(1);
    expect(branchOf(fromText(chosen, '{"v":"text"}'))).toBe(0);
    expect(branchOf(withSchema(chosen, tool({ type: "object" }, text, number)))).toBe(2);
    expect(branchOf(withSchema(chosen, tool({ type: "object" }, text)))).toBe(1);
    expect(branchOf(withSchema(chosen, tool(text, { type: "object" })))).toBe(0);
  });
});
