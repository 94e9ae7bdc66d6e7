import type { OperationView } from "../../ipc/bindings";
import { itemName } from "../../lib/itemName";
import { snippet } from "../../lib/matching";
import { operationName } from "../../state/operationName";
import { givenLine, stateWord } from "./runWords";

/** Characters before the hit, and in total: as many as fit on a line of a narrow card. */
const BEFORE = 12;
const MOST_SHOWN = 160;

export interface FoundIn {
  readonly where: string;
  /** Text around the hit; empty if the window does not hold the text with it. */
  readonly text: string;
}

/**
 * Finds the first text with search words that the card of a run does not show; `null` if the card shows all of them.
 */
export function foundIn(run: OperationView, words: readonly string[]): FoundIn | null {
  const title = itemName({ title: run.title, name: operationName(run) });
  const shown = `${run.label.name ?? ""} ${title} ${stateWord(run)} ${givenLine(run)}`.toLowerCase();
  const hidden = words.filter((word) => !shown.includes(word));
  if (hidden.length === 0) return null;
  for (const [where, text] of textsOf(run)) {
    const lower = text?.toLowerCase() ?? "";
    const here = hidden.filter((word) => lower.includes(word));
    if (text !== null && here.length > 0) return { where, text: snippet(text, here, BEFORE, MOST_SHOWN) };
  }
  return { where: "Found in a long text", text: "" };
}

/** Other texts of a run that are searched, as far as the window has them. */
function textsOf(run: OperationView): readonly (readonly [where: string, text: string | null])[] {
  const { outcome } = run;
  const texts: (readonly [string, string | null])[] = [
    ["Note", run.label.note],
    ["Name", run.target],
    ["Method", run.method],
    ["Arguments", run.arguments],
    ["Params", run.params],
  ];
  switch (outcome?.type) {
    case "result":
      for (const { text, title, uri } of outcome.content) {
        for (const each of [text, title, uri]) texts.push(["Result", each]);
      }
      texts.push(["Result", outcome.structured?.json ?? null]);
      break;
    case "protocol_error":
      texts.push(["Error", outcome.message], ["Error", outcome.data]);
      break;
    case "bad_shape":
      texts.push(["Error", outcome.problem]);
      break;
    case "lost":
      texts.push(["Error", outcome.reason]);
      break;
    case "sent":
    case "timed_out":
    case "cancelled":
    case "stopped_waiting":
    case undefined:
  }
  return texts;
}
