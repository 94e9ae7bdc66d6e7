import { Play, Presentation } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { DetailPane } from "../../components/ListWithDetails";
import { Prose } from "../../components/Prose";
import { VisibleText } from "../../components/VisibleText";
import type { ServerId } from "../../ipc/bindings";
import { visibleText } from "../../lib/visible";
import { checkActions } from "../../state/actions/checks";
import { useActions } from "../../state/hooks";
import { presentationActions } from "../../state/presentations";
import { CaseTable } from "./CaseTable";
import type { CheckRow } from "./checkRows";
import { problemPlace, setWords } from "./checkWords";

interface SetDetailProps {
  readonly server: ServerId;
  readonly row: Exclude<CheckRow, { type: "check" }>;
  readonly running: boolean;
  readonly onClose: () => void;
}

/** Details of a file of checks, or of a group in it: its problems, and running it alone. */
export function SetDetail({ server, row, running, onClose }: SetDetailProps): ReactNode {
  const actions = useActions();
  const checking = actions.get(checkActions);
  const { suite, checks } = row;
  const title = visibleText(row.type === "group" ? row.group : suite.name);
  const broken = row.type === "suite" && suite.problems.length > 0;
  const run = (): void => void checking.run(server, { type: "some", checks: checks.map(({ id }) => id) });
  const present = async (): Promise<void> => {
    const id = await checking.present(server, suite);
    if (id !== undefined) actions.get(presentationActions).givePresentation(id);
  };
  return (
    <DetailPane
      label={row.type === "group" ? `Group ${title}` : `File ${title}`}
      title={<h2 className="wrap shrink breakable gapS1xS2 inheritSize grow">{title}</h2>}
      onClose={onClose}
    >
      {suite.name !== suite.file && (
        <p>
          <VisibleText code oneLine text={suite.file} />
        </p>
      )}
      {broken && (
        <section aria-label="Problems" className="stack gapS2">
          <p className="bad strong">This file is not a suite of checks, so none of its checks can run.</p>
          <ul className="noBullets stack gapS2">
            {suite.problems.map((problem) => (
              <li key={`${problem.line} ${problem.column} ${problem.message}`}>
                <b>{problemPlace(problem)}:</b> <Prose text={problem.message} />
              </li>
            ))}
          </ul>
          <p className="muted">Fix it in an editor. It is read again when you come back to this window.</p>
        </section>
      )}
      {suite.describes_server && (
        <p>
          This file describes a server of its own. Sonde runs it only on a server of the list: choose one with{" "}
          <b>Run on</b>.
        </p>
      )}
      {checks.length > 0 && (
        <>
          <p>{setWords(checks)}</p>
          <div className="wrap gapS2">
            <Button small icon={Play} disabled={running} onClick={run}>
              Run these checks
            </Button>
            {row.type === "suite" && (
              <Button
                small
                icon={Presentation}
                title="Show the calls of this file to an audience, one by one"
                onClick={() => void present()}
              >
                Present
              </Button>
            )}
          </div>
          <CaseTable checks={checks} />
        </>
      )}
    </DetailPane>
  );
}
