import { describe, expect, it } from "vitest";

import type { Presentation, PresentationStep, SavedInput } from "../ipc/bindings";
import { toText, createDocument } from "../schema";
import { begin, give, offeredInputs, stepsOf, type Giving, type GivingEvent } from "./giving";

const schema = JSON.stringify({ type: "object", properties: { name: { type: "string" } } });

function saved(id: string, name: string): SavedInput {
  const of = { server: "server", method: "tools/call", target: "hello" };
  return { ...of, id, name, arguments: JSON.stringify({ name }), private: false };
}

function step(id: string, inputs: readonly string[] = []): PresentationStep {
  const of = { server: "server", server_name: "Demo", server_removed: false, method: "tools/call", target: "hello" };
  return { ...of, id, title: id, inputs: inputs.map((one) => ({ id: one, name: one, removed: false })), notes: "" };
}

const after = (events: readonly GivingEvent[], from: Giving = begin("p"), count = 3): Giving | null =>
  events.reduce<Giving | null>((giving, event) => giving && give(giving, event, count), from);

describe("a presentation that is being given", () => {
  it("goes from step to step, and no further than there are any", () => {
    const next = { type: "move", by: 1 } as const;
    expect(after([next])?.step).toBe(1);
    expect(after([next, next, next, next])?.step).toBe(2);
    expect(after([next, { type: "move", by: -1 }, { type: "move", by: -1 }])?.step).toBe(0);
    expect(after([{ type: "go", to: 9 }])?.step).toBe(2);
    expect(after([next], begin("p"), 0)?.step).toBe(0);
  });

  it("closes the overview first, then itself", () => {
    const open = { type: "overview", open: true } as const;
    const close = { type: "close" } as const;
    expect(after([open])?.overview).toBe(true);
    expect(after([open, close])).toMatchObject({ overview: false });
    expect(after([open, close, close])).toBeNull();
    // Who has chosen a step has seen enough of all of them.
    expect(after([open, { type: "go", to: 1 }])).toMatchObject({ overview: false, step: 1 });
    expect(after([open], begin(null))?.overview).toBe(false);
  });

  it("begins a step with its first saved input, and keeps what is filled in", () => {
    const offered = [saved("a", "Ada"), saved("b", "Grace")];
    const define: GivingEvent = { type: "define", step: step("one"), schema, offered };
    const text = (giving: Giving | null): string => toText(giving?.steps["one"]?.document ?? createDocument(schema));
    const defined = after([define]);
    expect(text(defined)).toBe('{"name":"Ada"}');
    expect(defined?.steps["one"]?.input).toBe("a");
    const other = createDocument(schema, '{"name":"Linus"}');
    const typed = after([define, { type: "fill", step: "one", document: other }, define]);
    expect(text(typed)).toBe('{"name":"Linus"}');
    expect(typed?.steps["one"]?.input).toBeNull();
    const [, second = saved("", "")] = offered;
    const taken = after([define, { type: "take", step: "one", input: second, schema }]);
    expect(text(taken)).toBe('{"name":"Grace"}');
    expect(taken?.steps["one"]?.input).toBe("b");
    expect(text(after([{ type: "define", step: step("one"), schema, offered: [] }]))).toBe("{}");
  });

  it("shows a run until something else is to be filled in", () => {
    const run: GivingEvent = { type: "run", step: "one", run: 7 };
    expect(after([run])?.steps["one"]).toMatchObject({ run: 7, changing: false });
    expect(after([run, { type: "change", step: "one" }])?.steps["one"]).toMatchObject({ run: 7, changing: true });
    expect(after([run, { type: "move", by: 1 }])?.steps["one"]).toMatchObject({ run: 7 });
    expect(after([run, { type: "choose", presentation: "other" }])).toMatchObject({ presentation: "other", steps: {} });
  });

  it("has the steps and the saved inputs that there still are", () => {
    const presentations: Presentation[] = [{ id: "p", title: "Tour", steps: [step("one", ["b", "gone", "a"])] }];
    expect(stepsOf(begin("p"), presentations)).toHaveLength(1);
    expect(stepsOf(begin("gone"), presentations)).toEqual([]);
    const inputs = offeredInputs(step("one", ["b", "gone", "a"]), [saved("a", "Ada"), saved("b", "Grace")]);
    expect(inputs.map(({ id }) => id)).toEqual(["b", "a"]);
  });
});
