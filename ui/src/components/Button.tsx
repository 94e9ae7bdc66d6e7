import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";

import { cx } from "../lib/cx";
import styles from "./Button.module.css";
import icon from "./IconButton.module.css";

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
      className={cx(icon.button, small && icon.small, text !== undefined && icon.wordy, className)}
      {...rest}
      // Unlike `disabled`, `aria-disabled` keeps the focus.
      onClick={rest["aria-disabled"] === true ? undefined : onClick}
    >
      <Icon size={small ? 14 : 16} aria-hidden />
      {text}
    </button>
  );
}
