import { useState } from "react";

import { Button } from "../../components/Button";
import { Disclosure } from "../../components/Disclosure";
import { TextInput } from "../../components/TextInput";
import { splitCommandLine, type CommandLine } from "./commandLine";
import styles from "./ServerForm.module.css";

/** Takes a whole command line from a README apart into the fields below. */
export function PasteCommand({ onSplit }: { onSplit: (line: CommandLine) => void }) {
  const [text, setText] = useState("");
  const [remarks, setRemarks] = useState<readonly string[]>([]);
  const split = (): void => {
    const line = splitCommandLine(text);
    if (line.command === "") return;
    setRemarks(line.remarks);
    setText("");
    onSplit(line);
  };
  return (
    <Disclosure summary="Paste a command line">
      <div className={styles.paste}>
        <TextInput
          label="Command line"
          hideLabel
          mono
          placeholder='npx -y @scope/server "a folder"'
          value={text}
          onChange={setText}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            split();
          }}
        />
        <Button disabled={text.trim() === ""} onClick={split}>
          Fill in the fields
        </Button>
      </div>
      {remarks.map((remark) => (
        <p key={remark} className="note" role="status">
          {remark}
        </p>
      ))}
    </Disclosure>
  );
}
