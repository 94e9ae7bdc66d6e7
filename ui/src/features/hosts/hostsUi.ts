import type { Slice } from "../../state/slices/slice";

interface HostsUi {
  /** Ids of the hosts with a column; `null` until the user chooses some. */
  readonly chosen: readonly string[] | null;
  /** Shows only tools with a problem in one of the visible hosts. */
  readonly problems: boolean;
  readonly search: string;
  /** The current cell: a whole host without a tool, or a whole tool without a host. */
  readonly shown: { readonly host: string | null; readonly tool: string | null } | null;
}

export const hostsSlice: Slice<HostsUi> = {
  name: "hosts",
  initial: { chosen: null, problems: false, search: "", shown: null },
};
