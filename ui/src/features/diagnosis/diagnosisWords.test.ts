import { expect, it } from "vitest";

import type { Diagnosis, DiagnosisStep, StepOutcome } from "../../ipc/bindings";
import { countWords, resultWords } from "./diagnosisWords";

function step(title: string, outcome: StepOutcome): DiagnosisStep {
  return { code: "ping", title, outcome, tried: "", found: "", millis: null, fix: [], detail: [] };
}

function diagnosis(...steps: DiagnosisStep[]): Diagnosis {
  return { server: "a", number: 1, state: "done", name: "a", address: "a", began: 0, millis: 1, steps };
}

it("counts what was not evaluated as nothing else", () => {
  const all = diagnosis(step("DNS", "not_evaluated"), step("TCP", "pass"), step("TLS", "fail"), step("HTTP", "fail"));
  expect(countWords(all)).toBe("1 pass, 2 fail, 1 not evaluated");
  expect(resultWords(all)).toBe("First failed step: TLS.");
});

it("says how it ended where it was not over", () => {
  const none = diagnosis(step("DNS", "pass"), step("TCP", "not_evaluated"));
  expect(resultWords(none)).toBe("No step failed.");
  expect(resultWords({ ...none, state: "cancelled" })).toBe("Cancelled. No step failed.");
  expect(resultWords({ ...none, state: "lost" })).toBe("The connection ended by itself. No step failed.");
  expect(resultWords({ ...none, state: "timed_out" })).toBe("Ended after three minutes. No step failed.");
});
