import { expect, it } from "vitest";

import type { Check, Checks, CheckState } from "../../ipc/bindings";
import { check as checkOf, empty, result, suite } from "../../ipc/fake/checks";
import type { CheckPlace } from "../../state/view";
import { checkRows, placeOfRow, rowOfPlace, type CheckRow } from "./checkRows";

function check(file: string, step: string, group: string | null, state: CheckState = "passed"): Check {
  const given = `{"number":"${step}"}`;
  const change = { name: `name of ${step}`, group, arguments: given, result: result({ state }) };
  return checkOf(file, step, "call add", change);
}

function checksOf(...files: readonly (readonly [string, readonly Check[]])[]): Checks {
  return empty("s", { suites: files.map(([file, checks]) => suite(file, file, checks)) });
}

const all = checksOf(
  ["a", [check("a", "1", null), check("a", "2", "G"), check("a", "3", "G", "failed"), check("a", "4", null)]],
  ["b", [check("b", "1", "G", "incomplete")]],
  ["empty", []],
);
const none = { search: "", failedOnly: false };
const words = (row: CheckRow): string =>
  row.type === "check"
    ? row.check.id.step
    : `${row.type === "group" ? row.group : row.suite.file}:${row.checks.length}`;
const shown = (filter: Partial<typeof none>): string[] => checkRows(all, { ...none, ...filter }).map(words);

it("lists files, their groups and checks in the order of the file", () => {
  expect(shown({})).toEqual(["a:4", "1", "G:2", "2", "3", "4", "b:1", "G:1", "1", "empty:0"]);
});

it("leaves files without a match out", () => {
  expect(shown({ failedOnly: true })).toEqual(["a:1", "G:1", "3"]);
  expect(shown({ search: "name 4" })).toEqual(["a:1", "4"]);
  expect(shown({ search: 'add "number":"2"' })).toEqual(["a:1", "G:1", "2"]);
  expect(shown({ search: "nothing of this" })).toEqual([]);
});

it("finds each row by the place that it stands for", () => {
  const rows = checkRows(all, none);
  for (const [index, row] of rows.entries()) expect(rowOfPlace(rows, all, placeOfRow(row))).toBe(index);
  expect(rowOfPlace(rows, all, null)).toBe(-1);
  expect(rowOfPlace(rows, all, { file: "gone", group: null, step: "1", index: 0 })).toBe(-1);
  // A filter does not change the identity of checks.
  const failed = checkRows(all, { ...none, failedOnly: true });
  expect(rowOfPlace(failed, all, { file: "a", group: null, step: "1", index: 0 })).toBe(-1);
});

it("keeps the selection on a check that was edited, and on one that was moved", () => {
  const place = { file: "a", group: null, step: "2", index: 1 };
  const [first, second, ...others] = all.suites[0]?.checks ?? [];
  if (!first || !second) throw new Error("no checks");
  const edited = checksOf(["a", [first, check("a", "2 edited", "G"), ...others]]);
  expect(selectedIn(edited, place)).toBe("2 edited");
  expect(selectedIn(checksOf(["a", [second, first, ...others]]), place)).toBe("2");
});

function selectedIn(checks: Checks, place: CheckPlace): string | undefined {
  const rows = checkRows(checks, none);
  const row = rows[rowOfPlace(rows, checks, place)];
  return row && words(row);
}
