import { expect, it } from "vitest";

import type { OperationView } from "../../ipc/bindings";
import { foundIn } from "./foundIn";

const run = {
  method: "tools/call",
  target: "read_tide_table",
  title: "Read the tide table",
  arguments: '{"days":3}',
  state: "finished",
  label: { name: "Spring tides", note: "Before the storm of the seventh", pinned: false },
  outcome: {
    type: "result",
    is_error: false,
    content: [
      { kind: "text", text: `${"x".repeat(100)} the water is high\nat noon`, title: null, uri: null, findings: [] },
    ],
    structured: { json: `{"rows":"${"y".repeat(300)}","unit":"fathoms"}`, problems: [] },
    findings: [],
    bytes: 100,
  },
} as unknown as OperationView;

it("says nothing where the card shows all the words", () => {
  expect(foundIn(run, [])).toBeNull();
  expect(foundIn(run, ["spring", "tide", "3", "done"])).toBeNull();
});

it("knows that the card of a reading shows its URI", () => {
  const read = { ...run, method: "resources/read", target: "station://tides/oslo", arguments: null };
  expect(foundIn(read, ["oslo"])).toBeNull();
});

it("shows the text around a word that the card does not show", () => {
  expect(foundIn(run, ["spring", "seventh"])).toEqual({ where: "Note", text: "…of the seventh" });
  expect(foundIn(run, ["noon"])).toEqual({ where: "Result", text: "…is high\nat noon" });
  expect(foundIn(run, ["fathoms"])).toEqual({ where: "Result", text: '…yy","unit":"fathoms"}' });
  expect(foundIn(run, ["read_tide"])?.where).toBe("Name");
  expect(foundIn(run, ["elsewhere"])?.text).toBe("");
});
