import { expect, it } from "vitest";

import type { Check, Checks, CheckTotals, ListComparison } from "../../ipc/bindings";
import { check as checkOf, empty, result, suite } from "../../ipc/fake/checks";
import { headWords, reasonLine, setWords, shownState, totalsWords } from "./checkWords";
import { factorsOf, pathsOf } from "./draftWords";
import { changesWords, comparisonText } from "./listWords";

const check = (step: string, change: Partial<Check> = {}): Check => checkOf("a.sonde.yaml", step, "call add", change);

const checksOf = (checks: Check[], change: Partial<Checks> = {}): Checks =>
  empty("s", { suites: [suite("a.sonde.yaml", "A", checks), suite("b.sonde.yaml", "B", [])], ...change });

const totals = (change: Partial<CheckTotals>): CheckTotals => ({
  server_name: "shop",
  version: "1.5.0",
  revision: null,
  at: 0,
  passed: 0,
  failed: 0,
  off: 0,
  skipped: 0,
  other: 0,
  ...change,
});

it("says in one line how the last run ended, and how the one on the version before did", () => {
  const all = [check("a"), check("b")];
  expect(headWords(checksOf(all), "my shop")).toBe("2 checks, not run yet");
  const last = totals({ passed: 10, failed: 2 });
  expect(headWords(checksOf(all, { last }), "my shop")).toBe("12 checks on shop 1.5.0: 10 pass, 2 fail");
  const before = totals({ version: "1.4.0", passed: 12 });
  expect(headWords(checksOf(all, { last, before }), "my shop")).toBe(
    "12 checks on shop 1.5.0: 10 pass, 2 fail (1.4.0: 12 pass)",
  );
  const unnamed = totals({ server_name: null, version: null, other: 1 });
  expect(headWords(checksOf(all, { last: unnamed }), "my shop")).toBe("1 check on my shop: 1 without a verdict");
});

it("names no numbers that are zero, and says where nothing ran", () => {
  expect(totalsWords(totals({ passed: 1200, other: 3 }))).toBe("1,200 pass, 3 without a verdict");
  expect(totalsWords(totals({ off: 1, skipped: 2 }))).toBe("1 off, 2 skipped");
  expect(totalsWords(totals({}))).toBe("none ran");
});

it("calls a check that is off nothing else, whatever it found before", () => {
  const passed = result({});
  expect(shownState(check("a"))).toBe("never");
  expect(shownState(check("a", { result: passed }))).toBe("passed");
  expect(shownState(check("a", { on: false, result: passed }))).toBe("off");
  expect(reasonLine(check("a", { on: false, skip_reason: "too slow", result: passed }))).toBe("too slow");
});

it("gives the first failure as the reason, and the number of others", () => {
  const failure = (message: string) => ({ line: 1, message, differs: false, path: null });
  const failures = [failure("duration: expected < 2s, found 3s."), failure("b"), failure("c")];
  expect(reasonLine(check("a", { result: result({ state: "failed", failures }) }))).toBe(
    "duration: expected < 2s, found 3s. (and 2 more)",
  );
  expect(reasonLine(check("a", { result: result({ state: "broken", reason: "It ended." }) }))).toBe("It ended.");
  expect(setWords([check("a", { result: result({ state: "broken" }) }), check("b")])).toBe("2 checks, 1 fail");
});

it("offers the chosen factor among the usual ones, and takes a path from each line", () => {
  expect(factorsOf(null)).toEqual([2, 3, 5, 10, 20]);
  expect(factorsOf(4)).toEqual([2, 3, 4, 5, 10, 20]);
  expect(pathsOf("/a\n\n  /b/*/c \n")).toEqual(["/a", "/b/*/c"]);
});

it("counts changes of lists by class, and writes them as Markdown", () => {
  const compared: ListComparison = {
    left: "shop 1.4.0",
    right: "shop 1.5.0",
    changes: [
      { list: "tools", name: "b", class: "additive", words: "`b`: it is new." },
      { list: "tools", name: "a", class: "breaking", words: "`a`: it is gone." },
    ],
    more: 0,
    unread: ["Prompts were not compared."],
  };
  expect(changesWords(compared)).toBe("2 changes: 1 breaking, 1 additive");
  expect(changesWords({ ...compared, more: 7 })).toBe("9 changes: 1 breaking, 1 additive, 7 more not listed");
  expect(changesWords({ ...compared, changes: [] })).toBe("No changes in the lists that were compared");
  expect(changesWords({ ...compared, changes: [], unread: [] })).toBe("No changes");
  expect(comparisonText(compared)).toBe(
    "# shop 1.4.0 and shop 1.5.0\n\n2 changes: 1 breaking, 1 additive.\n\n" +
      "## Breaking\n\n- Tools: `a`: it is gone.\n\n## Additive\n\n- Tools: `b`: it is new.\n\n- Prompts were not compared.\n",
  );
});
