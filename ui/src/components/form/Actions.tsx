import type { LucideIcon } from "lucide-react";
import type { KeyboardEvent, ReactNode } from "react";
import { cx } from "../../lib/cx";
import styles from "./Field.module.css";

export interface Action {
  /** The whole accessible name: "Remove city". */
  readonly label: string;
  readonly icon?: LucideIcon;
  readonly text?: string;
  readonly disabled?: boolean;
  /** Hides the button but keeps its place, so that the others do not move. */
  readonly absent?: boolean;
  /** Finds the button again after its row moved. */
  readonly mark?: string;
  readonly run: () => void;
}

/** The small buttons of one field: one tab stop, with arrow keys between them. */
export function Actions({ label, actions }: { readonly label: string; readonly actions: readonly Action[] }) {
  if (actions.length === 0) return null;
  const first = actions.findIndex((action) => action.disabled !== true && action.absent !== true);
  return (
    <div className={styles.actions} role="toolbar" aria-label={label} onKeyDown={step}>
      {actions.map(({ label: name, icon: Icon, text, disabled, absent, mark, run }, index) => (
        <button
          key={name}
          type="button"
          data-tip={name}
          className={cx(styles.action, text === undefined && styles.iconOnly, absent && styles.absentAction)}
          aria-label={name}
          disabled={disabled || absent}
          data-mark={mark}
          tabIndex={index === first ? 0 : -1}
          onClick={run}
        >
          {Icon && <Icon size={14} aria-hidden />}
          {text}
        </button>
      ))}
    </div>
  );
}

function step(event: KeyboardEvent<HTMLDivElement>): void {
  const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (by === 0) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>("button:not(:disabled)")];
  const at = buttons.findIndex((button) => button === document.activeElement);
  buttons[at + by]?.focus();
  event.preventDefault();
}

interface SmallButtonProps {
  readonly children: ReactNode;
  readonly id?: string;
  readonly label?: string;
  readonly onClick: () => void;
}

/** A quiet button inside a field. */
export function SmallButton({ children, id, label, onClick }: SmallButtonProps) {
  return (
    <button type="button" id={id} className={styles.smallButton} aria-label={label} onClick={onClick}>
      {children}
    </button>
  );
}
