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
  /** Heading of the pane. */
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Frame of the details of a selected issue. */
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
  /** Location within the subject. */
  readonly location: string | null;
  /** Further buttons. */
  readonly children?: ReactNode;
}

/** Button that leads to the subject of an issue, or the reason why it is gone, with further buttons. */
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
