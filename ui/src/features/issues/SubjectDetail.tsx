import { BellOff } from "lucide-react";
import type { ReactNode } from "react";

import { Badge } from "../../components/Badge";
import { SEVERITY_WORDS } from "../../components/severities";
import { Button } from "../../components/Button";
import { Prose } from "../../components/Prose";
import type { ServerId } from "../../ipc/bindings";
import { useActions } from "../../state/hooks";
import { subjectKey } from "../../state/issues";
import { focusNames } from "../../state/view";
import { GoToSubject, IssuePane } from "./IssuePane";
import type { SubjectCases } from "./issueRows";
import styles from "./issues.module.css";
import { subjectWords } from "./issueWords";

export interface SubjectDetailProps {
  readonly server: ServerId;
  readonly of: SubjectCases;
  readonly onClose: () => void;
}

/** A subject with issues, and the message of each. */
export function SubjectDetail({ server, of: { subject, cases }, onClose }: SubjectDetailProps): ReactNode {
  const actions = useActions();
  return (
    <IssuePane
      label={`Issues of ${subjectWords(subject)}`}
      title={<h2 className={styles.title}>{subjectWords(subject)}</h2>}
      onClose={onClose}
    >
      <GoToSubject server={server} subject={subject} location={null} />
      <ul className="stack noBullets gapS4">
        {cases.map(({ rule, case: one }) => {
          const { word, icon: Icon } = SEVERITY_WORDS[rule.severity];
          return (
            <li key={`${rule.rule} ${one.id}`} className="stack gapS2">
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
    </IssuePane>
  );
}
