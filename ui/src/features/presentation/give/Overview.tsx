import { Check } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";

import type { PresentationStep } from "../../../ipc/bindings";
import { cx } from "../../../lib/cx";
import { stepByKey } from "../../../lib/stepByKey";
import { visibleText } from "../../../lib/visible";
import { useActions, useAppState, useParts } from "../../../state/hooks";
import { presentationActions } from "../../../state/presentations";
import styles from "./give.module.css";
import { stepTitle } from "./giveWords";

/** List of all steps, to go to one. */
export function Overview({ steps }: { readonly steps: readonly PresentationStep[] }): ReactNode {
  const actions = useActions().get(presentationActions);
  const at = useAppState(({ view }) => view.giving?.step ?? 0);
  const done = useParts(({ view, live }) =>
    steps.map(({ id }) => {
      const outcome = live.operations[view.giving?.steps[id]?.run ?? -1]?.outcome;
      return outcome?.type === "result" && !outcome.is_error;
    }),
  );
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.querySelector<HTMLElement>("[aria-current]")?.focus();
  }, []);
  return (
    <ol ref={list} className={styles.overview} aria-label="All steps" onKeyDown={stepByKey}>
      {steps.map((step, place) => (
        <li key={step.id}>
          <button
            type="button"
            className={cx(styles.card, place === at && styles.current)}
            aria-current={place === at ? "step" : undefined}
            data-next={place === at ? "" : undefined}
            onClick={() => actions.give({ type: "go", to: place })}
          >
            <span className={styles.place}>
              {place + 1}
              {done[place] === true && <Check aria-label="Done" />}
            </span>
            <span className="strong breakable" data-quoted>
              {stepTitle(step)}
            </span>
            <span className="note breakable" data-quoted>
              {visibleText(step.server_name)}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}
