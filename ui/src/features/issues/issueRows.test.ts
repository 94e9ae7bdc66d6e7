import { expect, it } from "vitest";

import type { IssueRule } from "../../ipc/bindings";
import type { IssueGrouping } from "../../state/slices/issues";
import { issueRows, selectedRow, type IssueRow } from "./issueRows";
import { ruleWords } from "./issueWords";

function rule(id: string, seqs: readonly number[]): IssueRule {
  return {
    rule: id,
    severity: "error",
    what: "It is wrong.",
    count: seqs.length,
    cases: seqs.map((seq, place) => ({
      id: `frame ${seq} ${place}`,
      subject: { type: "frame", seq, method: null, stored: true },
      message: "It is wrong.",
      location: null,
    })),
  } as IssueRule;
}

const rules = [rule("a", [4, 7]), rule("b", [4]), rule("c", [])];
const words = (row: IssueRow): string =>
  row.type === "case" ? `${row.rule.rule} ${row.case.id}` : `${row.key} ${row.open ? "open" : "closed"}`;
const shown = (open: readonly string[], all = false, grouping: IssueGrouping = "rule") =>
  issueRows(rules, grouping, open, all).map(words);

it("lists the cases of the rules that are open, and of all while something is searched for", () => {
  expect(shown([])).toEqual(["a closed", "b closed", "c closed"]);
  expect(shown(["b", "gone"])).toEqual(["a closed", "b open", "b frame 4 0", "c closed"]);
  expect(shown([], true)).toEqual(["a open", "a frame 4 0", "a frame 7 1", "b open", "b frame 4 0", "c closed"]);
});

it("lists what breaks rules with the rules that it breaks, the worst first", () => {
  expect(shown([], false, "item")).toEqual(["frame 4 closed", "frame 7 closed"]);
  expect(shown(["frame 4"], false, "item")).toEqual(["frame 4 open", "a frame 4 0", "b frame 4 0", "frame 7 closed"]);
  const rows = issueRows(rules, "item", ["frame 4"], false);
  expect(selectedRow(rows, null, "frame 7")).toBe(3);
  expect(selectedRow(rows, { rule: "b", case: "frame 4 0" }, null)).toBe(2);
  expect(selectedRow(rows, { rule: "c", case: null }, null)).toBe(-1);
  // The case is in a closed item, so the item is selected.
  expect(selectedRow(rows, { rule: "a", case: "frame 7 1" }, null)).toBe(3);
});

it("selects the case of a subject, and its rule where the case is not listed", () => {
  const rows = issueRows(rules, "rule", ["a", "b"], false);
  const choice = (id: string, of: string | null = null) => ({ rule: id, case: of });
  expect(selectedRow(rows, null, null)).toBe(-1);
  expect(selectedRow(rows, choice("a"), null)).toBe(0);
  expect(selectedRow(rows, choice("a", "frame 7 1"), null)).toBe(2);
  // The frame breaks two rules; the requested one is selected.
  expect(selectedRow(rows, choice("b"), "frame 4")).toBe(4);
  expect(selectedRow(rows, choice("a", "frame 9 9"), null)).toBe(0);
  expect(selectedRow(rows, choice("gone"), null)).toBe(-1);
  // Of several cases of a subject, the one at the location is selected.
  const located = rows.map((row, index) =>
    row.type === "case" && index === 2
      ? {
          ...row,
          case: {
            ...row.case,
            subject: { type: "frame" as const, seq: 4, method: null, stored: true },
            location: "/b",
          },
        }
      : row,
  );
  expect(selectedRow(located, { ...choice("a"), location: "/b" }, "frame 4")).toBe(2);
  expect(selectedRow(located, { ...choice("a"), location: "/none" }, "frame 4")).toBe(1);
  // Grouped by item, a closed item is selected for its case.
  const closed = issueRows(rules, "item", [], false);
  expect(selectedRow(closed, choice("a"), "frame 7")).toBe(1);
});

it("calls a rule by its cases: by all where they say the same, else by the first where its own words have a hole", () => {
  const found = { ...rule("a", [4, 7]), what: "Item … is wrong." };
  const [one, other] = found.cases;
  if (!one || !other) throw new Error("no cases");
  expect(ruleWords(found)).toBe("It is wrong.");
  expect(ruleWords({ ...found, count: 3 })).toBe("It is wrong; 2 more");
  expect(ruleWords({ ...found, cases: [one, { ...other, message: "Else." }] })).toBe("It is wrong; 1 more");
  expect(ruleWords({ ...found, what: "Items are wrong.", count: 3 })).toBe("Items are wrong.");
  expect(ruleWords({ ...found, count: 0, cases: [] })).toBe("Item … is wrong.");
});
