import { VisibleText } from "../../components/VisibleText";
import type { PresentationPreview } from "../../ipc/bindings";
import { count } from "../../lib/format";
import { visibleText } from "../../lib/visible";
import styles from "./ImportPanel.module.css";

/** A presentation of a text: its steps, with their tools and saved inputs. */
export function ImportedPresentation({ presentation }: { presentation: PresentationPreview }) {
  const { title, steps } = presentation;
  return (
    <section className={styles.presentation} aria-label="Presentation">
      <div className={styles.presentationHead}>
        <h2 className="heading">
          <VisibleText text={title} />
        </h2>
        <span className="note">{count(steps.length, "step", "steps")}</span>
      </div>
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          <li key={`${index} ${step.title}`} className={styles.step}>
            <strong>
              <VisibleText text={step.title} />
            </strong>
            <span className="note">
              {visibleText(step.server)} · <code>{visibleText(step.target)}</code>
            </span>
            {step.inputs.length > 0 && (
              <span className="note">Saved inputs: {step.inputs.map((name) => visibleText(name)).join(", ")}</span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
