import { useEffect, useRef, useState } from "react";

import { Button } from "../../components/Button";
import { Callout, ErrorCallout } from "../../components/Callout";
import { Disclosure } from "../../components/Disclosure";
import { TextArea } from "../../components/Field";
import { OpenFile } from "../../components/OpenFile";
import { Panel } from "../../components/Panel";
import { Prose } from "../../components/Prose";
import { Spinner } from "../../components/Spinner";
import { count } from "../../lib/format";
import { isTyping } from "../../lib/shortcuts";
import { readTextFile } from "../../lib/textFile";
import { useActions, useReadState } from "../../state/hooks";
import { preparingActions } from "../../state/preparing";
import { useFetched } from "../../state/queries";
import { Candidates, InstalledClients } from "./Candidates";
import { chosenOf, isUnnamed, type Choices } from "./choice";
import { ImportedPresentation } from "./ImportedPresentation";

/** Servers from a pasted text, or from the files of other clients, to be chosen before they are added. */
export function ImportPanel({ text: pasted, given }: { text: string; given: boolean }) {
  const actions = useActions();
  const read = useReadState();
  const [kept] = useState(() => {
    const form = read().view.importForm;
    return pasted === "" || form?.pasted === pasted ? form : null;
  });
  const [text, setText] = useState(kept?.text ?? pasted);
  const [unread, setUnread] = useState<string | null>(null);
  /** The text is being typed, so its field stays. */
  const [typed, setTyped] = useState(false);
  /** Secrets are hidden once recognized, but not while the user types. */
  const [hides, setHides] = useState(true);
  const [choices, setChoices] = useState<Choices>(kept?.choices ?? {});
  const [replacing, setReplacing] = useState(kept?.replacing ?? false);
  // Another panel may be opened over this one.
  useEffect(
    () => actions.setImportForm({ pasted, text, choices, replacing }),
    [actions, pasted, text, choices, replacing],
  );
  const [busy, setBusy] = useState(false);
  const empty = text.trim() === "";
  const preview = useFetched("import", text, async (backend) =>
    empty ? null : { of: text, ...(await backend.call("preview_import", { text })) },
  );
  const installed = useFetched("installed", String(empty), async (backend) =>
    empty ? backend.call("installed_configurations", {}) : [],
  );
  const current = empty ? null : (preview.value ?? null);
  const files = empty ? (installed.value ?? []) : [];
  const chosen = current ? chosenOf(current, choices["text"]) : [];
  const chosenFiles = files.flatMap(({ path, fingerprint, preview: found }) => {
    const of = found ? chosenOf(found, choices[path]) : [];
    return of.length === 0 ? [] : [{ path, fingerprint, chosen: of }];
  });
  const presentation = current?.presentation ?? null;
  const unnamed = isUnnamed(chosen) || chosenFiles.some(({ chosen: of }) => isUnnamed(of));
  const total = chosenFiles.reduce((sum, { chosen: of }) => sum + of.length, chosen.length);

  const change = (next: string, byTyping: boolean): void => {
    setText(next);
    setTyped(byTyping);
    setUnread(null);
    setChoices({});
    setReplacing(false);
  };
  const open = async (chosenFile: File): Promise<void> => {
    try {
      change(await readTextFile(chosenFile), false);
    } catch (thrown) {
      setUnread(String(thrown instanceof Error ? thrown.message : thrown));
    }
  };
  const add = async (connect: boolean): Promise<void> => {
    setBusy(true);
    let isAdded: boolean;
    if (presentation) {
      const replace = replacing ? presentation.same_title : null;
      isAdded = await actions.get(preparingActions).openImported(text, presentation.title, chosen, replace);
    } else {
      const added = await (empty ? actions.importInstalled(chosenFiles) : actions.importServers(text, chosen));
      isAdded = added.length > 0;
      if (connect) void actions.connectAll(added);
    }
    if (isAdded) actions.setImportForm(null);
    setBusy(false);
  };

  const canConnect = presentation === null && total > 0;
  // A user who pastes one server wants to use it: Enter adds and connects it.
  const isPlain =
    canConnect &&
    current !== null &&
    total === 1 &&
    given &&
    text === pasted &&
    current.candidates.length === 1 &&
    current.problems.length === 0;
  const confirm = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isPlain && !isTyping(document.activeElement)) confirm.current?.focus();
  }, [isPlain]);

  const secretless = current?.of === text ? current.masked : null;
  const masked = hides ? secretless : null;
  const box = useRef<HTMLTextAreaElement>(null);
  // Without a given text, the user types or pastes one here.
  useEffect(() => {
    if (!given) box.current?.focus();
  }, [given]);
  const field = (
    <>
      <TextArea
        ref={box}
        label="URL, command or configuration"
        value={masked ?? text}
        rows={empty ? 4 : 8}
        readOnly={masked !== null}
        placeholder={'https://example.com/mcp\nnpx -y @scope/server\nclaude mcp add …\n{ "mcpServers": … }'}
        hint="A URL, a command line, claude mcp add …, a link, server.json, the configuration of any client in JSON, TOML or YAML, or a presentation."
        onPaste={() => setHides(true)}
        onKeyDown={(event) => {
          // The field has the focus from the start: Escape leaves while it is empty.
          if (event.key === "Escape" && text === "") {
            event.preventDefault();
            actions.closePanel();
          }
          // A paste by key is handled by onPaste.
          if (masked === null && !event.ctrlKey && !event.metaKey) setHides(false);
        }}
        onChange={(next) => change(next, true)}
      />
      {secretless !== null && (
        <div>
          <Button
            small
            onClick={() => {
              setHides(!hides);
              if (hides) box.current?.focus();
            }}
          >
            {hides ? "Show secrets and edit" : "Hide secrets"}
          </Button>
        </div>
      )}
    </>
  );

  return (
    <Panel
      title={presentation ? "Import a presentation" : "Import servers"}
      lead="Nothing is started or added until you confirm."
      footer={
        <>
          {canConnect && (
            <Button ref={confirm} kind="primary" disabled={busy || unnamed} onClick={() => void add(true)}>
              Add and connect
            </Button>
          )}
          <Button
            kind={canConnect ? "plain" : "primary"}
            disabled={busy || unnamed || (total === 0 && !presentation)}
            onClick={() => void add(false)}
          >
            {presentation
              ? `Import the presentation${total === 0 ? "" : ` and ${count(total, "server", "servers")}`}`
              : total === 0
                ? "Add"
                : `Add ${count(total, "server", "servers")}`}
          </Button>
          <Button
            kind="quiet"
            onClick={() => {
              actions.setImportForm(null);
              actions.closePanel();
            }}
          >
            Cancel
          </Button>
        </>
      }
    >
      {/* People who open a presentation need not see its source. */}
      {presentation && !typed ? <Disclosure summary="The text of the file">{field}</Disclosure> : field}
      <div>
        <OpenFile small text="Open a file" label="Configuration file" onOpen={(chosenFile) => void open(chosenFile)} />
      </div>
      {unread !== null && <Callout level="error" role="alert" title={unread} />}
      {!empty && preview.state === "loading" && <Spinner label="Reading…" />}
      {!empty && preview.state === "failed" && <ErrorCallout role="alert" error={preview.error} />}
      {current && (
        <>
          <p className="muted" role="status">
            Recognized: <Prose text={current.recognized} />
          </p>
          {presentation && (
            <ImportedPresentation
              presentation={presentation}
              servers={current.candidates.map(({ config }) => config.name)}
              replacing={replacing}
              onReplace={setReplacing}
            />
          )}
          {presentation && (
            <p className="note">
              {current.candidates.some(({ duplicate_of }) => duplicate_of === null) &&
                "Sonde adds the servers with a check mark. "}
              Nothing is started until you connect.
            </p>
          )}
          <Candidates
            label={presentation ? "Servers that it needs" : "Recognized servers"}
            preview={current}
            choice={choices["text"]}
            onChoose={(next) => setChoices({ ...choices, text: next })}
          />
        </>
      )}
      {empty && installed.state === "loading" && <Spinner label="Looking for other clients…" />}
      {empty && installed.state === "failed" && <ErrorCallout role="alert" error={installed.error} />}
      {empty && installed.value && <InstalledClients files={files} choices={choices} onChoose={setChoices} />}
    </Panel>
  );
}
