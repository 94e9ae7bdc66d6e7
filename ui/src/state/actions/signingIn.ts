import { toBackendError } from "../../ipc/backend";
import type { ServerId } from "../../ipc/bindings";
import { signInSlice } from "../slices/signIn";
import { waitingSignIn } from "../signIn";
import type { Context } from "./context";

/** A sign-in that is under way. */
export function signInActions(context: Context) {
  const { backend, setView, setServerUi, setSlice, command, getState } = context;

  return {
    async cancelSignIn(server: ServerId): Promise<void> {
      setSlice(server, signInSlice, { redirect: null });
      await command("cancel_sign_in", { server });
    },
    /** Keeps what is typed as the address at which the browser ended. */
    setRedirect(server: ServerId, signIn: string, text: string): void {
      setSlice(server, signInSlice, { redirect: { signIn, text } });
    },
    /** Goes on with that address. Answers why it was not taken; `null` once it was, and it is forgotten. */
    async pasteRedirect(server: ServerId, number: number, address: string): Promise<string | null> {
      try {
        await backend.call("paste_redirect", { server, attempt: number, address });
      } catch (thrown) {
        const { code, message, detail } = toBackendError(thrown);
        // Why it is not the answer stands in the detail, as a sentence.
        return code === "invalid_input" && detail !== undefined ? `${message} ${detail}` : message;
      }
      setSlice(server, signInSlice, { redirect: null });
      return null;
    },
    /** Moves the focus to the sign-in that waits for the user; without one, shows all about signing in. */
    showSignIn(server: ServerId): void {
      const waits = waitingSignIn(getState().live.auth[server]) !== null;
      setView({ server, panel: null, ...(waits ? { signInFocus: server } : {}) });
      if (waits) setSlice(server, signInSlice, { folded: null });
      else setServerUi(server, { tab: "sign_in" });
    },
    /** The card of a sign-in has had its chance to take the focus. */
    signInFocused(server: ServerId, signIn: string): void {
      if (getState().view.signInFocus === server) setView({ signInFocus: null });
      setSlice(server, signInSlice, { seen: signIn });
    },
    /** Folds the card of a sign-in above the tabs away; `null` opens it again. */
    foldSignIn(server: ServerId, folded: string | null): void {
      setSlice(server, signInSlice, { folded });
    },
  };
}
