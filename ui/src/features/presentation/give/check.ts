import type { PresentationStep, ServerId, SessionView } from "../../../ipc/bindings";
import { visibleText } from "../../../lib/visible";
import type { Link } from "../../../state/stepLink";

/** A server of a presentation, and the indexes of its steps, from 0. */
export interface NeededServer {
  readonly server: ServerId;
  readonly name: string;
  readonly places: readonly number[];
}

/** Returns the servers that the steps need, in the order of their first use. */
export function neededServers(steps: readonly PresentationStep[]): readonly NeededServer[] {
  const servers = new Map<ServerId, NeededServer>();
  for (const [place, { server, server_name }] of steps.entries()) {
    const before = servers.get(server);
    const places = [...(before?.places ?? []), place];
    servers.set(server, { server, name: before?.name ?? visibleText(server_name), places });
  }
  return [...servers.values()];
}

/** Names steps by their indexes, counted from 0: “Step 3”, “Steps 1, 2 and 5”, “Steps 2 to 6”. */
export function stepsWords(places: readonly number[]): string {
  const numbers = places.map((place) => place + 1);
  const [first = 0, ...others] = numbers;
  const last = others.at(-1);
  if (last === undefined) return `Step ${first}`;
  if (others.length > 1 && last - first === others.length) return `Steps ${first} to ${last}`;
  return `Steps ${numbers.slice(0, -1).join(", ")} and ${last}`;
}

/** Describes the state of a server on the readiness page. `name` is its display name. */
export function checkWords(link: Link, { name, places }: NeededServer, session: SessionView | undefined): string {
  switch (link) {
    case "ready":
      return "Connected";
    case "connecting": {
      const now = session?.steps.find(({ state }) => state === "running")?.name;
      return now === undefined ? "Connecting…" : `Connecting: ${now}…`;
    }
    case "confirm":
      return "Needs your confirmation";
    case "incomplete":
      return "Something is missing: a password or an address, for example";
    case "sign_in":
      return "Waits for you to sign in";
    case "unwell":
      return "Connected, but it does not respond any more";
    case "failed":
      return session?.failure?.title ?? "Sonde could not connect";
    case "lost":
      return "The connection was lost";
    case "off":
      return "Not connected";
    case "gone":
      return places.length === 1
        ? `${stepsWords(places)} has no server: “${name}” was removed.`
        : `${stepsWords(places)} have no server: “${name}” was removed.`;
  }
}
