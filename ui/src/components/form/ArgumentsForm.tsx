import { useDeferredValue, useState } from "react";
import {
  argumentsSchema,
  dropUnreadableText,
  fromText,
  syntaxProblem,
  toText,
  type FormDocument,
} from "../../schema/document";
import { planField } from "../../schema/planner";
import { printNode } from "../../schema/print";
import type { Problem } from "../../schema/problems";
import { Button } from "../Button";
import { Callout } from "../Callout";
import { TabPanel, Tabs } from "../Tabs";
import { FormContext } from "./context";
import { showsProblems } from "./FieldBody";
import { FormProvider } from "./FormProvider";
import { JsonEditor } from "./JsonEditor";
import { Preview } from "./Preview";
import { Problems } from "./Problems";
import { RootFields } from "./RootFields";

export type FormMode = "form" | "json";

export interface ArgumentsFormProps {
  readonly value: FormDocument;
  /** `removed` says what was lost by a change that is more than typing: what can be undone. */
  readonly onChange: (next: FormDocument, removed?: string) => void;
  /** The validator's findings about the text of `value`. */
  readonly problems?: readonly Problem[];
  readonly disabled?: boolean;
  /** Name of the values, if they are not the arguments of a tool. */
  readonly label?: string;
  /** Unique among the forms on the page. */
  readonly idPrefix: string;
}

const NONE: readonly Problem[] = [];
const VIEWS = [
  { value: "form", label: "Form" },
  { value: "json", label: "JSON" },
] as const;

/** A tool's arguments as a form and as JSON: two views of one document. */
export function ArgumentsForm(props: ArgumentsFormProps) {
  const { value: doc, onChange, problems = NONE, disabled = false, label = "Arguments", idPrefix } = props;
  const [chosen, setView] = useState<FormMode>("form");
  const schema = argumentsSchema(doc);
  const view = schema.ok ? chosen : "json";

  return (
    <FormProvider document={doc} onChange={onChange} disabled={disabled}>
      <div className="stack shrink" id={idPrefix}>
        {schema.ok ? (
          <Tabs label={label} value={view} onChange={setView} items={VIEWS} idPrefix={idPrefix} />
        ) : (
          <p className="note">
            {label} as JSON. {schema.reason}
          </p>
        )}
        {schema.ok ? (
          <>
            <TabPanel idPrefix={idPrefix} value="form" active={view}>
              <FormView
                doc={doc}
                problems={problems}
                label={label}
                idPrefix={idPrefix}
                onShowJson={() => setView("json")}
              />
            </TabPanel>
            <TabPanel idPrefix={idPrefix} value="json" active={view}>
              <JsonView doc={doc} problems={problems} label={label} idPrefix={idPrefix} disabled={disabled} />
            </TabPanel>
          </>
        ) : (
          <JsonView doc={doc} problems={problems} label={label} idPrefix={idPrefix} disabled={disabled} />
        )}
      </div>
    </FormProvider>
  );
}

interface ViewProps {
  readonly doc: FormDocument;
  readonly problems: readonly Problem[];
  readonly label: string;
  readonly idPrefix: string;
}

function FormView({ doc, problems, label, idPrefix, onShowJson }: ViewProps & { readonly onShowJson: () => void }) {
  const schema = argumentsSchema(doc);
  if (!schema.ok) return null;
  if (doc.problem) return <UnreadableText doc={doc} onShowJson={onShowJson} />;
  const plan = planField(doc.source, schema.schema, doc.root);
  const inside = showsProblems(doc.source, plan, doc.root);
  const bare = plan.kind === "object" && plan.properties.length === 0;
  return (
    <div className="stack gapS2 shrink padTopS2">
      {!inside && <Problems problems={problems} withPlace />}
      {bare && (
        <p className="note">{label === "Arguments" ? "No arguments are defined." : "The schema defines no fields."}</p>
      )}
      {plan.hints.length > 0 && <p className="note">{plan.hints.join(", ")}</p>}
      <RootFields
        document={doc}
        schema={schema.schema}
        name="arguments"
        label={label}
        idPrefix={idPrefix}
        problems={problems}
      />
      <Preview doc={doc} />
    </div>
  );
}

function UnreadableText({ doc, onShowJson }: { readonly doc: FormDocument; readonly onShowJson: () => void }) {
  const { problem } = doc;
  if (!problem) return null;
  return (
    <Callout
      level={problem.tooDeep ? "warning" : "error"}
      title={problem.tooDeep ? "Too deeply nested for the form" : "The JSON is not valid"}
      actions={
        <>
          <Button small onClick={onShowJson}>
            Show the JSON
          </Button>
          <DropText />
        </>
      }
    >
      Line {problem.line}, column {problem.column}: {problem.message}.
    </Callout>
  );
}

function DropText() {
  return (
    <FormContext.Consumer>
      {(form) => (
        <Button small kind="quiet" onClick={() => form?.apply(dropUnreadableText, "Invalid JSON discarded")}>
          Discard it and restore the last valid values
        </Button>
      )}
    </FormContext.Consumer>
  );
}

function JsonView({ doc, problems, label, idPrefix, disabled }: ViewProps & { readonly disabled: boolean }) {
  const read = useDeferredValue(doc);
  const syntax = syntaxProblem(read);
  const note = `${idPrefix}-json-note`;
  return (
    <div className="stack gapS2 shrink padTopS2">
      <FormContext.Consumer>
        {(form) => (
          <JsonEditor
            id={`${idPrefix}-json`}
            label={`${label} as JSON`}
            value={toText(doc)}
            onChange={(text) => form?.apply((latest) => fromText(latest, text))}
            readOnly={disabled}
            problem={syntax}
            describedBy={note}
          />
        )}
      </FormContext.Consumer>
      {!syntax && !read.problem && (
        <div>
          <FormContext.Consumer>
            {(form) => (
              <Button
                small
                disabled={disabled}
                onClick={() => form?.apply((latest) => fromText(latest, printNode(latest.root)))}
              >
                Format
              </Button>
            )}
          </FormContext.Consumer>
        </div>
      )}
      <div id={note} className="note">
        {syntax && (
          <p className="bad">
            Line {syntax.line}, column {syntax.column}: {syntax.message}.
          </p>
        )}
        <Problems problems={problems} withPlace />
      </div>
    </div>
  );
}
