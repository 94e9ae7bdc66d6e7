import type { Slice } from "../../state/slices/slice";

interface HostsUi {
  /** The ids of the hosts with a column; `null` as long as the user chose none. */
  readonly chosen: readonly string[] | null;
  /** Shows only tools with a problem in one of them. */
  readonly problems: boolean;
  readonly search: string;
  /** The current cell: a host as a whole without a tool, a tool as a whole without a host. */
  readonly shown: { readonly host: string | null; readonly tool: string | null } | null;
}

export const hostsSlice: Slice<HostsUi> = {
  name: "hosts",
  initial: { chosen: null, problems: false, search: "", shown: null },
};
