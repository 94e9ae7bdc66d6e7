import type { AuthStatus, ServerView } from "../ipc/bindings";

/**
 * Identifies the sign-in that waits for the user; `null` if there is none. The id is the address that opens, or the
 * expiry time, as the numbers of sign-ins start again after a change of the server's settings.
 */
export function waitingSignIn(auth: AuthStatus | undefined): string | null {
  const { prompt = null, confirmation = null } = auth ?? {};
  return prompt?.url ?? (confirmation && `${confirmation.issuer} until ${confirmation.expires_at}`);
}

/** True if sign-in can matter for a server. */
export function hasSignIn(server: ServerView | undefined, auth: AuthStatus | undefined): boolean {
  return auth !== undefined || server?.config.transport.type === "http";
}
