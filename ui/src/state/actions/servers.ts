import type { CommandArgs } from "../../ipc/backend";
import type { Chosen, ServerConfig, ServerId, Transport } from "../../ipc/bindings";
import { visibleText } from "../../lib/visible";
import type { ImportForm } from "../view";
import type { Context } from "./context";
import { navigationActions } from "./navigation";

/** Actions on the servers of the list: their forms, adding and removing them. */
export function serverActions(context: Context) {
  const { toasts, setView, command, offerUndo, getState } = context;
  const { selectServer, selectWhenAnswered } = context.get(navigationActions);

  /** Keeps the typed form of a server; `null` forgets it. */
  function setServerForm(key: string, draft: ServerConfig | null): void {
    const serverForms = { ...getState().view.serverForms };
    if (draft) serverForms[key] = draft;
    else delete serverForms[key];
    setView({ serverForms });
  }

  return {
    setServerForm,
    /** Keeps the form of the Import panel; `null` forgets it. */
    setImportForm: (importForm: ImportForm | null) => setView({ importForm }),
    /** Splits a whole command line that was typed as the command of a form. */
    splitCommand(key: string, draft: ServerConfig, words: readonly string[]): void {
      const { transport } = draft;
      if (transport.type !== "stdio") return;
      setServerForm(key, { ...draft, transport: split(transport, words) });
      const undo = (): void => {
        const now = getState().view.serverForms[key];
        if (now?.transport.type !== "stdio") return;
        const { command, args } = transport;
        setServerForm(key, { ...now, transport: { ...now.transport, command, args } });
      };
      toasts.offerUndo("Command split into command and arguments", { undo });
    },
    /** Splits the command line of a server in the list. */
    async splitCommandOf(server: ServerId, words: readonly string[]): Promise<void> {
      const config = getState().live.servers[server]?.config;
      if (config?.transport.type !== "stdio") return;
      const draft = { ...config, transport: split(config.transport, words) };
      const deletion = await command("update_server", { server, draft });
      offerUndo("Command split into command and arguments", deletion);
    },
    /** Discards the typed form of a server, and closes it. */
    discardServerForm(server: ServerId | null): void {
      const key = server ?? "new";
      const { panel, serverForms } = getState().view;
      const typed = serverForms[key];
      setServerForm(key, null);
      setView({ panel: null });
      if (!typed) return;
      const undo = (): void => {
        setServerForm(key, typed);
        setView({ panel });
      };
      toasts.offerUndo("Changes to the server discarded", { undo });
    },
    /** Saves a server's form; `null` adds a server. Returns its id, or nothing on failure. */
    async saveServer(server: ServerId | null, draft: ServerConfig): Promise<ServerId | undefined> {
      const select = selectWhenAnswered();
      let saved = server;
      if (server === null) saved = (await command("add_server", { draft })) ?? null;
      else {
        const deletion = await command("update_server", { server, draft });
        if (deletion === undefined) return undefined;
        offerUndo(`Changes to “${visibleText(draft.name)}” saved`, deletion);
      }
      if (saved === null) return undefined;
      setServerForm(server ?? "new", null);
      select(saved);
      return saved;
    },
    /** Adds the chosen servers of a text, selects the first one, and returns all. */
    async importServers(text: string, chosen: Chosen[]): Promise<readonly ServerId[]> {
      const select = selectWhenAnswered();
      const added = (await command("import_servers", { text, chosen })) ?? [];
      if (added[0] !== undefined) select(added[0]);
      return added;
    },
    /** Adds the chosen servers of files of other clients, selects the first one, and returns all. */
    async importInstalled(files: readonly CommandArgs<"import_installed">[]): Promise<readonly ServerId[]> {
      const select = selectWhenAnswered();
      const all: ServerId[] = [];
      for (const file of files) {
        // oxlint-disable-next-line no-await-in-loop
        const added = await command("import_installed", file);
        if (added === undefined) break;
        all.push(...added);
      }
      if (all[0] !== undefined) select(all[0]);
      return all;
    },
    async duplicateServer(server: ServerId): Promise<void> {
      const select = selectWhenAnswered();
      const copy = await command("duplicate_server", { server });
      if (copy !== undefined) select(copy);
    },
    /** Disconnects and removes a server with all its data. */
    async removeServer(server: ServerId): Promise<void> {
      const { live } = getState();
      const name = visibleText(live.servers[server]?.config.name ?? "");
      const isConnected = live.sessions[server]?.phase === "ready";
      // Undo restores the text that was typed last.
      void context.saveTyped();
      const deletion = await command("remove_server", { server });
      offerUndo(`“${name}” ${isConnected ? "disconnected and removed" : "removed"}`, deletion, () =>
        selectServer(server),
      );
    },
  };
}

type Stdio = Extract<Transport, { type: "stdio" }>;

/** Uses the first word of a command line as the command, and the others as arguments before the existing ones. */
function split(transport: Stdio, [command = transport.command, ...args]: readonly string[]): Stdio {
  return { ...transport, command, args: [...args, ...transport.args] };
}
