import { X } from "lucide-react";
import { useEffect, useId, useRef, type ReactNode } from "react";

import { useActions } from "../state/hooks";
import { focusMark, focusNames } from "../state/view";
import { IconButton } from "./IconButton";
import styles from "./Panel.module.css";

export interface PanelProps {
  title: string;
  /** One sentence below the title. */
  lead?: ReactNode;
  /** Buttons that stay in view at the bottom. */
  footer?: ReactNode;
  children: ReactNode;
}

/** A page in the main area in place of a dialog: nothing behind it is blocked. */
export function Panel({ title, lead, footer, children }: PanelProps) {
  const { closePanel } = useActions();
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Move the focus to the new panel, unless one of its fields has taken it.
    const panel = heading.current?.closest("section");
    if (panel && !panel.contains(document.activeElement)) heading.current?.focus();
  }, []);
  return (
    <section className="fill" aria-labelledby={id} {...focusMark(focusNames.pane("panel"))}>
      <header className="bar spread height48 pad0x12x0x20">
        <h1 id={id} ref={heading} tabIndex={-1} className="large strong noRing">
          {title}
        </h1>
        <IconButton label="Close" icon={X} onClick={closePanel} />
      </header>
      {/* A scroller must be reachable by keyboard. */}
      <div
        className="fit scrolls positioned"
        data-scroll={title}
        tabIndex={0}
        data-focus="inset"
        role="group"
        aria-labelledby={id}
      >
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
    </section>
  );
}
