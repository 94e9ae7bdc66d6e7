import { Ellipsis } from "lucide-react";

import { useActions, useAppState } from "../state/hooks";
import type { Subject } from "../state/view";
import { IconButton } from "./Button";

export interface SubjectMenuButtonProps {
  /** Accessible name. */
  label: string;
  subject: Subject;
  small?: boolean;
}

/** Opens the context menu of a subject, for users who do not try the right mouse button. */
export function SubjectMenuButton({ label, subject, small = false }: SubjectMenuButtonProps) {
  const { setMenu } = useActions();
  const open = useAppState((state) => state.view.menu?.label === label);
  return (
    <IconButton
      label={label}
      data-tip={undefined}
      icon={Ellipsis}
      small={small}
      aria-haspopup="menu"
      aria-expanded={open}
      onClick={(event) => setMenu({ label, subject, at: event.currentTarget.getBoundingClientRect() })}
    />
  );
}
