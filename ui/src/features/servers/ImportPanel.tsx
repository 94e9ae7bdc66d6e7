import { useState, type ReactNode } from "react";

import { Address } from "../../components/Address";
import { Button } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { Checkbox } from "../../components/Checkbox";
import { Panel } from "../../components/Panel";
import { Prose } from "../../components/Prose";
import { Spinner } from "../../components/Spinner";
import { TextArea } from "../../components/TextInput";
import { VisibleText } from "../../components/VisibleText";
import type { ImportCandidate, ServerDraft } from "../../ipc/bindings";
import { count } from "../../lib/format";
import { useActions, useBackend, useFetched } from "../../state/hooks";
import styles from "./ImportPanel.module.css";

/** Servers from the JSON of another client: seen and chosen before anything is added. */
export function ImportPanel({ text: pasted }: { text: string }) {
  const [text, setText] = useState(pasted);
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [busy, setBusy] = useState(false);
  const actions = useActions();
  const backend = useBackend();
  const empty = text.trim() === "";
  const preview = useFetched("import", text, async () =>
    empty ? { candidates: [], problems: [] } : backend.call("preview_import", { text }),
  );
  const current = preview.state === "failed" ? undefined : preview.value;
  const candidates = current?.candidates ?? [];
  const chosen = candidates.flatMap((candidate, index) => (isChosen(candidate, index, left) ? [index] : []));

  const add = async (): Promise<void> => {
    setBusy(true);
    await actions.importServers(text, chosen);
    setBusy(false);
  };

  return (
    <Panel
      title="Import servers"
      lead="Paste the configuration JSON of another MCP client. Nothing is started or added until you confirm."
      onClose={() => actions.closePanel()}
      footer={
        <>
          <Button kind="primary" disabled={busy || chosen.length === 0} onClick={() => void add()}>
            {chosen.length === 0 ? "Add" : `Add ${count(chosen.length, "server", "servers")}`}
          </Button>
          <Button kind="quiet" onClick={() => actions.closePanel()}>
            Cancel
          </Button>
        </>
      }
    >
      <TextArea
        label="Configuration JSON"
        value={text}
        rows={8}
        placeholder={'{ "mcpServers": { "files": { "command": "npx", "args": ["-y", "…"] } } }'}
        onChange={(next) => {
          setText(next);
          setLeft(new Set());
        }}
      />
      {!empty && preview.state === "loading" && !preview.value && <Spinner label="Reading…" />}
      {preview.state === "failed" && (
        <Callout level="error" role="alert" title={preview.error.message}>
          {preview.error.detail !== undefined && <p>{preview.error.detail}</p>}
        </Callout>
      )}
      {current?.problems.map((problem) => (
        <Callout key={problem} level="warning" title={<Prose text={problem} />} />
      ))}
      {candidates.length > 0 && (
        <ul className={styles.candidates} aria-label="Servers in this JSON">
          {candidates.map((candidate, index) => (
            <li key={`${index} ${candidate.draft.name}`} className={styles.candidate}>
              <Checkbox
                label={
                  <strong>
                    <VisibleText text={candidate.draft.name} />
                  </strong>
                }
                checked={isChosen(candidate, index, left)}
                onChange={() => {
                  const next = new Set(left);
                  if (!next.delete(index)) next.add(index);
                  setLeft(next);
                }}
              />
              <p className={styles.address}>{address(candidate.draft)}</p>
              {candidate.duplicate_of !== null && (
                <p className={styles.remark}>A server with the same command or URL already exists.</p>
              )}
              {candidate.remarks.map((remark) => (
                <p key={remark} className={styles.remark}>
                  <Prose text={remark} />
                </p>
              ))}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** All are chosen to begin with but those that are there already; `turned` were turned over. */
function isChosen(candidate: ImportCandidate, index: number, turned: ReadonlySet<number>): boolean {
  return (candidate.duplicate_of === null) !== turned.has(index);
}

function address({ transport }: ServerDraft): ReactNode {
  switch (transport.type) {
    case "stdio": {
      const env = transport.env.map(({ name, value }) => `${name}=${value.kind === "secret" ? "•••" : value.value}`);
      return <VisibleText code text={[...env, transport.command, ...transport.args].join(" ")} />;
    }
    case "http":
      return <Address address={transport.url} written />;
    case "demo":
      return "the built-in demo server";
  }
}
