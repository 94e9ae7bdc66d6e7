import type { Diagnosis, DiagnosisState, StepOutcome } from "../../ipc/bindings";

/** The outcome of a step, in words. */
export const OUTCOMES: Readonly<Record<StepOutcome, string>> = {
  waiting: "pending",
  running: "running",
  pass: "pass",
  fail: "fail",
  not_evaluated: "not evaluated",
};

const ENDED: Readonly<Record<DiagnosisState, string>> = {
  running: "",
  done: "",
  cancelled: "Cancelled. ",
  timed_out: "Ended after three minutes. ",
};

/** What came of a diagnosis that is over, in a sentence. What was not evaluated counts as nothing else. */
export function resultWords({ state, steps }: Diagnosis): string {
  const failed = steps.find(({ outcome }) => outcome === "fail");
  return ENDED[state] + (failed ? `First failed step: ${failed.title}.` : "No step failed.");
}

/** How many steps went how. */
export function countWords({ steps }: Diagnosis): string {
  const count = (wanted: StepOutcome): number => steps.filter(({ outcome }) => outcome === wanted).length;
  return `${count("pass")} pass, ${count("fail")} fail, ${count("not_evaluated")} not evaluated`;
}
