import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";

import { cx } from "../lib/cx";
import styles from "./IconButton.module.css";
import { Tooltip } from "./Tooltip";

export interface IconButtonProps extends Omit<ComponentProps<"button">, "aria-label" | "children"> {
  /** Accessible name, also shown as the tooltip. */
  label: string;
  icon: LucideIcon;
  small?: boolean;
}

export function IconButton({ label, icon: Icon, small = false, className, type = "button", ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button type={type} aria-label={label} className={cx(styles.button, small && styles.small, className)} {...rest}>
        <Icon size={small ? 14 : 16} aria-hidden />
      </button>
    </Tooltip>
  );
}
