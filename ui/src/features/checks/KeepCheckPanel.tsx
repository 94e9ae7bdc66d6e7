import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";

import { Button } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { Code } from "../../components/Code";
import { Empty } from "../../components/Empty";
import { Checkbox, Select, TextArea, TextInput } from "../../components/Field";
import { Panel } from "../../components/Panel";
import { Segmented } from "../../components/Segmented";
import type { CheckDraft, CheckedResult, OperationNumber, ServerId } from "../../ipc/bindings";
import { duration } from "../../lib/format";
import { useLater } from "../../lib/useLater";
import { visibleText } from "../../lib/visible";
import { checkActions } from "../../state/actions/checks";
import { useActions, useChecks, useOperation, useServer, useSlice, useSliceValue } from "../../state/hooks";
import { useFetched } from "../../state/queries";
import { checksSlice, withDraft } from "../../state/slices/checks";
import styles from "./checks.module.css";
import { factorsOf, OUTCOMES, pathsOf } from "./draftWords";

/** Default file of new checks. */
const OWN_FILE = "checks.sonde.yaml";

/** Makes a check of a run: its name, its expectations, and a preview of the file's text. */
export function KeepCheckPanel({ operation }: { readonly operation: OperationNumber }): ReactNode {
  const server = useOperation(operation)?.server ?? null;
  const draft = useSliceValue(server ?? "", checksSlice, ({ drafts }) => drafts[operation]);
  if (server === null) {
    return (
      <Panel title="Keep as a check">
        <Empty title="The run was deleted" />
      </Panel>
    );
  }
  return draft ? <KeepForm server={server} draft={draft} /> : null;
}

interface KeepFormProps {
  readonly server: ServerId;
  readonly draft: CheckDraft;
}

function KeepForm({ server, draft }: KeepFormProps): ReactNode {
  const actions = useActions();
  const name = useServer(server)?.config.name ?? "";
  const [ui, setUi] = useSlice(server, checksSlice);
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  // Loads the existing files.
  useFetched(server, "", (backend) => backend.call("open_checks", { server }));
  const shown = useLater(draft);
  const preview = useFetched(`${draft.operation}`, JSON.stringify(shown), (backend) =>
    backend.call("preview_check", { draft: shown }),
  );
  useEffect(() => form.current?.querySelector("input")?.select(), []);
  const change = (to: Partial<CheckDraft>): void => setUi(withDraft(ui, draft.operation, { ...draft, ...to }));
  const named = draft.name.trim() !== "";
  const keep = async (): Promise<void> => {
    if (!named) return;
    setBusy(true);
    if (!(await actions.get(checkActions).keep(server, { ...draft, name: draft.name.trim() }))) setBusy(false);
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void keep();
  };
  const discard = (): void => {
    actions.closePanel();
    setUi(withDraft(ui, draft.operation, null));
  };
  return (
    <form ref={form} className="tall" onSubmit={onSubmit} noValidate>
      <Panel
        title="Keep as a check"
        lead={`Sends the same request to ${visibleText(name)} again and compares the new result with this one.`}
        footer={
          <>
            <Button type="submit" kind="primary" disabled={busy || !named}>
              Keep
            </Button>
            <Button kind="quiet" onClick={discard}>
              Cancel
            </Button>
          </>
        }
      >
        <TextInput
          label="Name"
          value={draft.name}
          maxLength={200}
          error={named ? undefined : "A check needs a name."}
          onChange={(to) => change({ name: to })}
        />
        <fieldset className={styles.conditions}>
          <legend className="medium">Passes if</legend>
          <div className="wrap gapS2">
            <span id="check-outcome">The outcome is</span>
            <Segmented
              labelledBy="check-outcome"
              value={draft.outcome}
              items={OUTCOMES}
              onChange={(outcome) => change({ outcome })}
            />
          </div>
          <Result draft={draft} onChange={(result) => change({ result })} />
          <Checkbox
            label="The structured content matches the output schema"
            disabled={!draft.has_schema}
            checked={draft.schema}
            onChange={(schema) => change({ schema })}
          />
          <Checkbox
            label="The messages of the run have no issues"
            checked={draft.no_findings}
            onChange={(to) => change({ no_findings: to })}
          />
          <Duration draft={draft} onChange={(to) => change({ duration_factor: to })} />
        </fieldset>
        <File server={server} draft={draft} onChange={(file) => change({ file })} />
        {preview.state === "failed" && <Callout level="error" role="alert" title={preview.error.message} />}
        {preview.value !== undefined && (
          <section className="stack gap4" aria-label="Preview">
            <p className="medium">Written into the file</p>
            <Code label="Check as text" text={preview.value} />
          </section>
        )}
      </Panel>
    </form>
  );
}

interface ResultProps {
  readonly draft: CheckDraft;
  readonly onChange: (result: CheckedResult) => void;
}

function Result({ draft, onChange }: ResultProps): ReactNode {
  const { result, can_contain: canContain } = draft;
  /** Typed texts of each choice, so that none is lost by choosing another one. */
  const [typed, setTyped] = useState(() => ({
    ignore: result.type === "same" ? result.ignore.join("\n") : "",
    text: result.type === "contains" ? result.text : "",
  }));
  const take = (type: CheckedResult["type"], now = typed): void => {
    setTyped(now);
    if (type === "same") onChange({ type, ignore: pathsOf(now.ignore) });
    else if (type === "contains") onChange({ type, text: now.text });
    else onChange({ type });
  };
  return (
    <div className="stack gapS2">
      <div className="wrap gapS2">
        <span id="check-result">The result</span>
        <Segmented
          labelledBy="check-result"
          value={result.type}
          items={{ same: "is the same", contains: "contains a text", not_checked: "is not checked" }}
          disabled={canContain ? [] : ["contains"]}
          onChange={(type) => take(type)}
        />
      </div>
      {result.type === "same" && (
        <TextArea
          label="Except these paths"
          hint="A JSON Pointer in each line, such as /structuredContent/generatedAt. A * stands for any key or index."
          rows={3}
          value={typed.ignore}
          onChange={(ignore) => take("same", { ...typed, ignore })}
        />
      )}
      {result.type === "contains" && (
        <TextArea label="Text" rows={2} value={typed.text} onChange={(text) => take("contains", { ...typed, text })} />
      )}
    </div>
  );
}

interface DurationProps {
  readonly draft: CheckDraft;
  readonly onChange: (factor: number | null) => void;
}

function Duration({ draft, onChange }: DurationProps): ReactNode {
  const { duration_factor: factor, duration: took } = draft;
  if (took === null) return null;
  return (
    <Select
      label="Duration"
      value={factor === null ? "" : `${factor}`}
      items={[
        { value: "", label: "Not checked" },
        ...factorsOf(factor).map((each) => ({
          value: `${each}`,
          label: `At most ${each} times as long (${duration(took * each)})`,
        })),
      ]}
      onChange={(value) => onChange(value === "" ? null : Number(value))}
    />
  );
}

interface FileProps extends KeepFormProps {
  readonly onChange: (file: string | null) => void;
}

function File({ server, draft, onChange }: FileProps): ReactNode {
  const checks = useChecks(server);
  const files = (checks?.suites ?? []).filter(({ problems }) => problems.length === 0).map(({ file }) => file);
  const others = files.filter((file) => file !== OWN_FILE);
  return (
    <Select
      label="File"
      hint={checks && `In ${checks.folder}`}
      value={draft.file ?? ""}
      items={[
        { value: "", label: files.includes(OWN_FILE) ? OWN_FILE : `${OWN_FILE} (new)` },
        ...others.map((file) => ({ value: file, label: visibleText(file) })),
      ]}
      onChange={(value) => onChange(value === "" ? null : value)}
    />
  );
}
