/** Worker that holds one comparison. */
import { serveCalls } from "../../../lib/workerCalls";
import { Comparison, type ComparisonHead } from "./comparison";

/** Undecoded documents of a run. */
export interface RunDocuments {
  readonly arguments: ArrayBuffer | null;
  readonly result: ArrayBuffer | null;
}

let comparison: Comparison | null = null;

function open(left: RunDocuments, right: RunDocuments): ComparisonHead {
  comparison = new Comparison(decoded(left), decoded(right));
  return comparison.head;
}

function decoded({ arguments: given, result }: RunDocuments) {
  const text = (bytes: ArrayBuffer | null): string | null => bytes && new TextDecoder().decode(bytes);
  return { arguments: text(given), result: text(result) };
}

const functions = {
  open,
  changes: (from: number, count: number) => comparison?.changes(from, count) ?? [],
  values: (index: number) => comparison?.values(index) ?? { left: null, right: null },
  lines: (from: number, count: number) => comparison?.lines(from, count) ?? [],
  text: (shape: "structure" | "lines", names: readonly [string, string]) => comparison?.text(shape, names) ?? "",
};

export type CompareFunctions = typeof functions;

serveCalls(functions);
