import { Presentation as PresentationIcon } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";

import type { Presentation } from "../../../ipc/bindings";
import { count } from "../../../lib/format";
import { stepByKey } from "../../../lib/stepByKey";
import { isBegun, type Giving } from "../../../state/giving";
import { useActions, useAppState } from "../../../state/hooks";
import { presentationActions } from "../../../state/presentations";
import styles from "./give.module.css";
import { presentationTitle } from "../../../state/typedPresentations";

/** Choice of a presentation. The last one has the focus. */
export function Choose(): ReactNode {
  const actions = useActions().get(presentationActions);
  const presentations = useAppState(({ live }) => live.presentations);
  const left = useAppState(({ view }) => view.left);
  const last = useAppState(({ view }) => view.lastGiven);
  const first = (presentations.find(({ id }) => id === last) ?? presentations[0])?.id;
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector<HTMLElement>("[data-next]")?.focus();
  }, []);
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
