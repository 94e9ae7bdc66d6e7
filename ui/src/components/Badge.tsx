import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import { cx } from "../lib/cx";
import styles from "./Badge.module.css";
import { Tooltip } from "./Tooltip";

export interface BadgeProps {
  tone?: "neutral" | "info" | "ok" | "warn" | "bad";
  icon?: LucideIcon | undefined;
  /** An explanation, shown on hover and focus. The badge can then be focused. */
  tip?: string | undefined;
  children: ReactNode;
}

export function Badge({ tone = "neutral", icon: Icon, tip, children }: BadgeProps) {
  const inside = (
    <>
      {Icon && <Icon size={12} aria-hidden />}
      {children}
    </>
  );
  if (tip === undefined) return <span className={cx(styles.badge, styles[tone])}>{inside}</span>;
  return (
    <Tooltip text={tip}>
      <button type="button" className={cx(styles.badge, styles[tone])}>
        {inside}
        <span className="visuallyHidden">. {tip}</span>
      </button>
    </Tooltip>
  );
}
