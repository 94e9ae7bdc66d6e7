import { useState } from "react";

import { Button } from "../../components/Button";
import { Prose } from "../../components/Prose";
import { TextInput } from "../../components/TextInput";
import type { ServerId, SignInPrompt } from "../../ipc/bindings";
import { useActions, useSliceValue } from "../../state/hooks";
import { signInSlice } from "../../state/slices/signIn";
import styles from "./auth.module.css";

/** Takes the address at which the browser ended. What was typed stays until it was taken. */
export function PasteRedirect({ server, prompt }: { server: ServerId; prompt: SignInPrompt }) {
  const actions = useActions();
  const kept = useSliceValue(server, signInSlice, (ui) => ui.redirect);
  const text = kept?.signIn === prompt.url ? kept.text : "";
  const [refused, setRefused] = useState<{ readonly text: string; readonly why: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const why = refused?.text === text ? refused.why : undefined;

  const send = async (): Promise<void> => {
    if (busy || text.trim() === "") return;
    setBusy(true);
    const problem = await actions.pasteRedirect(server, prompt.attempt, text);
    setBusy(false);
    setRefused(problem === null ? null : { text, why: problem });
  };

  return (
    <form
      className="grid gap8 growAuto alignTop"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <TextInput
        label="Redirect URL from the browser"
        mono
        value={text}
        placeholder={`${prompt.redirect_uri}?code=…`}
        hint={`Starts with ${prompt.redirect_uri}`}
        error={why}
        onChange={(value) => actions.setRedirect(server, prompt.url, value)}
      />
      <Button type="submit" className={styles.pasteButton} disabled={busy || text.trim() === ""}>
        Continue
      </Button>
      <span className="visuallyHidden" role="status">
        {why !== undefined && <Prose text={why} />}
      </span>
    </form>
  );
}
