import type { CheckDraft, OperationNumber } from "../../ipc/bindings";
import type { CheckPlace } from "../view";
import type { Slice } from "./slice";

/** State of the checks. */
export interface ChecksUi {
  readonly selected: CheckPlace | null;
  readonly search: string;
  readonly failedOnly: boolean;
  /** Runs of checks also call destructive tools. */
  readonly destructive: boolean;
  /** Unsaved checks that are made of runs, by run. */
  readonly drafts: Readonly<Record<OperationNumber, CheckDraft>>;
}

export const checksSlice: Slice<ChecksUi> = {
  name: "checks",
  initial: { selected: null, search: "", failedOnly: false, destructive: false, drafts: {} },
};

/** Returns the change that keeps the draft of a check made of a run; `null` forgets it. */
export function withDraft(
  { drafts }: ChecksUi,
  operation: OperationNumber,
  draft: CheckDraft | null,
): Pick<ChecksUi, "drafts"> {
  const { [operation]: _, ...others } = drafts;
  return { drafts: draft === null ? others : { ...others, [operation]: draft } };
}
