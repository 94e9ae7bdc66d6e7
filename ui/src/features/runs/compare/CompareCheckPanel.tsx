import { Check } from "lucide-react";
import { useState, type ReactNode } from "react";

import { Button } from "../../../components/Button";
import { Callout } from "../../../components/Callout";
import { MaximizeButton } from "../../../components/PaneButtons";
import { PanelFrame } from "../../../components/Panel";
import type { Backend } from "../../../ipc/backend";
import type { CheckId, ServerId } from "../../../ipc/bindings";
import { visibleText } from "../../../lib/visible";
import { checkActions } from "../../../state/actions/checks";
import { areRunning, checkAt } from "../../../state/checks";
import { useActions, useBackend, useChecks, useReadState } from "../../../state/hooks";
import { type CheckPlace } from "../../../state/view";
import styles from "./compare.module.css";
import { Differences } from "./Compared";
import type { RunDocuments } from "./compareWorker";
import type { ReadSides } from "./useComparison";

export interface CompareCheckPanelProps {
  readonly server: ServerId;
  readonly place: CheckPlace;
  /** Also covers the list of servers. */
  readonly maximized: boolean;
}

/** Comparison of a check's last result with its baseline. */
export function CompareCheckPanel({ server, place, maximized }: CompareCheckPanelProps): ReactNode {
  const actions = useActions();
  const checking = actions.get(checkActions);
  const backend = useBackend();
  const readState = useReadState();

  const checks = useChecks(server);
  const check = checkAt(checks, place);
  /** Number of paths ignored here; each restarts the comparison without them. */
  const [ignored, setIgnored] = useState(0);

  const accept = async (): Promise<void> => {
    if (!check || !(await checking.accept(server, check.id))) return;
    const { panel } = readState().view;
    if (panel?.type === "compare_check" && panel.check === place) actions.closePanel();
  };
  const ignore = async (pointer: string): Promise<void> => {
    if (check && (await checking.ignore(server, check.id, pointer))) setIgnored((before) => before + 1);
  };
  const result = check?.result ?? null;
  const version = result?.version ?? null;
  const differs = result?.differs === true;
  return (
    <PanelFrame
      title={`Compare with the baseline${check ? `: ${visibleText(check.name)}` : ""}`}
      className={styles.panel}
      buttons={
        <>
          {check && (
            <Button small icon={Check} disabled={!differs || areRunning(checks)} onClick={() => void accept()}>
              Accept as the new baseline
            </Button>
          )}
          <MaximizeButton
            label="comparison"
            maximized={maximized}
            onChange={(on) => actions.openPanel({ type: "compare_check", server, check: place, maximized: on })}
          />
        </>
      }
    >
      {!check ? (
        <div className={styles.fault}>
          <Callout level="info" title="The check is no longer in its file." />
        </div>
      ) : differs ? (
        <>
          <p className={styles.remark}>
            Left: the baseline. Right: the last result{version !== null && ` of version ${visibleText(version)}`}. Paths
            that the check ignores are left out of both.
          </p>
          <Differences
            key={`${check.id.step} ${check.result?.at} ${ignored}`}
            read={readOf(backend, server, check.id)}
            names={["baseline", "last result"]}
            onIgnore={areRunning(checks) ? null : (pointer) => void ignore(pointer)}
          />
        </>
      ) : (
        <div className={styles.fault}>
          <Callout level="info" role="status" title="Nothing differs from the baseline any more.">
            {result?.state === "passed" && <p>The check passes.</p>}
          </Callout>
        </div>
      )}
    </PanelFrame>
  );
}

function readOf(backend: Backend, server: ServerId, check: CheckId): ReadSides {
  return async () => {
    const { before, now } = await backend.call("check_comparison", { server, check });
    return [documents(before), documents(now)];
  };
}

function documents(text: string): RunDocuments {
  return { arguments: null, params: null, result: text === "" ? null : new TextEncoder().encode(text).buffer };
}
