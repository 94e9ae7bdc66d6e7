import { CircleQuestionMark } from "lucide-react";

import { useActions } from "../state/hooks";
import { Button } from "./Button";

export interface HelpButtonProps {
  /** Area of the failure: each has its page of the guide. */
  readonly about: "connecting" | "runs" | "authentication" | "sonde";
  /** Code of the failure. */
  readonly code: string;
  /** Sentence that the user reads about the failure. */
  readonly sentence: string;
}

/** Opens the guide at its text about a failure. */
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
