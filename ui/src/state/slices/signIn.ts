import type { Slice } from "./slice";

/** State of the sign-in cards. Sign-ins are identified by `waitingSignIn`. */
export interface SignInUi {
  /** The sign-in whose card has had the focus. */
  readonly seen: string | null;
  /** The sign-in whose card above the tabs is folded. */
  readonly folded: string | null;
  /** Typed address at which the browser ended, of one sign-in. */
  readonly redirect: { readonly signIn: string; readonly text: string } | null;
}

export const signInSlice: Slice<SignInUi> = {
  name: "sign_in",
  initial: { seen: null, folded: null, redirect: null },
};
