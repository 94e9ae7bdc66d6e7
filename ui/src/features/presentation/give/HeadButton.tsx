import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";

import styles from "./give.module.css";

export interface HeadButtonProps extends Omit<ComponentProps<"button">, "aria-label" | "children"> {
  /** Accessible name, which begins with the word. */
  readonly label: string;
  readonly icon: LucideIcon;
  /** Text below the icon: no tooltip has to open over the step to explain the button. */
  readonly word?: string;
}

/** A button of the bar above a step. */
export function HeadButton({ label, icon: Icon, word = label, ...rest }: HeadButtonProps): ReactNode {
  return (
    <button type="button" className={styles.headButton} aria-label={label} {...rest}>
      <Icon aria-hidden />
      <span>{word}</span>
    </button>
  );
}
