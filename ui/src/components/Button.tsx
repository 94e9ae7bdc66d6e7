import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";

import { cx } from "../lib/cx";
import styles from "./Button.module.css";

export interface ButtonProps extends ComponentProps<"button"> {
  kind?: "plain" | "primary" | "danger" | "quiet";
  small?: boolean;
  /** A size larger, for the main action of an empty page. */
  large?: boolean;
  icon?: LucideIcon | undefined;
  /** Tooltip and accessible description. */
  title?: string | undefined;
}

export function Button({
  kind = "plain",
  small = false,
  large = false,
  icon: Icon,
  className,
  children,
  title,
  type = "button",
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      className={cx(styles.button, styles[kind], small && styles.small, large && styles.large, className)}
      data-tip={title}
      aria-description={title}
      {...rest}
      // Unlike `disabled`, `aria-disabled` keeps the focus.
      onClick={rest["aria-disabled"] === true ? undefined : onClick}
    >
      {Icon && <Icon size={small ? 13 : 15} aria-hidden />}
      {children}
    </button>
  );
}
