import type { CheckOutcome } from "../../ipc/bindings";

/** Outcomes that a check can expect. */
export const OUTCOMES: Readonly<Record<CheckOutcome, string>> = {
  done: "Done",
  tool_error: "Tool error",
  rpc_error: "Protocol error",
};

/** Durations that can be allowed, as multiples of that of the run. */
const FACTORS: readonly number[] = [2, 3, 5, 10, 20];

/** The multiples to choose from, with the chosen one. */
export function factorsOf(chosen: number | null): readonly number[] {
  if (chosen === null || FACTORS.includes(chosen)) return FACTORS;
  return [...FACTORS, chosen].toSorted((one, other) => one - other);
}

/** The paths of a text with one in each line. */
export function pathsOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
