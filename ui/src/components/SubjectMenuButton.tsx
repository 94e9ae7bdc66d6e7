import { Ellipsis } from "lucide-react";

import { cx } from "../lib/cx";
import { useActions, useAppState } from "../state/hooks";
import type { Subject } from "../state/view";
import button from "./IconButton.module.css";

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
    <button
      type="button"
      className={cx(button.button, small && button.small)}
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={open}
      onClick={(event) => setMenu({ label, subject, at: event.currentTarget.getBoundingClientRect() })}
    >
      <Ellipsis size={small ? 14 : 16} aria-hidden />
    </button>
  );
}
