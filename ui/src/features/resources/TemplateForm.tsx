import { useCallback, useEffect, useMemo, type ReactNode } from "react";

import { CopiedText } from "../../components/CopiedText";
import { SuggestionContext, type SuggestionSource } from "../../components/form/suggestions";
import { useCompletions } from "../../components/form/useCompletions";
import { ReadForm } from "../../components/ReadForm";
import type { CompletionReference, ServerId, TemplateVariable } from "../../ipc/bindings";
import { own } from "../../lib/own";
import { draftActions } from "../../state/actions/drafts";
import { useActions, useReadState, useSliceValue } from "../../state/hooks";
import { useFetched } from "../../state/queries";
import { itemsSlice } from "../../state/slices/items";
import { sliceOf } from "../../state/slices/slice";
import { templateInputs, type TemplateTexts } from "./templateInputs";
import { ListInput, VariableInput } from "./VariableInput";

export interface TemplateFormProps {
  readonly server: ServerId;
  readonly template: string;
  readonly variables: readonly TemplateVariable[];
  /** Content above the form that scrolls with it. */
  readonly children: ReactNode;
}

const NOTHING: TemplateTexts = {};

/** Variables of a resource template, and the resulting URI. */
export function TemplateForm({ server, template, variables, children }: TemplateFormProps): ReactNode {
  const actions = useActions();
  const texts = useSliceValue(server, itemsSlice, (ui) => own(ui.templateValues, template) ?? NOTHING);
  const values = templateInputs(variables, texts);
  useEffect(() => void actions.get(draftActions).openTemplate(server, template), [actions, server, template]);
  const key = JSON.stringify(values);
  const expanded = useFetched(template, key, (backend) => backend.call("expand_template", { template, values }));
  const suggestions = useTemplateSuggestions(server, template, variables);
  const { uri = null, problem = null } = expanded.value ?? {};
  const read = useReadState();
  // The shown URI can be one keystroke old, so a read builds it again from the typed values.
  const uriNow = async (): Promise<string | null> => {
    const typed = own(sliceOf(read().view.perServer[server], itemsSlice).templateValues, template) ?? NOTHING;
    const now = { template, values: templateInputs(variables, typed) };
    const made = await actions.command("expand_template", now);
    return made?.uri || null;
  };
  const why = problem === null ? "Fill in the template." : "These values make no URI.";
  return (
    <ReadForm
      one="resource"
      server={server}
      uri={uri === "" ? null : uri}
      uriNow={uriNow}
      why={why}
      about={template}
      ledBy={{ type: "template", key: template }}
    >
      {children}
      <div className="stack gap12 shrink" data-form>
        <SuggestionContext value={suggestions}>
          {variables.map((variable) => {
            const field = {
              label: variable.name,
              value: own(texts, variable.name) ?? "",
              onChange: (text: string) =>
                actions.get(draftActions).setTemplateValue(server, template, variable.name, text),
              hint: hintOf(variable),
            };
            return variable.explode ? (
              <ListInput key={variable.name} {...field} />
            ) : (
              <VariableInput key={variable.name} {...field} />
            );
          })}
        </SuggestionContext>
        {variables.length === 0 && <p className="muted">This template has no variables.</p>}
        <div className="stack box gap2 pad8" role="group" aria-label="Expanded URI">
          <span className="note">Expanded URI</span>
          {uri !== null && <CopiedText label="Copy expanded URI" text={uri} />}
          {problem !== null && (
            <p className="bad" role="status">
              These values make no URI: {problem}.
            </p>
          )}
        </div>
      </div>
    </ReadForm>
  );
}

/** Returns completions for the variables of a template; `null` if the server offers none. */
function useTemplateSuggestions(
  server: ServerId,
  template: string,
  variables: readonly TemplateVariable[],
): SuggestionSource | null {
  const read = useReadState();
  const reference = useMemo<CompletionReference>(() => ({ type: "resource_template", uri: template }), [template]);
  const others = useCallback(
    (name: string) => {
      const texts = own(sliceOf(read().view.perServer[server], itemsSlice).templateValues, template) ?? NOTHING;
      return variables.flatMap(({ name: other, explode }) => {
        const value = own(texts, other) ?? "";
        return explode || other === name || value === "" ? [] : [{ name: other, value }];
      });
    },
    [read, server, template, variables],
  );
  return useCompletions(server, reference, others);
}

function hintOf({ explode, prefix }: TemplateVariable): string | undefined {
  if (explode) return "One value on each line. Where each line is name=value, they are sent with their names.";
  return prefix === null ? undefined : `Only the first ${prefix} characters are used.`;
}
