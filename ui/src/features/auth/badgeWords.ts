import type { AuthStatus } from "../../ipc/bindings";
import { count } from "../../lib/format";
import { timeLeft } from "../../lib/useNow";

export type Tone = "neutral" | "info" | "ok" | "warn" | "bad";

/** Text of the sign-in badge in the header. */
export interface BadgeWords {
  readonly word: string;
  /** Details beside the word. */
  readonly facts: readonly string[];
  readonly tone: Tone;
}

/** True if there is nothing to show: no sign-in was requested or made. */
export function isUntouched(auth: AuthStatus): boolean {
  return auth.state === "signed_out" && auth.steps.length === 0 && auth.grant === null && auth.problem === null;
}

/** Text of the badge; `null` without a badge. `now` is in ms since the epoch. */
export function badgeWords(auth: AuthStatus | undefined, now: number): BadgeWords | null {
  if (!auth || isUntouched(auth)) return null;
  const { grant, problem, state } = auth;
  if (state === "signed_in") {
    const expiry = grant ? expiryWords(grant.expires_at, now) : "";
    const facts = [
      grant && grant.scopes.length > 0 ? count(grant.scopes.length, "scope", "scopes") : "",
      expiry,
      problem ? "has a problem" : "",
      auth.wrong_token ? "invalid token next" : "",
    ].filter((fact) => fact !== "");
    return { word: "Signed in", facts, tone: expiry === "expired" || problem || auth.wrong_token ? "warn" : "ok" };
  }
  const signingIn = ["Signing in…", "info"] as const;
  const words: Readonly<Record<typeof state, readonly [word: string, tone: Tone]>> = {
    signed_out: ["Signed out", "neutral"],
    discovering: signingIn,
    browser: signingIn,
    exchanging: signingIn,
    prompt: ["Sign-in required", "warn"],
    confirmation: ["Confirmation required", "warn"],
    refreshing: ["Refreshing…", "info"],
    failed: problem?.code === "cancelled" ? ["Sign-in cancelled", "neutral"] : ["Sign-in failed", "bad"],
  };
  const [word, tone] = words[state];
  return { word, facts: [], tone };
}

/** Announcement of a state change for screen readers. It has no times, since they change all the time. */
export function announcement(auth: AuthStatus | undefined, name: string): string {
  const words: Readonly<Partial<Record<AuthStatus["state"], string>>> = {
    prompt: `${name} requires sign-in`,
    confirmation: `${name} requires you to confirm the issuer`,
    browser: "Waiting for the browser",
    signed_in: `Signed in to ${name}`,
    failed:
      auth?.problem?.code === "cancelled"
        ? `The sign-in to ${name} was cancelled`
        : `Sign-in to ${name} failed. ${auth?.problem?.title ?? ""}`.trim(),
  };
  return (auth && words[auth.state]) ?? "";
}

/** `expires in 4 minutes`, `expired`; empty if the expiry is not known. */
export function expiryWords(at: number | null, now: number): string {
  if (at === null) return "";
  return at <= now ? "expired" : `expires in ${timeLeft(at - now)}`;
}
