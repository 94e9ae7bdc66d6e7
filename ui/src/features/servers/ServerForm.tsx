import { useEffect, useRef, useState, type FormEvent } from "react";

import { Button } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { Disclosure } from "../../components/Disclosure";
import { useChecked } from "../../components/form/useProblems";
import { Checkbox, TextInput } from "../../components/Field";
import { Panel } from "../../components/Panel";
import { Segmented } from "../../components/Segmented";
import type { ServerConfig, ServerField, ServerId, Transport } from "../../ipc/bindings";
import { plainNetwork, plainRules, address } from "../../ipc/drafts";
import { visibleText } from "../../lib/visible";
import { isPlain } from "../../state/declaration";
import { useActions, useAppState, useIsReady, useReadState, useServer } from "../../state/hooks";
import { DeclarationFields } from "./DeclarationFields";
import { NetworkFields } from "./NetworkFields";
import { NumberInput } from "./NumberInput";
import { PasteText } from "./PasteText";
import { PathInput } from "./PathInput";
import { ModeFields, KindField } from "./ProtocolFields";
import { RequestRuleRows } from "./RequestRuleRows";
import { RootRows } from "./RootRows";
import {
  asksForInputs,
  inputProblem,
  isSocket,
  named,
  nameFor,
  newDraft,
  secretWords,
  type ProblemOf,
  type Reveal,
} from "./serverDraft";
import styles from "./ServerForm.module.css";
import { SignIn } from "./SignInFields";
import { SplitCommand } from "./SplitCommand";
import { ArgumentRows, NamedRows } from "./ValueRows";

const none: readonly string[] = [];
const networkFields: readonly ServerField[] = [
  "proxy_url",
  "proxy_user",
  "ca_file",
  "certificate",
  "certificate_key",
  "connect_seconds",
  "stream_idle_seconds",
];
const declarationFields: readonly ServerField[] = [
  "preset",
  "client_name",
  "client_version",
  "extension_name",
  "extension_settings",
];

const limitFields = ["idle_seconds", "hard_seconds", "stream_attempts"] as const;

/** Adds a server (`null`) or edits one. Typed text stays until it is saved or discarded. */
export function ServerForm({ server }: { server: ServerId | null }) {
  const key = server ?? "new";
  const readState = useReadState();
  const view = useServer(server ?? "");
  const typed = useAppState((state) => state.view.serverForms[key]);
  const connected = useIsReady(server ?? "");
  const actions = useActions();
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  /** Fields whose text is not a number; they show that themselves. */
  const [broken, setBroken] = useState<readonly string[]>([]);
  const inputs = view?.missing_inputs ?? none;
  /** Counter of the attempts to save that failed because of a field. */
  const [refusals, setRefusals] = useState(inputs.length > 0 ? 1 : 0);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refusals === 0) return;
    const field = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    field?.focus({ preventScroll: true });
    // Leaves room for the message below the field.
    field?.scrollIntoView({ block: "center" });
  }, [refusals]);

  const draft = typed ?? view?.config ?? newDraft;
  const change = (next: Partial<ServerConfig>): void => actions.setServerForm(key, { ...draft, ...next });
  const markBroken = (field: string, isBroken: boolean): void => {
    setBroken((known) => [...known.filter((other) => other !== field), ...(isBroken ? [field] : [])]);
  };
  const withName = (unnamed: ServerConfig): ServerConfig => {
    const others = Object.values(readState().live.servers).filter((other) => other.id !== server);
    return named(
      unnamed,
      others.map((other) => other.config.name),
    );
  };
  const { problems, check } = useChecked(draft, async (unchecked) => ({
    problems: (await actions.command("check_server", { server, draft: withName(unchecked) })) ?? [],
    unchecked: null,
  }));
  const problemOf: ProblemOf = (field, row) =>
    problems.find((problem) => problem.field === field && problem.row === (row ?? null))?.message;
  const reveal: Reveal = (fields) => (problems.some(({ field }) => fields.includes(field)) ? refusals : 0);
  const save = async (connect: boolean): Promise<void> => {
    if (busy) return;
    setBusy(true);
    const found = await check();
    if (found.length > 0 || broken.length > 0 || (connect && asksForInputs(draft, inputs))) {
      setTried(true);
      setRefusals(refusals + 1);
    } else {
      const saved = await actions.saveServer(server, withName(draft));
      if (saved !== undefined && connect) await (connected ? actions.restart(saved) : actions.connect(saved));
    }
    setBusy(false);
  };
  const limit = (field: (typeof limitFields)[number], label: string, hint: string, most?: number) => (
    <NumberInput
      label={label}
      hint={hint}
      most={most}
      value={draft[field]}
      error={problemOf(field)}
      onBroken={(isBroken) => markBroken(`limit ${field}`, isBroken)}
      onChange={(value) => change({ [field]: value })}
    />
  );
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    // A new server is connected after saving.
    void save(server === null);
  };

  const http = draft.transport.type === "http" ? draft.transport : null;
  const savedHttp = view?.config.transport.type === "http" ? view.config.transport : undefined;

  return (
    <form ref={form} className="tall" onSubmit={onSubmit} noValidate>
      <Panel
        title={server === null ? "Add a server" : `Edit ${visibleText(view?.config.name ?? "server")}`}
        footer={
          <>
            {server === null ? (
              <>
                <Button type="submit" kind="primary" disabled={busy}>
                  Save and connect
                </Button>
                <Button kind="quiet" disabled={busy} onClick={() => void save(false)}>
                  Save
                </Button>
              </>
            ) : (
              <>
                <Button type="submit" kind="primary" disabled={busy}>
                  Save
                </Button>
                <Button disabled={busy} onClick={() => void save(true)}>
                  {!connected ? "Save and connect" : http ? "Save and reconnect" : "Save and restart"}
                </Button>
              </>
            )}
            <Button kind="quiet" onClick={() => actions.discardServerForm(server)}>
              {typed ? "Discard" : "Cancel"}
            </Button>
            {tried && (problems.length > 0 || broken.length > 0) && (
              <p className="bad small" role="status">
                Not saved: see the fields with errors.
              </p>
            )}
          </>
        }
      >
        {view && view.unsaved_secrets.length > 0 && (
          <Callout
            level="warning"
            title="Some secrets are in memory only."
            actions={
              <Button small onClick={() => actions.openPanel({ type: "settings", at: "secrets" })}>
                Stored secrets
              </Button>
            }
          >
            The keyring did not accept {view.unsaved_secrets.map(secretWords).join(", ")}. They are lost when Sonde
            quits; once the keyring is unlocked, retry in the settings.
          </Callout>
        )}
        {asksForInputs(draft, inputs) && (
          <Callout level="warning" title="Values are missing.">
            The imported configuration expects them from prompts or environment variables. Enter them here to connect.
          </Callout>
        )}
        {connected && <Callout level="info">The open connection keeps the old settings until you reconnect.</Callout>}
        {server === null && <PasteText />}
        <div>
          <Kind
            transport={draft.transport}
            onChange={(transport) => change({ transport })}
            allowDemo={view?.config.transport.type === "demo"}
          />
        </div>
        <TextInput
          label="Name"
          value={draft.name}
          error={problemOf("name")}
          placeholder={nameFor(draft.transport) || "My server"}
          onChange={(name) => change({ name })}
        />
        <TransportFields
          transport={draft.transport}
          problemOf={problemOf}
          inputs={inputs}
          onChange={(transport) => change({ transport })}
          onSplit={(words) => actions.splitCommand(key, draft, words)}
        />
        {http && (
          <SignIn
            auth={http.auth}
            saved={savedHttp?.auth}
            problemOf={problemOf}
            reveal={reveal}
            onBroken={markBroken}
            onChange={(auth) => change({ transport: { ...http, auth } })}
          />
        )}
        <ModeFields mode={draft.protocol} problemOf={problemOf} onChange={(protocol) => change({ protocol })} />
        {http && (
          <Disclosure
            summary="Network"
            open={JSON.stringify(http.network) !== JSON.stringify(plainNetwork)}
            reveal={reveal(networkFields)}
          >
            <NetworkFields
              network={http.network}
              saved={savedHttp?.network}
              problemOf={problemOf}
              onBroken={markBroken}
              onChange={(network) => change({ transport: { ...http, network } })}
            />
          </Disclosure>
        )}
        <Disclosure summary="Roots" open={draft.roots.length > 0} reveal={reveal(["root_folder", "root_name"])}>
          <div className="stack gap12">
            <p className="note">
              Folders that the server may work in. Sonde declares roots only if there are any, so the first one takes
              effect with the next connect. Later changes take effect at once; after a handshake, Sonde notifies the
              server.
            </p>
            <RootRows roots={draft.roots} problemOf={problemOf} onChange={(roots) => change({ roots })} />
          </div>
        </Disclosure>
        <Disclosure
          summary="Rules for server requests"
          open={JSON.stringify(draft.request_rules) !== JSON.stringify(plainRules)}
          reveal={reveal(["request_rules"])}
        >
          <div className="stack gap12">
            <p className="note">
              Sonde answers server requests for you, at once or after a delay. If a saved answer was deleted or does not
              match the form, Sonde asks you. Changes take effect at once.
            </p>
            <RequestRuleRows
              server={server}
              rules={draft.request_rules}
              onChange={(request_rules) => change({ request_rules })}
              onBroken={markBroken}
            />
            {problemOf("request_rules") !== undefined && <p className="bad small">{problemOf("request_rules")}</p>}
          </div>
        </Disclosure>
        <Disclosure summary="Client capabilities" open={!isPlain(draft.declaration)} reveal={reveal(declarationFields)}>
          <div className="stack gap12">
            <p className="note">
              What Sonde declares to the server. A request for an undeclared capability is an issue, and after a
              handshake Sonde refuses it. Changes take effect with the next connect.
            </p>
            <DeclarationFields
              declaration={draft.declaration}
              roots={draft.roots}
              protocol={draft.protocol}
              problemOf={problemOf}
              onChange={(declaration) => change({ declaration })}
              onProtocol={(protocol) => change({ protocol })}
            />
          </div>
        </Disclosure>
        <Disclosure
          summary="Timeouts and limits"
          open={limitFields.some((field) => draft[field] !== null)}
          reveal={reveal(limitFields)}
        >
          <div className="stack gap12">
            <div className={styles.pair}>
              {limit("idle_seconds", "Idle timeout (seconds)", "Without progress from the server. Default: 60.")}
              {limit("hard_seconds", "Max timeout (seconds)", "For the whole run. Default: 1,800.")}
            </div>
            <div className={styles.pair}>
              {limit("stream_attempts", "Stream reconnect attempts", "In a row, before giving up. Default: 5.", 1000)}
            </div>
          </div>
        </Disclosure>
      </Panel>
    </form>
  );
}

interface KindProps {
  transport: Transport;
  onChange: (transport: Transport) => void;
  allowDemo: boolean;
}

/** Choice of the server type. Fields typed for a type are restored when it is chosen again. */
function Kind({ transport, onChange, allowDemo }: KindProps) {
  const [others, setOthers] = useState<Partial<Record<Transport["type"], Transport>>>({});
  const empty: Record<Transport["type"], Transport> = {
    stdio: newDraft.transport,
    http: address(""),
    demo: { type: "demo", http: false },
  };
  return (
    <Segmented
      label="Server type"
      value={transport.type}
      onChange={(type) => {
        setOthers({ ...others, [transport.type]: transport });
        onChange(others[type] ?? empty[type]);
      }}
      items={{
        stdio: "Local command (stdio)",
        http: "URL (HTTP)",
        ...(allowDemo && { demo: "Built-in demo" }),
      }}
    />
  );
}

interface TransportFieldsProps {
  transport: Transport;
  problemOf: ProblemOf;
  /** Inputs that an imported configuration leaves to the user, as placeholders. */
  inputs: readonly string[];
  onChange: (transport: Transport) => void;
  /** Replaces the command by these words: the program, and arguments before the existing ones. */
  onSplit: (words: readonly string[]) => void;
}

function TransportFields({ transport, problemOf, inputs, onChange, onSplit }: TransportFieldsProps) {
  switch (transport.type) {
    case "stdio":
      return (
        <>
          <PathInput
            label="Command"
            choose="file"
            value={transport.command}
            placeholder="npx, uvx, python3, /usr/local/bin/my-server"
            error={problemOf("command") ?? inputProblem(transport.command, inputs)}
            onChange={(command) => onChange({ ...transport, command })}
          />
          <SplitCommand command={transport.command} onSplit={onSplit} />
          <fieldset className={styles.group}>
            <legend>Arguments</legend>
            <p className="note">One per field, passed to the command exactly as written, without a shell.</p>
            <ArgumentRows
              args={transport.args}
              inputs={inputs}
              problemOf={problemOf}
              onChange={(args) => onChange({ ...transport, args })}
            />
          </fieldset>
          <fieldset className={styles.group}>
            <legend>Environment</legend>
            <p className="note">
              Added to a few safe variables from your environment. Secrets are stored in the system’s keyring; you can
              reveal them until the command runs for the first time.
            </p>
            <NamedRows
              what="variable"
              entries={transport.env}
              inputs={inputs}
              problemOf={problemOf}
              onChange={(env) => onChange({ ...transport, env })}
            />
          </fieldset>
          <PathInput
            label="Working directory"
            choose="folder"
            value={transport.cwd ?? ""}
            placeholder="your home folder"
            error={problemOf("cwd") ?? inputProblem(transport.cwd ?? "", inputs)}
            onChange={(cwd) => onChange({ ...transport, cwd: cwd === "" ? null : cwd })}
          />
        </>
      );
    case "http":
      return (
        <>
          <TextInput
            label="URL"
            mono
            value={transport.url}
            placeholder="https://example.com/mcp"
            error={problemOf("url") ?? inputProblem(transport.url, inputs)}
            onChange={(url) => onChange({ ...transport, url })}
          />
          <KindField
            kind={transport.kind}
            socket={isSocket(transport.url)}
            onChange={(kind) => onChange({ ...transport, kind })}
          />
          <fieldset className={styles.group}>
            <legend>Headers</legend>
            <p className="note">
              Sent with every request. Mark keys and tokens as secret to store them in the system’s keyring.
            </p>
            <NamedRows
              what="header"
              entries={transport.headers}
              inputs={inputs}
              problemOf={problemOf}
              onChange={(headers) => onChange({ ...transport, headers })}
            />
          </fieldset>
        </>
      );
    case "demo":
      return (
        <Checkbox
          label="Use HTTP on this computer instead of stdio"
          checked={transport.http}
          onChange={(http) => onChange({ ...transport, http })}
        />
      );
  }
}
