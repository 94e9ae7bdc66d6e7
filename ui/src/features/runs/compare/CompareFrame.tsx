import { X } from "lucide-react";
import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from "react";

import { IconButton } from "../../../components/IconButton";
import { MaximizeButton } from "../../../components/PaneButtons";
import { useActions } from "../../../state/hooks";
import { focusMark, focusNames } from "../../../state/view";
import styles from "./compare.module.css";

interface CompareFrameProps {
  readonly title: string;
  /** Buttons beside the title. */
  readonly buttons: ReactNode;
  /** Also covers the list of servers. */
  readonly maximized: boolean;
  readonly onMaximize: (on: boolean) => void;
  /** Identifies the compared content: when it changes, the heading takes the focus again. */
  readonly shown?: unknown;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly children: ReactNode;
}

/** Panel of a comparison. */
export function CompareFrame(props: CompareFrameProps): ReactNode {
  const { title, buttons, maximized, onMaximize, shown, onKeyDown, children } = props;
  const { closePanel } = useActions();
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const panel = heading.current?.closest("section");
    if (panel && !panel.contains(document.activeElement)) heading.current?.focus();
  }, [shown]);
  return (
    <section
      onKeyDown={onKeyDown}
      className={styles.panel}
      aria-labelledby={id}
      {...focusMark(focusNames.pane("panel"))}
    >
      <header className="bar gapS2 height48 pad0x12x0x20">
        <h1 id={id} ref={heading} tabIndex={-1} className="stretch strong large noRing ellipsis">
          {title}
        </h1>
        {buttons}
        <MaximizeButton label="comparison" maximized={maximized} onChange={onMaximize} />
        <IconButton label="Close" icon={X} onClick={closePanel} />
      </header>
      {children}
    </section>
  );
}
