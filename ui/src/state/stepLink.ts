import type { PresentationStep } from "../ipc/bindings";
import { healthOf, type LiveState } from "./live";
import { PROMPTS_GET, RESOURCES_READ } from "./operationName";
import { waitingSignIn } from "./signIn";

/** Returns the list that holds the target of a step with this method. */
export function stepKind(method: string): "tools" | "prompts" | "resources" {
  return method === PROMPTS_GET ? "prompts" : method === RESOURCES_READ ? "resources" : "tools";
}

/** State of a step and of the server that it needs. */
export type Link =
  | "ready"
  /** Connected, but requests do not get through. */
  | "unwell"
  | "connecting"
  /** The program must be confirmed before its first start. */
  | "confirm"
  /** Values are missing to connect. */
  | "incomplete"
  | "sign_in"
  | "failed"
  /** The connection ended by itself. */
  | "lost"
  /** Not connected. */
  | "off"
  /** The server was removed from the list. */
  | "gone";

export function linkOf(live: LiveState, { server }: Pick<PresentationStep, "server">): Link {
  const view = live.servers[server];
  if (!view) return "gone";
  switch (live.sessions[server]?.phase ?? "idle") {
    case "ready":
      return healthOf(live, server)?.code === "session_rejected" ? "unwell" : "ready";
    case "connecting":
      return waitingSignIn(live.auth[server]) === null ? "connecting" : "sign_in";
    case "closing":
      return "connecting";
    case "failed":
    case "idle":
      if (view.missing_inputs.length > 0) return "incomplete";
      if (!view.confirmed) return "confirm";
      if (live.sessions[server]?.phase !== "failed") return "off";
      // The identity is known once a connection was made, and forgotten at the next attempt.
      return live.sessions[server].identity ? "lost" : "failed";
  }
}
