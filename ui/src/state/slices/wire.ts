import type { LogFilter, OperationNumber } from "../../ipc/bindings";
import type { Slice } from "./slice";

/** State of the wire log. */
export interface WireUi {
  /** Filter without the search text; `null` until one was set. */
  readonly filter: LogFilter | null;
  readonly text: string;
  readonly selection: {
    /** The entry of the row. */
    readonly seq: number;
    readonly index: number;
    /** The entry whose details are shown. */
    readonly shown: number;
    /** The newest entry when it was selected. */
    readonly seen: number;
  } | null;
  /** Shows times since the start of the connection. */
  readonly relative: boolean;
  /** Entry that the pane should show and select; cleared by the pane. */
  readonly target: number | null;
  /** The log is limited to this operation. */
  readonly operation: OperationNumber | null;
  /** The log is limited to violations of the specification, or of one rule. */
  readonly issuesOnly: boolean;
  readonly rule: string | null;
}

/** Limits that are lifted when the user leaves the log, as nobody would remember them later. */
export const UNLIMITED = { operation: null, issuesOnly: false, rule: null } as const;

export const wireSlice: Slice<WireUi> = {
  name: "wire",
  initial: { filter: null, text: "", selection: null, relative: true, target: null, ...UNLIMITED },
};
