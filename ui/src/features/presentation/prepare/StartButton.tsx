import { Play } from "lucide-react";

import { Button } from "../../../components/Button";
import type { Presentation } from "../../../ipc/bindings";
import { visibleText } from "../../../lib/visible";
import { useActions } from "../../../state/hooks";
import { preparingActions } from "../../../state/preparing";

interface StartButtonProps {
  readonly presentation: Presentation;
  readonly small?: boolean;
}

/** Starts a presentation. */
export function StartButton({ presentation, small = false }: StartButtonProps) {
  const actions = useActions().get(preparingActions);
  const { id, title, steps } = presentation;
  return (
    <Button
      kind={small ? "plain" : "primary"}
      small={small}
      icon={Play}
      disabled={steps.length === 0}
      aria-label={`Start ${visibleText(title)}`}
      title={steps.length === 0 ? "Add a step first" : "Start with the first step. F5 continues where it was left."}
      onClick={() => void actions.startPresentation(id, 0)}
    >
      Start
    </Button>
  );
}
