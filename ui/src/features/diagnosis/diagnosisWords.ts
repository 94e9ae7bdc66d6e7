import type { Diagnosis, DiagnosisState, StepOutcome } from "../../ipc/bindings";

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
  lost: "The connection ended by itself. ",
  cancelled: "Cancelled. ",
  timed_out: "Ended after three minutes. ",
};

/**
 * Result of a finished diagnosis in a sentence. Steps that were not evaluated count neither as passed nor as failed.
 */
export function resultWords({ state, steps }: Diagnosis): string {
  const failed = steps.find(({ outcome }) => outcome === "fail");
  return ENDED[state] + (failed ? `First failed step: ${failed.title}.` : "No step failed.");
}

/** Number of steps per outcome. */
export function countWords({ steps }: Diagnosis): string {
  const count = (wanted: StepOutcome): number => steps.filter(({ outcome }) => outcome === wanted).length;
  return `${count("pass")} pass, ${count("fail")} fail, ${count("not_evaluated")} not evaluated`;
}
