import type { Check, Checks, CheckState, CheckSuite, CheckTotals } from "../../ipc/bindings";
import { count, number } from "../../lib/format";
import { visibleText } from "../../lib/visible";

/** States of a row. `never`: not run yet; `off`: excluded from every run. */
export type ShownState = CheckState | "never" | "off";

export const STATE_WORDS: Readonly<Record<ShownState, string>> = {
  waiting: "Waiting",
  running: "Running",
  passed: "Pass",
  failed: "Fail",
  incomplete: "Not established",
  skipped: "Skipped",
  broken: "Broken",
  never: "Not run",
  off: "Off",
};

/** Colours of states, besides their words. */
export const STATE_COLOURS: Readonly<Partial<Record<ShownState, string>>> = {
  running: "accent",
  passed: "ok",
  failed: "bad",
  incomplete: "warn",
  broken: "bad",
};

export function shownState({ on, result }: Check): ShownState {
  if (!on) return "off";
  return result?.state ?? "never";
}

/** Labels of the cases in which checks ran, in their order. */
export function casesOf(checks: readonly Check[]): readonly string[] {
  return [...new Set(checks.flatMap(({ on, result }) => (on ? (result?.cases ?? []) : []).map(({ label }) => label)))];
}

/** Reason of the last outcome in one line; empty if there is none. */
export function reasonLine({ on, skip_reason: skipped, result }: Check): string {
  if (!on) return skipped ?? "";
  const [first, ...more] = result?.failures ?? [];
  if (first) return more.length === 0 ? first.message : `${first.message} (and ${number(more.length)} more)`;
  return result?.reason ?? "";
}

/** The request of a check, with its arguments. */
export function requestLine({ request, arguments: given }: Check): string {
  return given === null ? request : `${request} ${given}`;
}

/** Name and version of a server, as far as known. */
export function serverWords(
  { server_name: name, version }: Pick<CheckTotals, "server_name" | "version">,
  fallback: string,
): string {
  return [name ?? fallback, ...(version === null ? [] : [version])].map(visibleText).join(" ");
}

/** "10 pass, 2 fail, 1 off": the numbers of outcomes, without zeros. */
export function totalsWords({ passed, failed, off, skipped, other }: CheckTotals): string {
  const counts: readonly (readonly [number, string])[] = [
    [passed, "pass"],
    [failed, "fail"],
    [off, "off"],
    [skipped, "skipped"],
    [other, "without a verdict"],
  ];
  const parts = counts.filter(([of]) => of > 0).map(([of, word]) => `${number(of)} ${word}`);
  return parts.length === 0 ? "none ran" : parts.join(", ");
}

/**
 * "12 checks on shop 1.5.0: 10 pass, 2 fail (1.4.0: 12 pass)". `fallback` names a server that has not sent its name.
 */
export function headWords({ suites, last, before }: Checks, fallback: string): string {
  const all = suites.reduce((sum, suite) => sum + suite.checks.length, 0);
  if (last === null) return `${count(all, "check", "checks")}, not run yet`;
  const ran = last.passed + last.failed + last.off + last.skipped + last.other;
  const earlier =
    before === null ? "" : ` (${visibleText(before.version ?? "another version")}: ${totalsWords(before)})`;
  return `${count(ran, "check", "checks")} on ${serverWords(last, fallback)}: ${totalsWords(last)}${earlier}`;
}

/** Number of checks of a file or group, and of its failed checks. */
export function setWords(checks: readonly Check[]): string {
  const failed = checks.filter((check) => ["failed", "broken"].includes(shownState(check))).length;
  return count(checks.length, "check", "checks") + (failed > 0 ? `, ${number(failed)} fail` : "");
}

/** "orders.sonde.yaml:12" */
export function lineWords(file: string, line: number): string {
  return line > 0 ? `${visibleText(file)}:${line}` : visibleText(file);
}

/** "Line 4, column 7", or words for the whole file. */
export function problemPlace({ line, column }: CheckSuite["problems"][number]): string {
  return line > 0 ? `Line ${line}, column ${column}` : "The file";
}
