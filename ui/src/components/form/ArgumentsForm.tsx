import { useState } from "react";

import { cut } from "../../lib/cut";
import { scrollable } from "../../lib/scrollable";
import { useLater } from "../../lib/useLater";
import {
  argumentsSchema,
  dropUnreadableText,
  fromText,
  isEmpty,
  syntaxProblem,
  toText,
  type FormDocument,
} from "../../schema/document";
import { planField } from "../../schema/planner";
import { printNode } from "../../schema/print";
import type { Problem } from "../../schema/problems";
import { Button } from "../Button";
import { Callout } from "../Callout";
import { CopyButton } from "../CopyButton";
import { TabPanel, Tabs } from "../Tabs";
import styles from "./ArgumentsForm.module.css";
import { useForm } from "./context";
import { showsProblems } from "./FieldBody";
import { FormProvider, RootFields, type RootFieldsProps } from "./FormProvider";
import { JsonEditor } from "./JsonEditor";
import { Problems } from "./Problems";

export interface ArgumentsFormProps {
  readonly value: FormDocument;
  /** `removed` names what a change other than typing discards, so that it can be undone. */
  readonly onChange: (next: FormDocument, removed?: string) => void;
  /** The validator's findings about the text of `value`. */
  readonly problems?: readonly Problem[];
  /** Name of the values, if they are not the arguments of a tool. */
  readonly label?: string;
  /** Unique on the page. */
  readonly idPrefix: string;
}

const NONE: readonly Problem[] = [];
const VIEWS = [
  { value: "form", label: "Form" },
  { value: "json", label: "JSON" },
] as const;

/** Edits a tool's arguments as a form and as JSON: two views of one document. */
export function ArgumentsForm(props: ArgumentsFormProps) {
  const { value: doc, onChange, problems = NONE, label = "Arguments", idPrefix } = props;
  const [chosen, setView] = useState<(typeof VIEWS)[number]["value"]>("form");
  const schema = argumentsSchema(doc);
  const view = schema.ok ? chosen : "json";
  const shown = { doc, problems, label, idPrefix };

  return (
    <FormProvider document={doc} onChange={onChange}>
      <div className="stack shrink" id={idPrefix}>
        {schema.ok ? (
          <>
            <Tabs label={label} value={view} onChange={setView} items={VIEWS} idPrefix={idPrefix} />
            <TabPanel idPrefix={idPrefix} value="form" active={view}>
              <FormView {...shown} schema={schema.schema} onShowJson={() => setView("json")} />
            </TabPanel>
            <TabPanel idPrefix={idPrefix} value="json" active={view}>
              <JsonView {...shown} />
            </TabPanel>
          </>
        ) : (
          <>
            <p className="note">
              {label} as JSON. {schema.reason}
            </p>
            <JsonView {...shown} />
          </>
        )}
      </div>
    </FormProvider>
  );
}

interface ViewProps extends Pick<RootFieldsProps, "problems" | "label" | "idPrefix"> {
  readonly doc: FormDocument;
}

interface FormViewProps extends ViewProps {
  readonly schema: RootFieldsProps["schema"];
  readonly onShowJson: () => void;
}

function FormView({ doc, problems, label, idPrefix, schema, onShowJson }: FormViewProps) {
  if (doc.problem) return <UnreadableText problem={doc.problem} onShowJson={onShowJson} />;
  const plan = planField(doc.source, schema, doc.root);
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
        schema={schema}
        name="arguments"
        label={label}
        idPrefix={idPrefix}
        problems={problems}
      />
      <Preview doc={doc} />
    </div>
  );
}

interface UnreadableTextProps extends Pick<FormViewProps, "onShowJson"> {
  readonly problem: NonNullable<FormDocument["problem"]>;
}

function UnreadableText({ problem, onShowJson }: UnreadableTextProps) {
  const { apply } = useForm();
  return (
    <Callout
      level={problem.tooDeep ? "warning" : "error"}
      title={problem.tooDeep ? "Too deeply nested for the form" : "The JSON is not valid"}
      actions={
        <>
          <Button small onClick={onShowJson}>
            Show the JSON
          </Button>
          <Button small kind="quiet" onClick={() => apply(dropUnreadableText, "Invalid JSON discarded")}>
            Discard it and restore the last valid values
          </Button>
        </>
      }
    >
      Line {problem.line}, column {problem.column}: {problem.message}.
    </Callout>
  );
}

function JsonView({ doc, problems, label, idPrefix }: ViewProps) {
  const { apply } = useForm();
  const read = useLater(doc);
  const syntax = syntaxProblem(read);
  const note = `${idPrefix}-json-note`;
  return (
    <div className="stack gapS2 shrink padTopS2">
      <JsonEditor
        id={`${idPrefix}-json`}
        label={`${label} as JSON`}
        value={toText(doc)}
        onChange={(text) => apply((latest) => fromText(latest, text))}
        problem={syntax}
        describedBy={note}
      />
      {!syntax && !read.problem && (
        <div>
          <Button small onClick={() => apply((latest) => fromText(latest, printNode(latest.root)))}>
            Format
          </Button>
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

/** Limit of characters shown; the JSON view shows all. */
const LONGEST_PREVIEW = 20_000;

/** The exact JSON that will be sent. Nothing is printed while the preview is closed. */
function Preview({ doc }: { readonly doc: FormDocument }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="padTopS2 lineAbove" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="note minHeight24">
        JSON preview{isEmpty(doc) && <span className="note"> · no arguments</span>}
      </summary>
      {open && <PreviewText doc={doc} />}
    </details>
  );
}

function PreviewText({ doc }: { readonly doc: FormDocument }) {
  const text = toText(useLater(doc));
  return (
    <div className="positioned shrink">
      <pre
        className="rounded asWritten maxHeight240 pad8 scrolls onCode breakable"
        {...scrollable("JSON that is sent", "region")}
      >
        {cut(text, LONGEST_PREVIEW)}
      </pre>
      <div className={styles.copy}>
        <CopyButton text={text} label="Copy JSON" compact />
      </div>
    </div>
  );
}
