import type { PresentationStep } from "../ipc/bindings";
import { healthOf, type LiveState } from "./live";
import { PROMPTS_GET, RESOURCES_READ } from "./operationName";
import { waitingSignIn } from "./signIn";

/** The list that has the target of a step with this method. */
export function stepKind(method: string): "tools" | "prompts" | "resources" {
  return method === PROMPTS_GET ? "prompts" : method === RESOURCES_READ ? "resources" : "tools";
}

/** State of a step and of the server that it needs. */
export type Link =
  | "ready"
  /** Connected, but what is asked for does not get through. */
  | "unwell"
  | "connecting"
  /** A program has to be looked at and confirmed before it is started for the first time. */
  | "confirm"
  /** Something has to be filled in before it can connect. */
  | "incomplete"
  | "sign_in"
  | "failed"
  /** It was connected, and the connection ended by itself. */
  | "lost"
  /** Not connected, or not any more. */
  | "off"
  /** It is no longer in the list. */
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
      // Known once a connection was made, and forgotten by the next attempt.
      return live.sessions[server].identity ? "lost" : "failed";
  }
}
