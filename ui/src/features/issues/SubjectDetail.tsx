import { ArrowRight, BellOff, X } from "lucide-react";
import type { ReactNode } from "react";

import { Badge } from "../../components/Badge";
import { Button } from "../../components/Button";
import { IconButton } from "../../components/IconButton";
import { Prose } from "../../components/Prose";
import type { ServerId } from "../../ipc/bindings";
import { useActions } from "../../state/hooks";
import { subjectKey } from "../../state/issues";
import { focusMark, focusNames } from "../../state/view";
import type { SubjectCases } from "./issueRows";
import styles from "./issues.module.css";
import { goneWords, goWords, SEVERITY_WORDS, subjectWords } from "./words";

export interface SubjectDetailProps {
  readonly server: ServerId;
  readonly of: SubjectCases;
  readonly onClose: () => void;
}

/** What breaks rules, with what each of them says of it. */
export function SubjectDetail({ server, of: { subject, cases }, onClose }: SubjectDetailProps): ReactNode {
  const actions = useActions();
  const gone = goneWords(subject);
  return (
    <aside
      className={styles.detail}
      aria-label={`Issues of ${subjectWords(subject)}`}
      {...focusMark(focusNames.pane("details"))}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <header className={styles.head}>
        <h2 className={styles.title}>{subjectWords(subject)}</h2>
        <IconButton small label="Close" icon={X} onClick={onClose} />
      </header>
      <div className={styles.body}>
        <div className={styles.actions}>
          <Button
            small
            kind="primary"
            icon={ArrowRight}
            disabled={gone !== null}
            onClick={() => actions.showIssueSubject(server, subject, null)}
          >
            {goWords(subject)}
          </Button>
          {gone !== null && <span className="note">{gone}</span>}
        </div>
        <ul className={styles.cases}>
          {cases.map(({ rule, case: one }) => {
            const { word, icon: Icon } = SEVERITY_WORDS[rule.severity];
            return (
              <li key={`${rule.rule} ${one.id}`} className={styles.part}>
                <span className={styles.title} data-severity={rule.severity}>
                  <Icon size={13} aria-hidden />
                  <span>{word}</span>
                  <code>{rule.rule}</code>
                  {one.location !== null && <code>{one.location}</code>}
                  {rule.certainty === "heuristic" && <Badge>Heuristic</Badge>}
                  {rule.muted !== null && <Badge icon={BellOff}>Muted</Badge>}
                </span>
                <span>
                  <Prose text={one.message} />
                </span>
                <div>
                  <Button
                    small
                    onClick={() => {
                      actions.openIssue(server, subjectKey(subject), true);
                      actions.selectIssue(server, { rule: rule.rule, case: one.id });
                      // The button goes with what it is in.
                      actions.focus(focusNames.pane("details"));
                    }}
                  >
                    Show issue
                  </Button>
                </div>
              </li>
            );
          })}
        </ul>
      </div>
    </aside>
  );
}
