import { useEffect, type ReactNode } from "react";

import { CopyButton } from "../../components/CopyButton";
import { Marked } from "../../components/Marked";
import { TextArea, TextInput } from "../../components/TextInput";
import type { ServerId, TemplateVariable } from "../../ipc/bindings";
import { useActions, useBackend, useFetched, useServerUi } from "../../state/hooks";
import { ReadBar } from "./ReadBar";
import styles from "./resources.module.css";
import { Scroller } from "./Scroller";
import { templateInputs, type TemplateTexts } from "./templateInputs";

export interface TemplateFormProps {
  readonly server: ServerId;
  readonly template: string;
  readonly variables: readonly TemplateVariable[];
  /** What is offered below the field of a variable. */
  readonly below?: (variable: TemplateVariable) => ReactNode;
  /** What stands above the form and scrolls with it. */
  readonly children: ReactNode;
}

const NOTHING: TemplateTexts = {};

/** The variables of a resource template, and the URI that they make. */
export function TemplateForm({ server, template, variables, below, children }: TemplateFormProps): ReactNode {
  const actions = useActions();
  const backend = useBackend();
  const texts = useServerUi(server, (ui) => ui.templateValues[template] ?? NOTHING);
  const values = templateInputs(variables, texts);
  useEffect(() => void actions.openTemplate(server, template), [actions, server, template]);
  const key = JSON.stringify(values);
  const expanded = useFetched(template, key, () => backend.call("expand_template", { template, values }));
  const { uri = null, problem = null } = expanded.value ?? {};
  const why = problem === null ? "Fill in the template." : "These values make no URI.";
  return (
    <div className="stack fit">
      <Scroller>
        {children}
        <div className={styles.fields} data-form>
          {variables.map((variable) => {
            const field = {
              label: variable.name,
              value: texts[variable.name] ?? "",
              onChange: (text: string) => actions.setTemplateValue(server, template, variable.name, text),
              hint: hintOf(variable),
            };
            return (
              <div key={variable.name}>
                {variable.explode ? <TextArea rows={3} {...field} /> : <TextInput mono {...field} />}
                {below?.(variable)}
              </div>
            );
          })}
          {variables.length === 0 && <p className={styles.quiet}>This template has no variables.</p>}
          <div className={styles.preview} role="group" aria-label="Expanded URI">
            <span className={styles.previewName}>Expanded URI</span>
            {uri !== null && (
              <span className={styles.uri}>
                <code>
                  <Marked text={uri} />
                </code>
                <CopyButton compact label="Copy expanded URI" text={uri} />
              </span>
            )}
            {problem !== null && (
              <p className={styles.problem} role="status">
                These values make no URI: {problem}.
              </p>
            )}
          </div>
        </div>
      </Scroller>
      <ReadBar server={server} uri={uri === "" ? null : uri} why={why} />
    </div>
  );
}

function hintOf({ explode, prefix }: TemplateVariable): string | undefined {
  if (explode) return "One value on each line. Where each line is name=value, they are sent with their names.";
  return prefix === null ? undefined : `Only the first ${prefix} characters are used.`;
}
