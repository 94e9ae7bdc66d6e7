import type { CheckOutcome } from "../../ipc/bindings";

/** Outcomes that a check can expect. */
export const OUTCOMES: Readonly<Record<CheckOutcome, string>> = {
  done: "Done",
  tool_error: "Tool error",
  rpc_error: "Protocol error",
};

/** Allowed durations to choose from, as multiples of the run's duration. */
const FACTORS: readonly number[] = [2, 3, 5, 10, 20];

/** Returns the multiples to choose from, including the chosen one. */
export function factorsOf(chosen: number | null): readonly number[] {
  if (chosen === null || FACTORS.includes(chosen)) return FACTORS;
  return [...FACTORS, chosen].toSorted((one, other) => one - other);
}

/** Splits a text with one path per line. */
export function pathsOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
