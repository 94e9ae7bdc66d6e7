import type { OperationNumber } from "../../ipc/bindings";
import type { ServerUi } from "../view";
import { itemsSlice } from "./items";
import { sliceOf, type Slice } from "./slice";

/** Texts of the editor of a run's name and note. */
export interface LabelDraft {
  readonly name: string;
  readonly note: string;
}

/** State of the runs. */
export interface RunsUi {
  readonly text: string;
  /** Shows only the runs of the item beside them. */
  readonly only: boolean;
  /** Run shown anyway beside an item, as it was started or asked for there. */
  readonly also: { readonly run: OperationNumber; readonly beside: string } | null;
  readonly selected: OperationNumber | null;
  /** The run whose name and note are being edited. */
  readonly labelling: OperationNumber | null;
  /** Typed names and notes of runs that are not saved. */
  readonly labelDrafts: Readonly<Record<OperationNumber, LabelDraft>>;
  /** The run whose cached result Read showed last, instead of sending a request. */
  readonly fromCache: OperationNumber | null;
}

export const runsSlice: Slice<RunsUi> = {
  name: "runs",
  initial: { text: "", only: true, also: null, selected: null, labelling: null, labelDrafts: {}, fromCache: null },
};

/** Identifies the item that a tab shows beside the runs. */
export function besideRuns(ui: ServerUi): string {
  const { tool, resource, prompt } = sliceOf(ui, itemsSlice);
  return JSON.stringify([ui.tab, tool, resource, prompt]);
}
