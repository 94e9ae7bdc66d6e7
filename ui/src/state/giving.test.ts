import { describe, expect, it } from "vitest";

import type { Presentation } from "../ipc/bindings";
import { toText, createDocument } from "../schema/document";
import {
  begin,
  freshStep,
  give,
  goOn,
  isBegun,
  losesTyped,
  offeredInputs,
  stepsOf,
  type GivenStep,
  type Giving,
  type GivingEvent,
} from "./giving";
import { presentationStep, savedInput } from "./testing/views";

const schema = JSON.stringify({ type: "object", properties: { name: { type: "string" } } });

const saved = (id: string, name: string) => savedInput({ id, name, arguments: JSON.stringify({ name }) });
const step = (id: string, inputs: readonly string[] = []) =>
  presentationStep({ id, inputs: inputs.map((one) => ({ id: one, name: one, removed: false })) });

const after = (events: readonly GivingEvent[], from: Giving = begin("p"), count = 3): Giving | null =>
  events.reduce<Giving | null>((giving, event) => giving && give(giving, event, count), from);

describe("a presentation that is being given", () => {
  it("goes from step to step, and no further than there are any", () => {
    const next = { type: "move", by: 1 } as const;
    expect(after([next])?.step).toBe(1);
    // The end follows the last step, and nothing follows the end.
    expect(after([next, next, next])?.step).toBe(3);
    expect(after([next, next, next, next])?.step).toBe(3);
    expect(after([next, next, next, next, { type: "move", by: -1 }])?.step).toBe(2);
    // Steps were removed meanwhile.
    expect(after([{ type: "move", by: -1 }], begin("p", 9))?.step).toBe(2);
    expect(after([next, { type: "move", by: -1 }, { type: "move", by: -1 }])?.step).toBe(0);
    expect(after([{ type: "go", to: 9 }])?.step).toBe(2);
    expect(after([next], begin("p"), 0)?.step).toBe(0);
  });

  it("closes what is open first, then itself", () => {
    const open = { type: "open", what: "steps" } as const;
    const close = { type: "close" } as const;
    expect(after([open])?.open).toBe("steps");
    expect(after([open, { type: "open", what: "keys" }])?.open).toBe("keys");
    expect(after([open, close])).toMatchObject({ open: null });
    expect(after([open, close, close])).toBeNull();
    expect(after([{ type: "notes", shown: true }, open, close])).toMatchObject({ open: null, notes: true });
    // The notes do not keep Escape from leaving.
    expect(after([{ type: "notes", shown: true }, close])).toBeNull();
    // Choosing a step closes the list of steps and any question.
    expect(after([open, { type: "go", to: 1 }])).toMatchObject({ open: null, step: 1 });
    expect(
      after([
        { type: "open", what: "run" },
        { type: "move", by: 1 },
      ]),
    ).toMatchObject({ open: null, step: 1 });
    expect(after([open], begin(null))?.open).toBeNull();
    expect(after([{ type: "open", what: "keys" }], begin(null))?.open).toBe("keys");
  });

  it("shows the check until it begins, which a remote can do too", () => {
    const checking = { ...begin("p", 1), checking: true };
    for (const event of [{ type: "begin" }, { type: "move", by: 1 }, { type: "go", to: 1 }] as const) {
      expect(after([event], checking)).toMatchObject({ checking: false, step: 1 });
    }
    expect(after([{ type: "move", by: -1 }], checking)).toMatchObject({ checking: true, step: 1 });
    expect(after([{ type: "close" }], checking)).toBeNull();
    // The list of keys can be opened during the check.
    const keys = { type: "open", what: "keys" } as const;
    expect(after([keys, { type: "close" }], checking)).toMatchObject({ checking: true, open: null });
    expect(after([{ type: "check" }])).toMatchObject({ checking: true });
  });

  it("is left by one key only where nothing was done", () => {
    const close = { type: "close" } as const;
    const define: GivingEvent = { type: "define", step: step("one"), schema, offered: [saved("a", "Ada")] };
    const same: GivingEvent = { type: "fill", step: "one", document: createDocument(schema, '{"name":"Ada"}') };
    const other: GivingEvent = { type: "fill", step: "one", document: createDocument(schema, '{"name":"Eve"}') };
    expect(after([define, { type: "move", by: 1 }, close])).toBeNull();
    expect(after([define, same, close])).toBeNull();
    const run: GivingEvent = { type: "run", step: "one", run: 7 };
    const take: GivingEvent = { type: "take", step: "one", input: saved("a", "Ada"), schema };
    for (const done of [other, run, take]) {
      expect(after([define, done, close])).toMatchObject({ open: "leave" });
      // A second Escape closes the question.
      expect(after([define, done, close, close])).toMatchObject({ open: null });
    }
  });

  it("starts over with nothing filled in and nothing run", () => {
    const run: GivingEvent = { type: "run", step: "one", run: 7 };
    expect(isBegun(begin("p"))).toBe(false);
    const later = after([run, { type: "move", by: 1 }]);
    expect(later && isBegun(later)).toBe(true);
    expect(after([run, { type: "move", by: 1 }, { type: "open", what: "over" }, { type: "over" }])).toEqual(begin("p"));
  });

  it("goes on where it was left, without the notes", () => {
    const run: GivingEvent = { type: "run", step: "one", run: 7 };
    const left =
      after([run, { type: "move", by: 1 }, { type: "notes", shown: true }, { type: "open", what: "keys" }]) ??
      expect.fail("it is not left yet");
    expect(goOn(left, 2)).toMatchObject({ step: 1, notes: false, open: null });
    expect(goOn(left, 2).steps["one"]?.run).toBe(7);
  });

  it("begins again where it had come to its end, with the background that was chosen", () => {
    const run: GivingEvent = { type: "run", step: "one", run: 7 };
    const left = after([
      run,
      { type: "background", dark: true },
      { type: "go", to: Infinity },
      { type: "move", by: 1 },
    ]);
    if (!left) throw new Error("it is not left yet");
    expect(goOn(left, left.step)).toEqual({ ...begin("p"), dark: true });
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

  it("knows what a saved input takes the place of, and puts it back", () => {
    const define: GivingEvent = { type: "define", step: step("one"), schema, offered: [saved("a", "Ada")] };
    const typed: GivingEvent = { type: "fill", step: "one", document: createDocument(schema, '{"name":"Eve"}') };
    const at = (events: readonly GivingEvent[]): GivenStep => after(events)?.steps["one"] ?? freshStep;
    const grace = saved("b", "Grace");
    expect(losesTyped(at([define]), grace, schema)).toBe(false);
    expect(losesTyped(at([define, typed]), grace, schema)).toBe(true);
    expect(losesTyped(at([define, typed]), saved("c", "Eve"), schema)).toBe(false);
    const before = at([define, typed]);
    const take: GivingEvent = { type: "take", step: "one", input: grace, schema };
    const back = at([define, typed, take, { type: "restore", step: "one", before }]);
    expect(back).toMatchObject({ document: before.document, input: null, touched: true });
  });

  it("shows a run until something else is to be filled in", () => {
    const run: GivingEvent = { type: "run", step: "one", run: 7 };
    expect(after([run])?.steps["one"]).toMatchObject({ run: 7, changing: false });
    expect(after([run, { type: "change", step: "one" }])?.steps["one"]).toMatchObject({ run: 7, changing: true });
    expect(after([run, { type: "move", by: 1 }])?.steps["one"]).toMatchObject({ run: 7 });
    expect(after([run, { type: "choose", presentation: "other" }])).toMatchObject({ presentation: "other", steps: {} });
  });

  it("has the steps and the saved inputs that there still are", () => {
    const presentations: Presentation[] = [
      { imported: false, id: "p", title: "Tour", steps: [step("one", ["b", "gone", "a"])] },
    ];
    expect(stepsOf(begin("p"), presentations)).toHaveLength(1);
    expect(stepsOf(begin("gone"), presentations)).toEqual([]);
    const inputs = offeredInputs(step("one", ["b", "gone", "a"]), [saved("a", "Ada"), saved("b", "Grace")]);
    expect(inputs.map(({ id }) => id)).toEqual(["b", "a"]);
  });
});
