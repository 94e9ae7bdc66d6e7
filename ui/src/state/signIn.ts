import type { AuthStatus, ServerView } from "../ipc/bindings";

/**
 * Names the sign-in that waits for the user; `null` where none does. Sign-ins are not told apart by their
 * numbers, which begin anew after a change of the server's settings, but by the address that opens, or by when
 * they expire.
 */
export function waitingSignIn(auth: AuthStatus | undefined): string | null {
  const { prompt = null, confirmation = null } = auth ?? {};
  return prompt?.url ?? (confirmation && `${confirmation.issuer} until ${confirmation.expires_at}`);
}

/** True if sign-in can matter for a server. */
export function hasSignIn(server: ServerView | undefined, auth: AuthStatus | undefined): boolean {
  return auth !== undefined || server?.config.transport.type === "http";
}
