import type { Link } from "../../../state/stepLink";

export interface LinkWords {
  readonly title: string;
  readonly advice: string | null;
  /** Label of the only button; `null` without a button. */
  readonly button: string | null;
}

/**
 * Returns a sentence and a button. `name` is the server or client of the step. The advice for the last step does not
 * offer a next one.
 */
export function linkWords(link: Exclude<Link, "ready">, name: string, last = false): LinkWords {
  switch (link) {
    case "connecting":
      return { title: `Connecting to ${name}…`, advice: null, button: null };
    case "confirm":
      return {
        title: `${name} waits for your confirmation.`,
        advice: "Sonde starts a program of this computer only after you have looked at it once.",
        button: "Look at it",
      };
    case "lost":
      return { title: `The connection to ${name} was lost.`, advice: null, button: "Connect again" };
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

/** Returns the texts after a connection was lost during a run: the button that connects also runs the step again. */
export function lostWords(link: Link, name: string, last = false): Pick<LinkWords, "title" | "advice"> {
  if (link === "failed") return linkWords(link, name, last);
  const { title } = linkWords("lost", name, last);
  if (link === "connecting") return { title, advice: "Connecting again…" };
  const next = last ? "" : ", or go on with the next step";
  return { title, advice: `Nobody knows whether this step was done. Connect and run it again${next}.` };
}
