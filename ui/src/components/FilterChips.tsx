import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import { cx } from "../lib/cx";
import styles from "./FilterChips.module.css";

export interface FilterChip {
  readonly name: string;
  readonly on: boolean;
  readonly icon?: LucideIcon;
  readonly tip?: string | undefined;
  readonly onToggle: () => void;
}

export interface FilterChipsProps {
  /** Common name of the kinds: `Sources`. */
  readonly label: string;
  readonly chips: readonly FilterChip[];
}

/** Filter of a list by kind: each chip is on or off; with none on, all items are listed. */
export function FilterChips({ label, chips }: FilterChipsProps): ReactNode {
  return (
    <div className="wraps gapS1 flexed" role="group" aria-label={`${label} (none selected shows all)`}>
      {chips.map(({ name, on, icon: Icon, tip, onToggle }) => (
        <button
          key={name}
          type="button"
          className={cx(styles.chip, on && styles.on)}
          aria-pressed={on}
          data-tip={tip}
          onClick={onToggle}
        >
          {Icon && <Icon size={12} aria-hidden />}
          {name}
        </button>
      ))}
    </div>
  );
}
