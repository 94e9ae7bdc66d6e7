import { useEffect, useRef, useState } from "react";

import { Button } from "../../components/Button";
import { TextInput } from "../../components/Field";
import { useActions } from "../../state/hooks";
import styles from "./ServerForm.module.css";

/** Takes a text copied from a README, and shows the servers found in it before any is added. */
export function PasteText() {
  const [text, setText] = useState("");
  const actions = useActions();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const show = (): void => {
    if (text.trim() !== "") actions.openPanel({ type: "import", text, given: true });
  };
  return (
    <div className={styles.paste}>
      <TextInput
        ref={field}
        label="Paste a URL, command or configuration"
        mono
        placeholder="claude mcp add … or npx -y @scope/server"
        value={text}
        onChange={setText}
        onKeyDown={(event) => {
          // The field has the focus from the start: Escape leaves while it is empty.
          if (event.key === "Escape" && text === "") actions.closePanel();
          else if (event.key === "Enter") show();
          else return;
          event.preventDefault();
        }}
      />
      <Button disabled={text.trim() === ""} onClick={show}>
        Read it
      </Button>
    </div>
  );
}
