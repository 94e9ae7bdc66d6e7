import { ExternalLink } from "lucide-react";
import { Fragment, type ReactNode } from "react";

import { Button } from "../../components/Button";
import { Code } from "../../components/Code";
import { Checkbox, Select, TextInput } from "../../components/Field";
import {
  DECLARATION_PRESETS,
  type Declaration,
  type ExtensionDeclaration,
  type HostFacts,
  type ProtocolMode,
  type RootFolder,
} from "../../ipc/bindings";
import { plainDeclaration } from "../../ipc/drafts";
import { prettyJson } from "../../schema/print";
import { declaredAs, isChanged, presetOf } from "../../state/declaration";
import { useActions } from "../../state/hooks";
import { useFetched } from "../../state/queries";
import { EditRows } from "./EditRows";
import { modeWords } from "./ProtocolFields";
import { fieldsOf, type ProblemOf } from "./serverDraft";
import styles from "./ServerForm.module.css";

interface DeclarationFieldsProps {
  readonly declaration: Declaration;
  /** Other settings that the preview depends on. */
  readonly roots: readonly RootFolder[];
  readonly protocol: ProtocolMode;
  readonly problemOf: ProblemOf;
  readonly onChange: (declaration: Declaration) => void;
  readonly onProtocol: (protocol: ProtocolMode) => void;
}

/** Client info and capabilities that Sonde declares to a server, with a preview of the messages. */
export function DeclarationFields(props: DeclarationFieldsProps): ReactNode {
  const { declaration, roots, protocol, problemOf, onChange, onProtocol } = props;
  const change = (next: Partial<Declaration>): void => onChange({ ...declaration, ...next });
  const fields = fieldsOf(declaration, { problemOf }, onChange);
  const preset = presetOf(declaration);
  const changed = isChanged(declaration);
  return (
    <div className="stack gap12">
      <div className={styles.pair}>
        <Select
          label="Declared as"
          value={declaration.preset}
          error={problemOf("preset")}
          items={[
            ...DECLARATION_PRESETS.map(({ id, name }) => ({
              value: id,
              label: id === declaration.preset ? declaredAs(declaration) : name,
            })),
            ...(preset ? [] : [{ value: declaration.preset, label: declaredAs(declaration) }]),
          ]}
          onChange={(id) => {
            const chosen = DECLARATION_PRESETS.find((each) => each.id === id);
            if (chosen) onChange(chosen.declaration);
          }}
        />
        <div className={styles.besideField}>
          <Button
            small
            disabled={!preset || !changed}
            onClick={() => {
              if (preset) onChange(preset.declaration);
            }}
          >
            Undo changes
          </Button>
        </div>
      </div>
      {preset?.host && <Host name={preset.name} facts={preset.host} protocol={protocol} onProtocol={onProtocol} />}
      <div className={styles.pair}>
        <TextInput label="Client name" placeholder="Sonde" {...fields.optional("name", "client_name")} mono={false} />
        <TextInput
          label="Client version"
          placeholder="Sonde’s version"
          {...fields.optional("version", "client_version")}
          mono={false}
        />
      </div>
      <Capabilities declaration={declaration} change={change} />
      <Extensions
        extensions={declaration.extensions}
        problemOf={problemOf}
        onChange={(extensions) => change({ extensions })}
      />
      <Preview declaration={declaration} roots={roots} protocol={protocol} />
    </div>
  );
}

interface HostProps extends Pick<DeclarationFieldsProps, "protocol" | "onProtocol"> {
  readonly name: string;
  readonly facts: HostFacts;
}

/** Facts about a host, and its parts that the preset omits. */
function Host({ name, facts, protocol, onProtocol }: HostProps): ReactNode {
  const { askToOpen } = useActions();
  const { oldest, newest, left_off, source, date } = facts;
  const versions = oldest === newest ? newest : `${oldest} to ${newest}`;
  const isNearest = JSON.stringify(protocol) === JSON.stringify(facts.protocol);
  return (
    <div className="stack gap12">
      <p className="note">
        {name} supports {versions}. Not declared here: {left_off.join(", ")}.
      </p>
      <div className="wrap gap8">
        <Button small disabled={isNearest} onClick={() => onProtocol(facts.protocol)}>
          {isNearest
            ? `Protocol mode is ${modeWords(facts.protocol)}`
            : `Set protocol mode to ${modeWords(facts.protocol)}`}
        </Button>
        <Button small kind="quiet" icon={ExternalLink} title={source} onClick={() => askToOpen(source, "hosts")}>
          Source of {date}
        </Button>
      </div>
    </div>
  );
}

interface CapabilitiesProps {
  readonly declaration: Declaration;
  readonly change: (next: Partial<Declaration>) => void;
}

/** Capabilities with parts, each with its texts. */
const CAPABILITIES = {
  roots: {
    label: "roots: folders that the server may work in",
    parts: {
      list_changed: "listChanged: Sonde notifies the server of changes, after a handshake",
      without_any: "Also without any roots, as an empty list",
    },
  },
  sampling: {
    label: "sampling: model responses, which you write",
    parts: {
      context: "context: includeContext in a request; Sonde has no context to include",
      tools: "tools: tools in a request",
    },
  },
  elicitation: {
    label: "elicitation: questions to you",
    parts: { form: "form: forms to fill in", url: "url: pages to open" },
  },
} satisfies Partial<Record<keyof Declaration, unknown>>;

/** Capabilities with their parts. The parts of a capability that is off stay in place. */
function Capabilities({ declaration, change }: CapabilitiesProps): ReactNode {
  const { sampling, elicitation } = declaration;
  const formOnly = elicitation !== null && !elicitation.form && !elicitation.url;
  return (
    <fieldset className={styles.group}>
      <legend>Capabilities</legend>
      {(Object.keys(CAPABILITIES) as (keyof typeof CAPABILITIES)[]).map((name) => {
        const declared: Readonly<Record<string, boolean>> | null = declaration[name];
        return (
          <Fragment key={name}>
            <Checkbox
              label={CAPABILITIES[name].label}
              checked={declared !== null}
              onChange={(on) => change({ [name]: on ? plainDeclaration[name] : null })}
            />
            <div className="stack gap4 padLeft20">
              {Object.entries(CAPABILITIES[name].parts).map(([part, label]) => (
                <Checkbox
                  key={part}
                  label={part === "form" && formOnly ? "form: the default if no mode is declared" : label}
                  disabled={declared === null}
                  checked={declared?.[part] ?? false}
                  onChange={(on) => declared && change({ [name]: { ...declared, [part]: on } })}
                />
              ))}
            </div>
          </Fragment>
        );
      })}
      <Checkbox
        label="tasks: sampling and elicitation as tasks, after a handshake (2025-11-25)"
        disabled={sampling === null && elicitation === null}
        checked={declaration.request_tasks}
        onChange={(request_tasks) => change({ request_tasks })}
      />
      <Checkbox
        label="io.modelcontextprotocol/tasks: tools may answer with a task (2026-07-28)"
        checked={declaration.tasks}
        onChange={(tasks) => change({ tasks })}
      />
    </fieldset>
  );
}

const BLANK: ExtensionDeclaration = { name: "", settings: "" };

interface ExtensionsProps {
  readonly extensions: readonly ExtensionDeclaration[];
  readonly problemOf: ProblemOf;
  readonly onChange: (extensions: ExtensionDeclaration[]) => void;
}

function Extensions({ extensions, problemOf, onChange }: ExtensionsProps): ReactNode {
  return (
    <fieldset className={styles.group}>
      <legend>Extensions</legend>
      <p className="note">
        Each has an identifier, and settings as a JSON object. Sonde only declares extensions; it does not implement
        them.
      </p>
      <EditRows
        entries={extensions}
        onChange={onChange}
        blank={BLANK}
        what="extension"
        name={({ name }, index) => (name === "" ? `extension ${index + 1}` : name)}
        className={styles.extension}
      >
        {(extension, index, set) => (
          <>
            <TextInput
              label={`Name of extension ${index + 1}`}
              hideLabel
              placeholder="com.example/name"
              {...fieldsOf(extension, { problemOf }, set, index).text("name", "extension_name")}
            />
            <TextInput
              label={`Settings of extension ${index + 1}`}
              hideLabel
              placeholder="{}"
              {...fieldsOf(extension, { problemOf }, set, index).text("settings", "extension_settings")}
            />
          </>
        )}
      </EditRows>
    </fieldset>
  );
}

/** Preview of the declaration as the backend would send it. */
function Preview({ declaration, roots, protocol }: Pick<DeclarationFieldsProps, "declaration" | "roots" | "protocol">) {
  const asked = { declaration, roots: [...roots], protocol };
  const preview = useFetched("declaration", JSON.stringify(asked), (backend) =>
    backend.call("preview_declaration", asked),
  );
  if (preview.state === "failed") return <p className="note">No preview: {preview.error.message}</p>;
  if (preview.state === "loading") return <p className="note">Preview…</p>;
  const { handshake, stateless } = preview.value;
  return (
    <>
      {handshake !== null && <Sent label="Sent in initialize" json={handshake} />}
      {stateless !== null && <Sent label="Sent in _meta of each stateless request" json={stateless} />}
    </>
  );
}

function Sent({ label, json }: { readonly label: string; readonly json: string }): ReactNode {
  return (
    <div className={styles.group}>
      <p className="medium">{label}</p>
      <Code label={label} text={prettyJson(json)} />
    </div>
  );
}
