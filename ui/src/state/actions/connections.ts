import { BackendError } from "../../ipc/backend";
import type { Fault, ServerId } from "../../ipc/bindings";
import { healthOf } from "../live";
import { whenConnected } from "../whenFinished";
import type { Context } from "./context";

/** Limit of servers of an import that connect at the same time. */
const CONNECTING = 4;

/** Connecting, and disturbing a connection on purpose. */
export function connectionActions(context: Context) {
  const { backend, setView, inform, command, did, store, getState, asksFirst } = context;

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

  /** Has the user asked about the command of a server, after those that are asked about already. */
  function askLater(server: ServerId): void {
    const { panel } = getState().view;
    if (panel === null) setView({ panel: { type: "confirm_command", server, how: "connect" } });
    else if (panel.type === "confirm_command") setView({ panel: { ...panel, then: [...(panel.then ?? []), server] } });
  }

  /** Goes on to the next command to be asked about, if there is one. */
  function askNext(): void {
    const { panel } = getState().view;
    if (panel?.type !== "confirm_command") return;
    const [server, ...then] = panel.then ?? [];
    setView({ panel: server === undefined ? null : { type: "confirm_command", server, how: "connect", then } });
  }

  /** Connects one of several servers. Resolves once it is connected, has failed, or waits for the user. */
  async function connectOne(server: ServerId): Promise<void> {
    try {
      await backend.call("connect", { server, confirm: null });
    } catch (thrown) {
      if (thrown instanceof BackendError && thrown.code === "command_not_confirmed") askLater(server);
      else inform(thrown, server);
      return;
    }
    await whenConnected(store, server);
  }

  return {
    /**
     * Connects, or asks for what is missing or for the confirmation of the command first. Whether it has to is for the
     * backend to say: what is known here may be older than what was just saved.
     */
    connect(server: ServerId): Promise<void> {
      return start(server, "connect", null);
    },
    /**
     * Connects several servers, a few at a time and each whatever becomes of the others. Commands to be confirmed are
     * asked about one after the other meanwhile.
     */
    async connectAll(servers: readonly ServerId[]): Promise<void> {
      const [only] = servers;
      if (only !== undefined && servers.length === 1) return start(only, "connect", null);
      const waiting = servers.values();
      const work = async (): Promise<void> => {
        for (const server of waiting) {
          // oxlint-disable-next-line no-await-in-loop
          await connectOne(server);
        }
      };
      await Promise.all(Array.from({ length: CONNECTING }, work));
    },
    /** Leaves the command that is asked about unconfirmed, and goes on to the next. */
    skipCommand: askNext,
    /** Begins to diagnose a server and shows how that goes; what it needs first is asked for as when connecting. */
    async diagnose(server: ServerId): Promise<void> {
      if (asksFirst(server)) return;
      if (await did("diagnose", { server })) setView({ server, panel: { type: "diagnosis", server } });
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
      askNext();
      return start(server, "connect", fingerprint);
    },
    /** Disturbs the connection on purpose. Answers whether it was done. */
    injectFault: (server: ServerId, fault: Fault): Promise<boolean> => did("inject_fault", { server, fault }),
  };
}
