import { ArrowRight, X } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { IconButton } from "../../components/IconButton";
import type { IssueSubject, ServerId } from "../../ipc/bindings";
import { useActions } from "../../state/hooks";
import { focusMark, focusNames } from "../../state/view";
import styles from "./issues.module.css";
import { goneWords, goWords } from "./words";

export interface DetailPaneProps {
  /** Accessible name. */
  readonly label: string;
  /** The heading. */
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The frame of the details of what is selected among the issues. */
export function DetailPane({ label, title, onClose, children }: DetailPaneProps): ReactNode {
  return (
    <aside
      className={styles.detail}
      aria-label={label}
      {...focusMark(focusNames.pane("details"))}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <header className={styles.head}>
        {title}
        <IconButton small label="Close" icon={X} onClick={onClose} />
      </header>
      <div className={styles.body}>{children}</div>
    </aside>
  );
}

export interface GoToSubjectProps {
  readonly server: ServerId;
  readonly subject: IssueSubject;
  /** Where in it. */
  readonly location: string | null;
  /** Other buttons. */
  readonly children?: ReactNode;
}

/** The way to what has an issue, with other buttons, and why there is none. */
export function GoToSubject({ server, subject, location, children }: GoToSubjectProps): ReactNode {
  const actions = useActions();
  const gone = goneWords(subject);
  return (
    <div className={styles.actions}>
      <Button
        small
        kind="primary"
        icon={ArrowRight}
        disabled={gone !== null}
        onClick={() => actions.showIssueSubject(server, subject, location)}
      >
        {goWords(subject)}
      </Button>
      {children}
      {gone !== null && <span className="note">{gone}</span>}
    </div>
  );
}
