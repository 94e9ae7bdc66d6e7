import type { ServerId } from "../../ipc/bindings";
import type { HostsUi } from "../view";
import { initialHosts } from "../view";
import type { Context } from "./context";

/** What is shown of the hosts that the tools of a server work in. */
export function hostActions({ setServerUi, store: { getState } }: Context) {
  return {
    setHosts(server: ServerId, change: Partial<HostsUi>): void {
      const before = getState().view.perServer[server]?.hosts ?? initialHosts;
      setServerUi(server, { hosts: { ...before, ...change } });
    },
  };
}
