import type { Check, Checks, CheckSuite } from "../../ipc/bindings";
import { score, wordsOf } from "../../lib/matching";
import { checkAt, hasFailed, isSameCheck } from "../../state/checks";
import type { CheckPlace } from "../../state/view";

/** A row of the list: a file, a group of its checks, or a check with its place in the file. */
export type CheckRow =
  | { readonly type: "suite"; readonly suite: CheckSuite; readonly checks: readonly Check[] }
  | { readonly type: "group"; readonly suite: CheckSuite; readonly group: string; readonly checks: readonly Check[] }
  | { readonly type: "check"; readonly suite: CheckSuite; readonly check: Check; readonly index: number };

export interface CheckFilter {
  readonly search: string;
  readonly failedOnly: boolean;
}

/** True if the filter may hide checks. */
export function isNarrowed({ search, failedOnly }: CheckFilter): boolean {
  return failedOnly || search.trim() !== "";
}

/** Returns the rows of the list. Files without matching checks are left out. */
export function checkRows(checks: Checks, filter: CheckFilter): readonly CheckRow[] {
  const words = wordsOf(filter.search);
  const isShown = (check: Check, suite: CheckSuite): boolean =>
    (!filter.failedOnly || hasFailed(check)) &&
    (words.length === 0 || score(words, check.name, detailOf(check, suite)) > 0);
  return checks.suites.flatMap((suite): CheckRow[] => {
    const shown = suite.checks.filter((check) => isShown(check, suite));
    if (shown.length === 0 && isNarrowed(filter)) return [];
    const rows: CheckRow[] = [{ type: "suite", suite, checks: shown }];
    let last: string | null = null;
    shown.forEach((check, place) => {
      const { group } = check;
      if (group !== null && group !== last) {
        const end = shown.findIndex((other, at) => at > place && other.group !== group);
        rows.push({ type: "group", suite, group, checks: shown.slice(place, end < 0 ? undefined : end) });
      }
      last = group;
      rows.push({ type: "check", suite, check, index: suite.checks.indexOf(check) });
    });
    return rows;
  });
}

function detailOf({ request, arguments: given, group }: Check, { name, file }: CheckSuite): string {
  return [request, given, group, name, file].filter((text) => text !== null).join(" ");
}

/** Returns the place of a row. */
export function placeOfRow(row: CheckRow): CheckPlace {
  const { file } = row.suite;
  if (row.type === "check") return { file, group: null, step: row.check.id.step, index: row.index };
  return { file, group: row.type === "group" ? row.group : null, step: null, index: 0 };
}

/** Index of the selected row; -1 without a selection, or if it is not listed. */
export function rowOfPlace(rows: readonly CheckRow[], checks: Checks, place: CheckPlace | null): number {
  if (place === null) return -1;
  const { file, group, step } = place;
  const check = step === null ? undefined : checkAt(checks, place);
  return rows.findIndex((row) => {
    if (row.suite.file !== file) return false;
    if (row.type === "check") return check !== undefined && isSameCheck(row.check.id, check.id);
    return step === null && (row.type === "group" ? row.group === group : group === null);
  });
}
