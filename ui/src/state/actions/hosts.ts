import type { ServerId } from "../../ipc/bindings";
import type { HostsUi } from "../view";
import { initialHosts } from "../view";
import type { Context } from "./context";

/** Actions on the view of a server's compatibility with MCP hosts. */
export function hostActions({ setServerUi, store: { getState } }: Context) {
  return {
    setHosts(server: ServerId, change: Partial<HostsUi>): void {
      const before = getState().view.perServer[server]?.hosts ?? initialHosts;
      setServerUi(server, { hosts: { ...before, ...change } });
    },
  };
}
