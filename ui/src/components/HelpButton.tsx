import { CircleQuestionMark } from "lucide-react";

import { useActions } from "../state/hooks";
import { Button } from "./Button";

export interface HelpButtonProps {
  /** What failed: each has its page of the guide. */
  readonly about: "connecting" | "runs" | "authentication" | "sonde";
  /** The code of what failed. */
  readonly code: string;
  /** What the user reads. */
  readonly sentence: string;
}

/** Opens the guide at what it says about a failure. */
export function HelpButton({ about, code, sentence }: HelpButtonProps) {
  const { openHelp } = useActions();
  return (
    <Button
      small
      kind="quiet"
      icon={CircleQuestionMark}
      title="Show what the guide says about this"
      onClick={() => openHelp(`troubleshooting-${about}`, { type: "failure", code, sentence })}
    >
      Help
    </Button>
  );
}
