import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import { cx } from "../lib/cx";
import styles from "./Badge.module.css";

export interface BadgeProps {
  tone?: "neutral" | "info" | "ok" | "warn" | "bad";
  icon?: LucideIcon | undefined;
  /** Explanation shown on hover and focus. It makes the badge focusable. */
  tip?: string | undefined;
  /** Makes the badge a button. */
  onPress?: (() => void) | undefined;
  /** Tooltip of a badge that is a button. */
  title?: string | undefined;
  children: ReactNode;
}

export function Badge({ tone = "neutral", icon: Icon, tip, onPress, title, children }: BadgeProps) {
  const inside = (
    <>
      {Icon && <Icon size={12} aria-hidden />}
      {children}
    </>
  );
  if (onPress) {
    return (
      <button type="button" className={cx(styles.badge, styles[tone], styles.press)} data-tip={title} onClick={onPress}>
        {inside}
      </button>
    );
  }
  if (tip === undefined) return <span className={cx(styles.badge, styles[tone])}>{inside}</span>;
  return (
    <button type="button" className={cx(styles.badge, styles[tone])} data-tip={tip}>
      {inside}
      <span className="visuallyHidden">. {tip}</span>
    </button>
  );
}
