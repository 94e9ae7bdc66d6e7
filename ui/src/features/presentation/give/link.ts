import type { PresentationStep } from "../../../ipc/bindings";
import { healthOf, type LiveState } from "../../../state/live";
import { waitingSignIn } from "../../../state/signIn";

/** How a step stands to what it is run with. */
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
      return live.sessions[server]?.phase === "failed" ? "failed" : "off";
  }
}

export interface LinkWords {
  readonly title: string;
  readonly advice: string | null;
  /** What the one button says; `null` where there is none. */
  readonly button: string | null;
}

/** One sentence and one button. `name` is what the step is run with; after the last step nothing can be gone on with. */
export function linkWords(link: Exclude<Link, "ready" | "confirm">, name: string, last = false): LinkWords {
  switch (link) {
    case "connecting":
      return { title: `Connecting to ${name}…`, advice: null, button: null };
    case "unwell":
      return { title: `The connection to ${name} does not work any more.`, advice: null, button: "Connect again" };
    case "incomplete":
      return {
        title: `Something is still missing before Sonde can connect to ${name}.`,
        advice: "It may be a password or an address. Fill it in, then start the presentation again.",
        button: "Leave and fill it in",
      };
    case "sign_in":
      return {
        title: `${name} wants you to sign in.`,
        advice: "Sign in, then start the presentation again.",
        button: "Leave and sign in",
      };
    case "failed":
      return {
        title: `Sonde could not connect to ${name}.`,
        advice: "If it happens again, leave the presentation: the window says why.",
        button: "Connect again",
      };
    case "off":
      return { title: `${name} is not connected.`, advice: null, button: "Connect" };
    case "gone":
      return {
        title: `${name} is no longer on this computer.`,
        advice: last ? "Leave, and prepare this step anew." : "Go on with the next step, or prepare this one anew.",
        button: null,
      };
  }
}
