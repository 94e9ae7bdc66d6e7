import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { DetailPane, type DetailPaneProps } from "../../components/ListWithDetails";
import type { IssueSubject, ServerId } from "../../ipc/bindings";
import { useActions } from "../../state/hooks";
import { goneWords, goWords } from "./issueWords";

type IssuePaneProps = Pick<DetailPaneProps, "label" | "title" | "onClose" | "children">;

/** Frame of the details of a selected issue. */
export function IssuePane(props: IssuePaneProps): ReactNode {
  return (
    <DetailPane
      {...props}
      className="onPage"
      headClass="row rigid gapS2 lineBelow spread padS2xS3"
      bodyClass="gapS4 breakable padS3"
    />
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
    <div className="wrap gapS2">
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
