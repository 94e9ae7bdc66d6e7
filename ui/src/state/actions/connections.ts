import { BackendError } from "../../ipc/backend";
import type { Fault, ServerId } from "../../ipc/bindings";
import { healthOf } from "../live";
import { whenConnected } from "../whenFinished";
import type { Context } from "./context";

/** Limit of servers of an import that connect at the same time. */
const CONNECTING = 4;

/** Actions that connect servers, and inject faults into connections. */
export function connectionActions(context: Context) {
  const { backend, setView, inform, command, succeeds, store, getState, asksFirst } = context;

  async function start(server: ServerId, how: "connect" | "restart", confirm: string | null): Promise<void> {
    unqueue(server);
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

  /** Queues the question about the command of a server. */
  function askLater(server: ServerId): void {
    setView({ commandQueue: [...getState().view.commandQueue, server] });
  }

  /** Removes the question about the command of a server from the queue. */
  function unqueue(server: ServerId): void {
    const { commandQueue } = getState().view;
    if (commandQueue.includes(server)) setView({ commandQueue: commandQueue.filter((queued) => queued !== server) });
  }

  /** Closes the question about a command; the next one in the queue follows. */
  function closeQuestion(): void {
    const { panel, commandQueue } = getState().view;
    if (panel?.type === "confirm_command") setView({ panel: null, commandQueue });
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
     * Connects, or first asks for missing values or for the confirmation of the command. The backend decides if it has
     * to ask, as the window may not know yet what was just saved.
     */
    connect(server: ServerId): Promise<void> {
      return start(server, "connect", null);
    },
    /**
     * Connects several servers, a few at a time; one failure does not stop the others. Commands that need confirmation
     * are asked about one after the other meanwhile.
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
    /** Leaves the current command unconfirmed, and asks about the next one. */
    skipCommand: closeQuestion,
    /** Starts a diagnosis of a server and shows it; missing values are asked for first, as when connecting. */
    async diagnose(server: ServerId): Promise<void> {
      if (asksFirst(server)) return;
      if (await succeeds("diagnose", { server })) setView({ server, panel: { type: "diagnosis", server } });
    },
    restart(server: ServerId): Promise<void> {
      return start(server, "restart", null);
    },
    /** Reconnects a broken connection: with another session, or with another connection. */
    async reconnect(server: ServerId): Promise<void> {
      if (healthOf(getState().live, server)?.code === "session_rejected") await command("reopen_session", { server });
      else await start(server, "restart", null);
    },
    /** Connects with the command that the user saw and accepted. */
    connectConfirmed(server: ServerId, fingerprint: string): Promise<void> {
      unqueue(server);
      const { panel } = getState().view;
      // A question during a presentation is not a panel, and the page before it stays.
      if (panel?.type === "confirm_command" && panel.server === server) closeQuestion();
      return start(server, "connect", fingerprint);
    },
    /** Injects a fault into the connection. Returns true if that was done. */
    injectFault: (server: ServerId, fault: Fault): Promise<boolean> => succeeds("inject_fault", { server, fault }),
  };
}
