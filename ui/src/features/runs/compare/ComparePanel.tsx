import { ArrowLeftRight, X } from "lucide-react";
import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from "react";

import { Button } from "../../../components/Button";
import { Callout } from "../../../components/Callout";
import { IconButton } from "../../../components/IconButton";
import { MaximizeButton } from "../../../components/PaneButtons";
import type { OperationNumber } from "../../../ipc/bindings";
import { useActions, useOperation } from "../../../state/hooks";
import { focusMark, focusNames } from "../../../state/view";
import { ChooseRun } from "./ChooseRun";
import { Compared } from "./Compared";
import styles from "./compare.module.css";

export interface ComparePanelProps {
  readonly first: OperationNumber;
  /** `null`: it is to be chosen. */
  readonly second: OperationNumber | null;
  /** In the place of the list of servers as well. */
  readonly maximized: boolean;
  /** The run that was compared before another was to be chosen: Escape goes back to it. */
  readonly before: OperationNumber | undefined;
}

/** Two runs of any servers side by side, and their differences. */
export function ComparePanel({ first, second, maximized, before }: ComparePanelProps): ReactNode {
  const actions = useActions();
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const one = useOperation(first);
  const other = useOperation(second);
  useEffect(() => {
    const panel = heading.current?.closest("section");
    if (panel && !panel.contains(document.activeElement)) heading.current?.focus();
  }, [second]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.defaultPrevented || second !== null || maximized) return;
    // The search field has the focus, in which the window leaves this key alone.
    event.preventDefault();
    if (before === undefined) actions.closePanel();
    else actions.openPanel({ type: "compare", first, second: before });
  };
  return (
    <section
      onKeyDown={onKeyDown}
      className={styles.panel}
      aria-labelledby={id}
      {...focusMark(focusNames.pane("panel"))}
    >
      <header className="bar gapS2 height48 pad0x12x0x20">
        <h1 id={id} ref={heading} tabIndex={-1} className="stretch strong large noRing">
          {second === null ? "Choose a run to compare with" : "Compare runs"}
        </h1>
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
        <IconButton label="Close" icon={X} onClick={actions.closePanel} />
      </header>
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
    </section>
  );
}
