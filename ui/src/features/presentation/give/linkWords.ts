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
  const words: Readonly<Record<typeof link, readonly [title: string, button: string | null, advice?: string]>> = {
    connecting: [`Connecting to ${name}…`, null],
    confirm: [
      `${name} waits for your confirmation.`,
      "Look at it",
      "Sonde starts a program of this computer only after you have looked at it once.",
    ],
    lost: [`The connection to ${name} was lost.`, "Connect again"],
    unwell: [`The connection to ${name} does not work any more.`, "Connect again"],
    incomplete: [
      `Something is still missing before Sonde can connect to ${name}.`,
      "Leave and fill it in",
      "It may be a password or an address. Fill it in, then start the presentation again.",
    ],
    sign_in: [`${name} wants you to sign in.`, "Leave and sign in", "Sign in, then start the presentation again."],
    failed: [
      `Sonde could not connect to ${name}.`,
      "Connect again",
      "If it happens again, leave the presentation: the window says why.",
    ],
    off: [`${name} is not connected.`, "Connect"],
    gone: [
      `${name} is no longer on this computer.`,
      null,
      last ? "Leave, and prepare this step anew." : "Go on with the next step, or prepare this one anew.",
    ],
  };
  const [title, button, advice = null] = words[link];
  return { title, advice, button };
}

/** Returns the texts after a connection was lost during a run: the button that connects also runs the step again. */
export function lostWords(link: Link, name: string, last = false): Pick<LinkWords, "title" | "advice"> {
  if (link === "failed") return linkWords(link, name, last);
  const { title } = linkWords("lost", name, last);
  if (link === "connecting") return { title, advice: "Connecting again…" };
  const next = last ? "" : ", or go on with the next step";
  return { title, advice: `Nobody knows whether this step was done. Connect and run it again${next}.` };
}
