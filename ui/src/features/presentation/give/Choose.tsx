import { Check, Presentation as PresentationIcon } from "lucide-react";
import { useEffect, useRef, type ReactNode, type RefObject } from "react";

import type { Presentation, PresentationStep } from "../../../ipc/bindings";
import { cx } from "../../../lib/cx";
import { count } from "../../../lib/format";
import { stepByKey } from "../../../lib/stepByKey";
import { visibleText } from "../../../lib/visible";
import { isBegun, type Giving } from "../../../state/giving";
import { useActions, useAppState, useParts } from "../../../state/hooks";
import { presentationActions } from "../../../state/presentations";
import { presentationTitle } from "../../../state/typedPresentations";
import styles from "./give.module.css";
import { stepTitle } from "./giveWords";

/** Focuses the card that is marked as the next. */
function useNextCard<T extends HTMLElement>(): RefObject<T | null> {
  const list = useRef<T>(null);
  useEffect(() => list.current?.querySelector<HTMLElement>("[data-next]")?.focus(), []);
  return list;
}

/** Choice of a presentation. The last one has the focus. */
export function Choose(): ReactNode {
  const actions = useActions().get(presentationActions);
  const presentations = useAppState(({ live }) => live.presentations);
  const left = useAppState(({ view }) => view.left);
  const last = useAppState(({ view }) => view.lastGiven);
  const first = (presentations.find(({ id }) => id === last) ?? presentations[0])?.id;
  const list = useNextCard<HTMLUListElement>();
  return (
    <ul ref={list} className={styles.overview} aria-label="Presentations" onKeyDown={stepByKey}>
      {presentations.map((presentation) => {
        const { id, title } = presentation;
        const place = [placeWords(presentation, left[id]), ...(id === last ? ["given last"] : [])].join("; ");
        return (
          <li key={id}>
            <button
              type="button"
              className={styles.card}
              data-next={id === first ? "" : undefined}
              onClick={() => actions.give({ type: "choose", presentation: id })}
            >
              <PresentationIcon aria-hidden />
              <span className="strong breakable" data-quoted>
                {presentationTitle(title)}
              </span>
              <span className="note breakable">{place}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Number of steps and, if the presentation was begun, the step at which it resumes. */
function placeWords({ steps }: Presentation, left: Giving | undefined): string {
  const length = count(steps.length, "step", "steps");
  // A presentation that had ended begins again.
  if (!left || left.step >= steps.length || !isBegun(left)) return length;
  return `${length}, continues at step ${left.step + 1}`;
}

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
  const list = useNextCard<HTMLOListElement>();
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
