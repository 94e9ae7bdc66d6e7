import { ChevronDown, ChevronRight } from "lucide-react";
import { useId, type ReactNode } from "react";

import { cx } from "../lib/cx";
import { scrollable } from "../lib/scrollable";
import styles from "./Band.module.css";

export interface BandProps {
  /** Accessible names of the band and of its content. */
  readonly label: string;
  readonly bodyLabel: string;
  readonly tone: "info" | "warn";
  readonly title: ReactNode;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly bodyClass: string | undefined;
  readonly children: ReactNode;
}

/** Foldable band for something that waits for the user, above everything else shown of a server. */
export function Band({ label, bodyLabel, tone, title, open, onToggle, bodyClass, children }: BandProps): ReactNode {
  const id = useId();
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <section className={cx("rigid lineBelow", styles[tone])} aria-label={label}>
      <h2>
        <button
          type="button"
          className="row bareButton heading gap8 height32 pad0x20"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          data-focus="inset"
          onClick={onToggle}
        >
          <Chevron size={14} aria-hidden />
          {title}
        </button>
      </h2>
      {open && (
        <div id={id} className={cx("pad0x20 scrollsDown", bodyClass)} {...scrollable(bodyLabel)}>
          {children}
        </div>
      )}
    </section>
  );
}
