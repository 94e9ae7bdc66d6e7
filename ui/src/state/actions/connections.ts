import { BackendError } from "../../ipc/backend";
import type { FaultInput, ServerId } from "../../ipc/bindings";
import { healthOf } from "../live";
import type { Context } from "./context";

/** Connecting, and disturbing a connection on purpose. */
export function connectionActions(context: Context) {
  const {
    backend,
    setView,
    setServerUi,
    inform,
    attempt,
    command,
    store: { getState },
  } = context;

  async function start(server: ServerId, how: "connect" | "restart", confirm: string | null): Promise<void> {
    try {
      if (how === "connect" || confirm !== null) await backend.call("connect", { server, confirm });
      else await backend.call("restart", { server });
    } catch (thrown) {
      if (thrown instanceof BackendError && thrown.code === "inputs_missing") {
        setView({ server, panel: { type: "edit_server", server } });
      } else if (thrown instanceof BackendError && thrown.code === "command_not_confirmed") {
        setView({ server, panel: { type: "confirm_command", server, how } });
      } else {
        inform(thrown, server);
      }
    }
  }

  return {
    /**
     * Connects, or asks for what is missing or for the confirmation of the command first. Whether it has to is for the
     * backend to say: what is known here may be older than what was just saved.
     */
    connect(server: ServerId): Promise<void> {
      return start(server, "connect", null);
    },
    /** Begins to diagnose a server and shows how that goes; what it needs first is asked for as when connecting. */
    async diagnose(server: ServerId): Promise<void> {
      const view = getState().live.servers[server];
      if (view && view.missing_inputs.length > 0) return setView({ server, panel: { type: "edit_server", server } });
      if (view && !view.confirmed) {
        return setView({ server, panel: { type: "confirm_command", server, how: "connect" } });
      }
      const begun = await attempt(
        backend.call("diagnose", { server }).then(() => true),
        server,
      );
      if (begun) setView({ server, panel: { type: "diagnosis", server } });
    },
    restart(server: ServerId): Promise<void> {
      return start(server, "restart", null);
    },
    /** Does what helps a connection that does not work: another session, or another connection. */
    async reconnect(server: ServerId): Promise<void> {
      if (healthOf(getState().live, server)?.code === "session_rejected") await command("reopen_session", { server });
      else await start(server, "restart", null);
    },
    /** Connects with the command that the user saw and accepted. */
    connectConfirmed(server: ServerId, fingerprint: string): Promise<void> {
      // What a presentation asks for on the way is no panel, and what it was begun from stays.
      if (getState().view.panel?.type === "confirm_command") setView({ panel: null });
      return start(server, "connect", fingerprint);
    },
    /** Disturbs the connection on purpose. Answers whether it was done. */
    async injectFault(server: ServerId, fault: FaultInput): Promise<boolean> {
      const done = await attempt(
        backend.call("inject_fault", { server, fault }).then(() => true),
        server,
      );
      return done === true;
    },
    setFaultsOpen(server: ServerId, faultsOpen: boolean): void {
      setServerUi(server, { faultsOpen });
    },
    setRawFrame(server: ServerId, rawFrame: string): void {
      setServerUi(server, { rawFrame });
    },
  };
}
