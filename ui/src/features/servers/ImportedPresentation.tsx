import { Callout } from "../../components/Callout";
import { Marked } from "../../components/Marked";
import { Segmented } from "../../components/Segmented";
import { VisibleText } from "../../components/VisibleText";
import type { InputPreview, PresentationPreview, StepPreview } from "../../ipc/bindings";
import { count } from "../../lib/format";
import { own } from "../../lib/own";
import { visibleText } from "../../lib/visible";
import styles from "./ImportPanel.module.css";

interface ImportedPresentationProps {
  presentation: PresentationPreview;
  /** Names of the servers in the text. */
  servers: readonly string[];
  /** Replaces the presentation with the same title. */
  replacing: boolean;
  onReplace: (replacing: boolean) => void;
}

/** A presentation in a text: its steps, with their tools and all included values. */
export function ImportedPresentation({ presentation, servers, replacing, onReplace }: ImportedPresentationProps) {
  const { title, steps, same_title } = presentation;
  const missing = [...new Set(steps.map(({ server }) => server))].filter((server) => !servers.includes(server));
  return (
    <section className="stack box gap4 pad12" aria-label="Presentation">
      <div className="wrap gap4x8">
        <h2 className="heading">
          <VisibleText text={title} />
        </h2>
        <span className="note">{count(steps.length, "step", "steps")}</span>
      </div>
      {same_title !== null && (
        <div className="wrap gap4x12">
          <p id="same-title">You have a presentation with this title.</p>
          <Segmented
            labelledBy="same-title"
            value={replacing ? "replace" : "keep"}
            items={{ keep: "Keep both", replace: "Replace it" }}
            onChange={(value) => onReplace(value === "replace")}
          />
        </div>
      )}
      {missing.map((server) => (
        <Callout
          key={server}
          level="warning"
          title={
            <>
              The server <VisibleText text={server} /> is not in the file. Its steps cannot run until you choose another
              server for them.
            </>
          }
        />
      ))}
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          <Step key={`${index} ${step.title}`} step={step} />
        ))}
      </ol>
    </section>
  );
}

function Step({ step: { title, server, method, target, inputs, notes } }: { step: StepPreview }) {
  return (
    <li className={styles.step}>
      <strong>
        <VisibleText text={title} />
      </strong>
      <span className="note">
        {own(KINDS, method) ?? visibleText(method)} <VisibleText code oneLine text={target} /> of{" "}
        <VisibleText text={server} />
      </span>
      {inputs.map((input, index) => (
        <Input key={`${index} ${input.name}`} input={input} />
      ))}
      {notes.trim() !== "" && (
        <div className="marginTop4">
          <p>Speaker's notes</p>
          <p
            className={styles.notes}
            data-quoted
            tabIndex={0}
            role="group"
            aria-label={`Speaker's notes of ${visibleText(title)}`}
          >
            <Marked text={notes} lines />
          </p>
        </div>
      )}
    </li>
  );
}

/** A saved input with all its values, since they will be sent after the import. */
function Input({ input: { name, values } }: { input: InputPreview }) {
  return (
    <div className="marginTop4">
      <p>
        Prepared: <VisibleText text={name} />
      </p>
      {values.length === 0 ? (
        <p className="note">No values</p>
      ) : (
        <div className={styles.values} tabIndex={0} role="group" aria-label={`Values of ${visibleText(name)}`}>
          <dl>
            {values.map((value, index) => (
              <div key={`${index} ${value.name}`}>
                {value.name !== "" && (
                  <dt>
                    <VisibleText text={value.name} />
                  </dt>
                )}
                <dd>
                  <VisibleText code text={value.text} />
                </dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </div>
  );
}

const KINDS: Readonly<Record<string, string>> = {
  "tools/call": "Tool",
  "prompts/get": "Prompt",
  "resources/read": "Resource",
};
