import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { useBackend, useFetched } from "../../state/hooks";
import styles from "./ServerForm.module.css";

export interface SplitCommandProps {
  readonly command: string;
  /** Puts these words in its place: the program, then arguments. */
  readonly onSplit: (words: readonly string[]) => void;
}

/** The words of a whole command line that stands in the place of a command; `null` where it is a command. */
function useWords(command: string): readonly string[] | null {
  const backend = useBackend();
  const spaced = /\S\s+\S/.test(command);
  const fetched = useFetched(command, "", async () => (spaced ? backend.call("split_command", { command }) : null));
  return fetched.state === "done" ? fetched.value : null;
}

/** Offers to take a whole command line apart that was typed as a command. */
export function SplitCommand({ command, onSplit }: SplitCommandProps): ReactNode {
  const words = useWords(command);
  if (words === null) return null;
  return (
    <div className={styles.split} role="status">
      <p className="note">There is no program of this name. It looks like a command with arguments.</p>
      <Button small onClick={() => onSplit(words)}>
        Split into command and arguments
      </Button>
    </div>
  );
}
