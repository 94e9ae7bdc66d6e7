import type { Slice } from "../../state/slices/slice";

interface ConnectionUi {
  /** The fault-injection tools are open. */
  readonly faultsOpen: boolean;
  /** The frame that is being written by hand. */
  readonly rawFrame: string;
}

export const connectionSlice: Slice<ConnectionUi> = {
  name: "connection",
  initial: { faultsOpen: false, rawFrame: "" },
};
