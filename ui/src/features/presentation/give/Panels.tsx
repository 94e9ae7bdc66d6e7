import type { ReactNode } from "react";

import { Confirm, type ConfirmProps } from "../../../components/Confirm";
import { keysLabel } from "../../../lib/shortcuts";
import { useActions } from "../../../state/hooks";
import { presentationActions } from "../../../state/presentations";
import styles from "./give.module.css";

/** One or more keys and their effect in a presentation. */
export interface KeyWords {
  readonly title: string;
  readonly keys: readonly string[];
}

/** Lists the keys of a presentation in plain words. */
export function Keys({ keys }: { readonly keys: readonly KeyWords[] }): ReactNode {
  return (
    <section className={styles.panel} aria-label="Keys" tabIndex={0} data-focus="inset">
      <dl className={styles.keys}>
        {keys.map(({ title, keys: these }) => (
          <div key={title}>
            <dt>
              {these.map((each, index) => (
                <span key={each}>
                  {index > 0 && " or "}
                  <kbd>{keysLabel(each)}</kbd>
                </span>
              ))}
            </dt>
            <dd>{title}</dd>
          </div>
        ))}
      </dl>
      <p className="muted">In a field, the letters and arrows only type. Esc leaves the field, then closes this.</p>
    </section>
  );
}

/** A question above the presentation. Keeping things as they are closes it. */
export function Asked(props: Omit<ConfirmProps, "large" | "onKeep">): ReactNode {
  const { give } = useActions().get(presentationActions);
  return (
    <div className={styles.asked}>
      <Confirm {...props} large onKeep={() => give({ type: "open", what: null })} />
    </div>
  );
}

/** Asks for consent to leave after fields were filled in or steps were run. Nothing is lost. */
export function MayLeave(): ReactNode {
  const { leavePresentation } = useActions().get(presentationActions);
  return (
    <Asked label="Leave the presentation?" action="Leave" keep="Stay" first="action" onConfirm={leavePresentation}>
      Leave the presentation? Enter leaves, Esc stays. Press F5 in the main window to continue at this step.
    </Asked>
  );
}

/** Asks for consent to clear all inputs and runs. */
export function MayStartOver(): ReactNode {
  const { give } = useActions().get(presentationActions);
  return (
    <Asked label="Start over?" action="Yes, start over" keep="Go on here" onConfirm={() => give({ type: "over" })}>
      Start over? The first step is shown again, and all steps are as they were prepared.
    </Asked>
  );
}
