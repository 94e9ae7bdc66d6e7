import { X } from "lucide-react";
import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from "react";

import { scrollable } from "../lib/scrollable";
import { useActions } from "../state/hooks";
import { focusMark, focusNames } from "../state/view";
import { IconButton } from "./Button";
import styles from "./Panel.module.css";

export interface PanelFrameProps {
  title: string;
  className?: string | undefined;
  /** Buttons beside the title. */
  buttons?: ReactNode;
  /** Identifies the content: when it changes, the heading takes the focus again. */
  shown?: unknown;
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ReactNode;
}

/** A page in the main area in place of a dialog: nothing behind it is blocked. */
export function PanelFrame({ title, className = "fill", buttons, shown, onKeyDown, children }: PanelFrameProps) {
  const { closePanel } = useActions();
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Move the focus to the new panel, unless one of its fields has taken it.
    const panel = heading.current?.closest("section");
    if (panel && !panel.contains(document.activeElement)) heading.current?.focus();
  }, [shown]);
  return (
    <section className={className} aria-labelledby={id} onKeyDown={onKeyDown} {...focusMark(focusNames.pane("panel"))}>
      <header className="bar gap8 height48 pad0x12x0x20">
        <h1 id={id} ref={heading} tabIndex={-1} className="stretch large strong noRing ellipsis">
          {title}
        </h1>
        {buttons}
        <IconButton label="Close" icon={X} onClick={closePanel} />
      </header>
      {children}
    </section>
  );
}

export interface PanelProps {
  title: string;
  /** One sentence below the title. */
  lead?: ReactNode;
  /** Buttons that stay in view at the bottom. */
  footer?: ReactNode;
  children: ReactNode;
}

/** A panel whose content scrolls. */
export function Panel({ title, lead, footer, children }: PanelProps) {
  return (
    <PanelFrame title={title}>
      <div className="fit scrolls positioned" data-scroll={title} {...scrollable(title)}>
        <div className={styles.body}>
          {lead !== undefined && <div className="muted">{lead}</div>}
          {children}
        </div>
      </div>
      {footer !== undefined && (
        <footer className="rigid lineAbove onSide">
          <div className="wrap gap8 maxWidth760 pad12x20">{footer}</div>
        </footer>
      )}
    </PanelFrame>
  );
}
