import type { Check, CheckId, Checks } from "../ipc/bindings";
import type { CheckPlace } from "./view";

/** Returns all checks of a server, in the order of their files. */
export function checksIn(checks: Checks | undefined): readonly Check[] {
  return checks?.suites.flatMap((suite) => suite.checks) ?? [];
}

/** True while checks of the server run. */
export function areRunning(checks: Checks | undefined): boolean {
  return (checks?.run ?? null) !== null;
}

/** True if the last run of the check established a fault: of the server, or in sending it. */
export function hasFailed({ on, result }: Check): boolean {
  return on && (result?.state === "failed" || result?.state === "broken");
}

/** True if a run of the failed checks includes it: its last run did not pass. */
export function isRunAgain(check: Check): boolean {
  return hasFailed(check) || (check.on && check.result?.state === "incomplete");
}

/** Number of failed checks of a server. */
export function failedChecks(checks: Checks | undefined): number {
  return checksIn(checks).filter(hasFailed).length;
}

export function isSameCheck(one: CheckId, other: CheckId): boolean {
  return one.file === other.file && one.step === other.step;
}

/** Finds a check by its id. */
export function checkById(checks: Checks | undefined, id: CheckId): Check | undefined {
  return checks?.suites.find(({ file }) => file === id.file)?.checks.find((check) => isSameCheck(check.id, id));
}

/** Finds the check at a place: by its id, or if it was edited, by its position in the file. */
export function checkAt(checks: Checks | undefined, { file, step, index }: CheckPlace): Check | undefined {
  if (step === null) return undefined;
  const suite = checks?.suites.find((one) => one.file === file);
  return suite?.checks.find(({ id }) => id.step === step) ?? suite?.checks[index];
}

/** Returns the place of a check in its file. */
export function placeOfCheck(checks: Checks | undefined, id: CheckId): CheckPlace {
  const suite = checks?.suites.find(({ file }) => file === id.file);
  const index = suite?.checks.findIndex((check) => isSameCheck(check.id, id)) ?? -1;
  return { file: id.file, group: null, step: id.step, index };
}
