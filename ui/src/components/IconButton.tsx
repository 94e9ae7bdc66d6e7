import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";

import { cx } from "../lib/cx";
import styles from "./IconButton.module.css";

export interface IconButtonProps extends Omit<ComponentProps<"button">, "aria-label" | "children" | "title"> {
  /** Accessible name, also shown as the tooltip. */
  label: string;
  icon: LucideIcon;
  small?: boolean;
  /** Text beside the icon; the label begins with it. */
  text?: ReactNode;
}

export function IconButton({
  label,
  icon: Icon,
  small = false,
  text,
  className,
  type = "button",
  onClick,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      data-tip={label}
      className={cx(styles.button, small && styles.small, text !== undefined && styles.wordy, className)}
      {...rest}
      // Unlike `disabled`, `aria-disabled` keeps the focus.
      onClick={rest["aria-disabled"] === true ? undefined : onClick}
    >
      <Icon size={small ? 14 : 16} aria-hidden />
      {text}
    </button>
  );
}
