import { toBackendError } from "../../ipc/backend";
import type { ServerId } from "../../ipc/bindings";
import { signInSlice } from "../slices/signIn";
import { waitingSignIn } from "../signIn";
import type { Context } from "./context";

/** Actions on a pending sign-in. */
export function signInActions(context: Context) {
  const { backend, setView, setServerUi, setSlice, command, getState } = context;

  return {
    async cancelSignIn(server: ServerId): Promise<void> {
      setSlice(server, signInSlice, { redirect: null });
      await command("cancel_sign_in", { server });
    },
    /** Keeps the typed address at which the browser ended. */
    setRedirect(server: ServerId, signIn: string, text: string): void {
      setSlice(server, signInSlice, { redirect: { signIn, text } });
    },
    /**
     * Continues with that address. Returns the reason if it was refused; otherwise `null`, and the address is
     * forgotten.
     */
    async pasteRedirect(server: ServerId, number: number, address: string): Promise<string | null> {
      try {
        await backend.call("paste_redirect", { server, attempt: number, address });
      } catch (thrown) {
        const { code, message, detail } = toBackendError(thrown);
        // The detail has the reason, as a sentence.
        return code === "invalid_input" && detail !== undefined ? `${message} ${detail}` : message;
      }
      setSlice(server, signInSlice, { redirect: null });
      return null;
    },
    /** Moves the focus to the sign-in that waits for the user; without one, shows the sign-in page. */
    showSignIn(server: ServerId): void {
      const waits = waitingSignIn(getState().live.auth[server]) !== null;
      setView({ server, panel: null, ...(waits ? { signInFocus: server } : {}) });
      if (waits) setSlice(server, signInSlice, { folded: null });
      else setServerUi(server, { tab: "sign_in" });
    },
    /** Notes that the card of a sign-in was rendered and could take the focus. */
    signInFocused(server: ServerId, signIn: string): void {
      if (getState().view.signInFocus === server) setView({ signInFocus: null });
      setSlice(server, signInSlice, { seen: signIn });
    },
    /** Folds the card of a sign-in above the tabs; `null` unfolds it. */
    foldSignIn: (server: ServerId, folded: string | null) => setSlice(server, signInSlice, { folded }),
  };
}
