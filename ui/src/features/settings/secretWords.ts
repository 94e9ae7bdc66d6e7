import type { StoredKind, StoredSecret } from "../../ipc/bindings";
import { clockTime, localDate } from "../../lib/format";

/** Word for each kind of secret, and its explanation for users who do not know the terms of OAuth. */
export const kindWords: Readonly<Record<StoredKind, readonly [word: string, content: string]>> = {
  token: ["Sign-in", "the tokens from your last sign-in"],
  client: ["Registration", "the client ID and secret of Sonde’s registration with the authorization server"],
  setting: ["Setting", "a value that you entered in the settings of a server"],
};

/** Consequence of deleting a secret, in one or two sentences. */
export function consequence({ kind, title, issuer }: StoredSecret, servers: readonly string[]): string {
  switch (kind) {
    case "token":
      return servers.length === 0
        ? "Sonde deletes this sign-in. No server uses it."
        : `You will have to sign in again to ${list(servers)}.`;
    case "client":
      return `Sonde will register again with ${issuer ?? "the authorization server"} when needed, and you will have to sign in again.`;
    case "setting":
      return servers.length === 0
        ? `No server uses “${title}”.`
        : `“${title}” will have no value until you enter it again in the settings of ${list(servers)}.`;
  }
}

/** `a`, `a and b`, `a, b and c`. */
export function list(names: readonly string[]): string {
  return new Intl.ListFormat("en-GB").format(names.map((name) => `“${name}”`));
}

/** Result of a new attempt to move secrets to the keyring. */
export function retried(taken: number, left: number): string {
  const took =
    taken === 0
      ? ""
      : taken === 1
        ? "One secret was moved to the keyring."
        : `${taken} secrets were moved to the keyring.`;
  if (left === 0) return took === "" ? "No secrets are waiting to be moved to the keyring." : took;
  const stays = left === 1 ? "One is still in memory only." : `${left} are still in memory only.`;
  return took === "" ? `No secret was moved to the keyring. ${stays}` : `${took} ${stays}`;
}

/** A day and a time, for example `2026-01-03 14:03`. */
export function when(at: number): string {
  return `${localDate(new Date(at))} ${clockTime(at).slice(0, 5)}`;
}
