import type { CheckDraft, OperationNumber } from "../../ipc/bindings";
import type { CheckPlace } from "../view";
import type { Slice } from "./slice";

/** State of the checks. */
export interface ChecksUi {
  readonly selected: CheckPlace | null;
  readonly search: string;
  readonly failedOnly: boolean;
  /** Runs call destructive tools too. */
  readonly destructive: boolean;
  /** Checks that are being made of runs, by the run, until they are kept. */
  readonly drafts: Readonly<Record<OperationNumber, CheckDraft>>;
}

export const checksSlice: Slice<ChecksUi> = {
  name: "checks",
  initial: { selected: null, search: "", failedOnly: false, destructive: false, drafts: {} },
};

/** The change that keeps what was chosen for a check that is made of a run; `null` forgets it. */
export function withDraft(
  { drafts }: ChecksUi,
  operation: OperationNumber,
  draft: CheckDraft | null,
): Pick<ChecksUi, "drafts"> {
  const { [operation]: _, ...others } = drafts;
  return { drafts: draft === null ? others : { ...others, [operation]: draft } };
}
