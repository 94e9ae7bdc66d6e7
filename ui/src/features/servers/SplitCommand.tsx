import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { useFetched } from "../../state/queries";

export interface SplitCommandProps {
  readonly command: string;
  /** Replaces the command by these words: the program, then arguments. */
  readonly onSplit: (words: readonly string[]) => void;
}

/** Splits a whole command line entered as a command into words; `null` if it is a single command. */
function useWords(command: string): readonly string[] | null {
  const spaced = /\S\s+\S/.test(command);
  const fetched = useFetched(command, "", async (backend) =>
    spaced ? backend.call("split_command", { command }) : null,
  );
  return fetched.state === "done" ? fetched.value : null;
}

/** Offers to split a whole command line that was entered as a command. */
export function SplitCommand({ command, onSplit }: SplitCommandProps): ReactNode {
  const words = useWords(command);
  if (words === null) return null;
  return (
    <div className="wrap gap8 spread" role="status">
      <p className="note">There is no program of this name. It looks like a command with arguments.</p>
      <Button small onClick={() => onSplit(words)}>
        Split into command and arguments
      </Button>
    </div>
  );
}
