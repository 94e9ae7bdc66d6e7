/** Worker that holds one comparison. */
import { serveCalls } from "../../../lib/workerCalls";
import { Comparison, type ComparisonHead, type RunTexts } from "./comparison";

/** Undecoded documents of a run. */
export type RunDocuments = Readonly<Record<keyof RunTexts, ArrayBuffer | null>>;

let comparison: Comparison | null = null;

function open(left: RunDocuments, right: RunDocuments): ComparisonHead {
  comparison = new Comparison(decoded(left), decoded(right));
  return comparison.head;
}

function decoded({ arguments: given, params, result }: RunDocuments): RunTexts {
  const text = (bytes: ArrayBuffer | null): string | null => bytes && new TextDecoder().decode(bytes);
  return { arguments: text(given), params: text(params), result: text(result) };
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
