import { describe, expect, it } from "vitest";

import { compactJson, printNode } from "../schema/print";
import {
  draftOf,
  FIRST_DRAFT,
  MOST_MESSAGES,
  MOST_PARTS,
  readSampling,
  samplingProblem,
  withoutToolUse,
  withToolUse,
  writeSampling,
  type SamplingRequest,
} from "./sampling";

const params = `{"messages":[{"role":"user","content":{"type":"text","text":"Hello"}},
  {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"add","input":{"n":12345678901234567890,"m":1e400,"o":1.0,"o":2}}]}],
  "systemPrompt":"Be brief.","maxTokens":9007199254740993,"temperature":0.50,"stopSequences":["END"],
  "includeContext":"none","modelPreferences":{"hints":[{"name":"claude"},{"name":"gpt"}],"costPriority":0.3},
  "tools":[{"name":"add","description":"Adds.","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"required"}}`;

/** Returns the role of each message and its content as JSON text. */
function written(read: SamplingRequest | null): readonly (readonly string[])[] | undefined {
  return read?.messages.map(({ role, content }) => [role, ...content.map((block) => compactJson(printNode(block)))]);
}

describe("a sampling request", () => {
  it("is read with every member, digit for digit", () => {
    const read = readSampling(params);
    expect(written(read)).toEqual([
      ["user", '{"type":"text","text":"Hello"}'],
      [
        "assistant",
        '{"type":"tool_use","id":"a","name":"add","input":{"n":12345678901234567890,"m":1e400,"o":1.0,"o":2}}',
      ],
    ]);
    expect(read?.system).toBe("Be brief.");
    expect(read?.tools).toEqual([{ name: "add", description: "Adds.", schema: '{"type":"object"}' }]);
    expect(read?.facts).toEqual([
      ["Max tokens", "9007199254740993"],
      ["Temperature", "0.50"],
      ["Stop sequences", '["END"]'],
      ["Models, the first match first", "claude, gpt"],
      ["Cost priority", "0.3"],
      ["Context to include", "none"],
      ["Tool choice", "required"],
    ]);
  });

  it("is read whatever the server wrote, as far as there is room", () => {
    expect(readSampling("{ cut")).toBeNull();
    expect(readSampling("[]")).toBeNull();
    expect(readSampling("{}")).toMatchObject({ messages: [], tools: [], facts: [] });
    expect(written(readSampling('{"messages":[3,{"role":7,"content":"x"}],"tools":[1]}'))).toEqual([[""], ["", '"x"']]);
    const many = Array.from({ length: 500 }, () => ({ role: "user", content: [] }));
    const read = readSampling(JSON.stringify({ messages: [{ content: many }, ...many], tools: many }));
    expect(read?.messages).toHaveLength(MOST_MESSAGES);
    expect(read?.more).toBe(501 - MOST_MESSAGES);
    expect([read?.messages[0]?.content.length, read?.messages[0]?.more]).toEqual([MOST_PARTS, 500 - MOST_PARTS]);
    expect([read?.tools.length, read?.moreTools]).toEqual([MOST_PARTS, 500 - MOST_PARTS]);
  });
});

describe("an answer written by hand", () => {
  it("is one text, or texts and tool uses", () => {
    expect(JSON.parse(writeSampling({ ...FIRST_DRAFT, text: "Hi" }))).toEqual({
      role: "assistant",
      content: { type: "text", text: "Hi" },
      model: "written by hand",
      stopReason: "endTurn",
    });
    const used = withToolUse(withToolUse(FIRST_DRAFT, "add"), "add");
    expect(used.stopReason).toBe("toolUse");
    const typed = { ...used, uses: used.uses.map((use) => ({ ...use, input: '{"n": 9007199254740993}' })) };
    expect(writeSampling(typed)).toContain('"input":{"n": 9007199254740993}');
    expect(JSON.parse(writeSampling(typed))).toMatchObject({
      content: [
        { type: "tool_use", id: "call_1", name: "add" },
        { type: "tool_use", id: "call_2", name: "add" },
      ],
    });
    expect(withoutToolUse(withoutToolUse(used, 0), 0)).toEqual(FIRST_DRAFT);
    // An id that is in use is not assigned again.
    expect(withToolUse(withoutToolUse(used, 0), "add").uses.map(({ id }) => id)).toEqual(
      ["call_2", "call_3"].toSorted(),
    );
  });

  it("goes to JSON and back where nothing is lost", () => {
    const draft = { ...withToolUse({ ...FIRST_DRAFT, text: "Wait" }, "add"), stopReason: "" };
    expect(draftOf(writeSampling(draft))).toEqual(draft);
    expect(draftOf('{"role":"assistant","content":{"type":"image"},"model":"m"}')).toBeNull();
    expect(draftOf('{"role":"user","content":{"type":"text","text":"a"},"model":"m"}')).toBeNull();
    expect(draftOf("{")).toBeNull();
  });

  it("says what keeps it from being sent", () => {
    expect(samplingProblem(FIRST_DRAFT)).toBeNull();
    expect(samplingProblem({ ...FIRST_DRAFT, model: " " })).toMatch(/model/);
    const [use] = withToolUse(FIRST_DRAFT, "add").uses;
    if (!use) throw new Error("there is one");
    expect(samplingProblem({ ...FIRST_DRAFT, uses: [{ ...use, input: "[1" }] })).toMatch(/JSON object/);
    expect(samplingProblem({ ...FIRST_DRAFT, uses: [use, use] })).toMatch(/id of its own/);
  });
});
