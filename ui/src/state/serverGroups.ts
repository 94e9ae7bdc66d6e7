import type { ServerGroupView, ServerId } from "../ipc/bindings";
import { visibleText } from "../lib/visible";
import type { Context } from "./actions/context";
import { issueCount, issuesOf } from "./issues";
import { healthOf, type LiveState } from "./live";
import { waitingSignIn } from "./signIn";

/** A section of the list of servers: a group, or the servers without one, which come first. */
export interface Section {
  readonly group: ServerGroupView | null;
  readonly servers: readonly ServerId[];
}

/** Position of a server within its group, or among the servers without one (`null`). */
export interface ServerPlace {
  readonly group: string | null;
  readonly index: number;
}

/** Rates the state of a connection: 0 is healthy, higher is worse. */
function badness(live: LiveState, server: ServerId): number {
  if (live.sessions[server]?.phase === "failed") return 3;
  return { none: 0, degraded: 1, unhealthy: 2 }[healthOf(live, server)?.level ?? "none"];
}

/** Totals the waiting requests and issues of hidden servers, and finds the server with the worst connection. */
export function hiddenIn(
  live: LiveState,
  servers: readonly ServerId[],
): { readonly waiting: number; readonly issues: number; readonly errors: number; readonly worst: ServerId | null } {
  let [waiting, issues, errors] = [0, 0, 0];
  let worst: ServerId | null = null;
  for (const server of servers) {
    waiting += live.serverRequestOrder[server]?.length ?? 0;
    if (waitingSignIn(live.auth[server]) !== null) waiting += 1;
    const counts = issuesOf(live, server);
    issues += issueCount(counts);
    errors += counts.errors;
    if (badness(live, server) > (worst === null ? 0 : badness(live, worst))) worst = server;
  }
  return { waiting, issues, errors, worst };
}

/** Name of a group until the user names it. */
const NEW_GROUP = "New group";

/** Returns the sections of the list of servers. */
export function sectionsOf({ order, groups }: Pick<LiveState, "order" | "groups">): readonly Section[] {
  const grouped = new Set(groups.flatMap((group) => group.servers));
  return [
    { group: null, servers: order.filter((server) => !grouped.has(server)) },
    ...groups.map((group) => ({ group, servers: group.servers })),
  ];
}

export function placeOf(live: LiveState, server: ServerId): ServerPlace {
  const section = sectionsOf(live).find(({ servers }) => servers.includes(server));
  return { group: section?.group?.id ?? null, index: section?.servers.indexOf(server) ?? 0 };
}

/** Returns the place one step up (-1) or down (1), across group borders; `null` at the ends. */
export function placeBeside(live: LiveState, server: ServerId, by: -1 | 1): ServerPlace | null {
  const sections = sectionsOf(live);
  const at = sections.findIndex(({ servers }) => servers.includes(server));
  const here = sections[at];
  if (!here) return null;
  const index = here.servers.indexOf(server) + by;
  if (index >= 0 && index < here.servers.length) return { group: here.group?.id ?? null, index };
  const next = sections[at + by];
  return next ? { group: next.group?.id ?? null, index: by > 0 ? 0 : next.servers.length } : null;
}

/** Actions on the order of the servers and their groups. */
export function serverGroupActions({ store, toasts, setView, command, offerUndo }: Context) {
  const setEdited = (editedGroup: string | null): void => setView({ editedGroup });
  const group = (id: string): ServerGroupView | undefined => store.getState().live.groups.find((one) => one.id === id);

  /** Collapses or expands a group. */
  async function collapse(id: string, collapsed: boolean): Promise<void> {
    const known = group(id);
    if (known && known.collapsed !== collapsed)
      await command("update_server_group", { group: id, name: null, collapsed });
  }

  return {
    /** Moves a server up (-1) or down (1) in the list, also into another group. A collapsed group expands. */
    async moveServer(server: ServerId, by: -1 | 1): Promise<void> {
      const place = placeBeside(store.getState().live, server, by);
      if (!place) return;
      if (place.group !== null) await collapse(place.group, false);
      await command("move_server", { server, ...place });
    },
    /** Moves a server to a place in the list. */
    async placeServer(server: ServerId, place: ServerPlace): Promise<void> {
      const now = placeOf(store.getState().live, server);
      if (now.group !== place.group || now.index !== place.index) await command("move_server", { server, ...place });
    },
    /** Creates a group with these servers, and lets the user name it. */
    async addServerGroup(servers: readonly ServerId[]): Promise<void> {
      const id = await command("add_server_group", { name: NEW_GROUP, servers: [...servers] });
      if (id !== undefined) setEdited(id);
    },
    /** Shows the field for the name of a group; `null` closes it. */
    editServerGroup: setEdited,
    async renameServerGroup(id: string, name: string): Promise<void> {
      setEdited(null);
      const renamed = name.trim();
      const before = group(id)?.name;
      if (renamed === "" || before === undefined || renamed === before) return;
      const rename = (to: string) => command("update_server_group", { group: id, name: to, collapsed: null });
      await rename(renamed);
      // The initial name was not chosen by the user, so it is not worth an undo.
      if (before !== NEW_GROUP && group(id) !== undefined) {
        toasts.offerUndo(`Group “${visibleText(before)}” renamed`, { undo: () => void rename(before) });
      }
    },
    collapseServerGroup: collapse,
    /** Moves a group up (-1) or down (1) among the groups. */
    async moveServerGroup(id: string, by: -1 | 1): Promise<void> {
      const { groups } = store.getState().live;
      const index = groups.findIndex((one) => one.id === id) + by;
      if (index >= 0 && index < groups.length) await command("move_server_group", { group: id, index });
    },
    /** Removes a group; its servers stay. */
    async removeServerGroup(id: string): Promise<void> {
      const name = visibleText(group(id)?.name ?? "");
      const deletion = await command("remove_server_group", { group: id });
      offerUndo(`Group “${name}” removed; its servers stay`, deletion);
    },
  };
}
