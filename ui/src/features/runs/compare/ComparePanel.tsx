import { ArrowLeftRight } from "lucide-react";
import { type KeyboardEvent, type ReactNode } from "react";

import { Button } from "../../../components/Button";
import { Callout } from "../../../components/Callout";
import { MaximizeButton } from "../../../components/PaneButtons";
import { PanelFrame } from "../../../components/Panel";
import type { OperationNumber } from "../../../ipc/bindings";
import { useActions, useOperation } from "../../../state/hooks";
import { ChooseRun } from "./ChooseRun";
import styles from "./compare.module.css";
import { Compared } from "./Compared";

export interface ComparePanelProps {
  readonly first: OperationNumber;
  /** `null` while it is being chosen. */
  readonly second: OperationNumber | null;
  /** Also covers the list of servers. */
  readonly maximized: boolean;
  /** The previously compared run, to which Escape returns. */
  readonly before: OperationNumber | undefined;
}

/** Two runs of any servers side by side, and their differences. */
export function ComparePanel({ first, second, maximized, before }: ComparePanelProps): ReactNode {
  const actions = useActions();

  const one = useOperation(first);
  const other = useOperation(second);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.defaultPrevented || second !== null || maximized) return;
    // In the focused search field, the window does not handle this key.
    event.preventDefault();
    if (before === undefined) actions.closePanel();
    else actions.openPanel({ type: "compare", first, second: before });
  };
  return (
    <PanelFrame
      title={second === null ? "Choose a run to compare with" : "Compare runs"}
      className={styles.panel}
      buttons={
        <>
          {second !== null && (
            <Button
              small
              kind="quiet"
              icon={ArrowLeftRight}
              onClick={() => actions.openPanel({ type: "compare", first: second, second: first, maximized })}
            >
              Swap
            </Button>
          )}
          <MaximizeButton
            label="comparison"
            maximized={maximized}
            onChange={(on) => actions.openPanel({ type: "compare", first, second, maximized: on })}
          />
        </>
      }
      shown={second}
      onKeyDown={onKeyDown}
    >
      {!one || (second !== null && !other) ? (
        <div className={styles.fault}>
          <Callout
            level="info"
            title="The run was deleted."
            actions={
              (one ?? other) && (
                <Button
                  small
                  onClick={() =>
                    actions.openPanel({
                      type: "compare",
                      first: one?.operation ?? other?.operation ?? first,
                      second: null,
                    })
                  }
                >
                  Choose another
                </Button>
              )
            }
          />
        </div>
      ) : other ? (
        <Compared key={`${first} ${second}`} left={one} right={other} />
      ) : (
        <ChooseRun key={first} first={one} />
      )}
    </PanelFrame>
  );
}
