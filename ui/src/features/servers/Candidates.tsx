import { Pencil } from "lucide-react";
import { useState, type ReactNode } from "react";

import { Address } from "../../components/Address";
import { Button, IconButton } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { Checkbox, TextInput } from "../../components/Field";
import { Sentence } from "../../components/Prose";
import { Section } from "../../components/Section";
import { VisibleText } from "../../components/VisibleText";
import type {
  ImportCandidate,
  ImportPreview,
  ServerConfig,
  Transport,
  InstalledConfiguration,
} from "../../ipc/bindings";
import { count } from "../../lib/format";
import { visibleText } from "../../lib/visible";
import { useAppState } from "../../state/hooks";
import type { ImportChoice } from "../../state/view";
import { chosenOf, nameOf, withName, withTurned, type Choices, withAll } from "./choice";
import styles from "./ImportPanel.module.css";

interface CandidatesProps {
  label: string;
  preview: ImportPreview;
  choice: ImportChoice | undefined;
  onChoose: (choice: ImportChoice) => void;
}

/** Servers found in a text, to be chosen and named, and the parts of the text that were not understood. */
export function Candidates({ label, preview, choice, onChoose }: CandidatesProps) {
  const servers = useAppState((state) => state.live.servers);
  const chosen = new Set(chosenOf(preview, choice).map(({ index }) => index));
  const name = (index: number): string => nameOf(preview, choice, index).trim();
  const isTaken = (index: number): boolean =>
    Object.values(servers).some(({ config }) => config.name === name(index)) ||
    [...chosen].some((other) => other !== index && name(other) === name(index));
  return (
    <>
      {preview.problems.map((problem) => (
        <Callout key={problem} level="warning" title={problem} />
      ))}
      {preview.candidates.length > 0 && (
        <ul className="box noBullets" aria-label={label}>
          {preview.candidates.map((candidate, index) => (
            <Candidate
              key={`${index} ${candidate.config.name}`}
              candidate={candidate}
              name={nameOf(preview, choice, index)}
              chosen={chosen.has(index)}
              taken={chosen.has(index) && isTaken(index)}
              ofPresentation={preview.presentation !== null}
              onTurn={() => onChoose(withTurned(choice, index))}
              onName={(next) => onChoose(withName(choice, index, next))}
            />
          ))}
        </ul>
      )}
    </>
  );
}

interface CandidateProps {
  candidate: ImportCandidate;
  /** Name of the server, as typed. */
  name: string;
  chosen: boolean;
  /** Another server has or would get this name. */
  taken: boolean;
  /** Steps of a presentation need this server. */
  ofPresentation: boolean;
  onTurn: () => void;
  onName: (name: string) => void;
}

function Candidate({ candidate, name, chosen, taken, ofPresentation, onTurn, onName }: CandidateProps) {
  const [naming, setNaming] = useState(false);
  const { config, duplicate_of, remarks } = candidate;
  const shown = name.trim() === "" ? config.name : name;
  const what = serverWords(duplicate_of !== null, chosen, ofPresentation);
  return (
    <li className="ruled pad8x12">
      <div className="row spread minHeight28">
        <Checkbox
          label={
            <strong>
              <VisibleText text={shown} />
            </strong>
          }
          checked={chosen}
          onChange={onTurn}
        />
        {chosen && !naming && (
          <IconButton
            small
            icon={Pencil}
            label={`Change the name of ${visibleText(shown)}`}
            onClick={() => setNaming(true)}
          />
        )}
      </div>
      {chosen && naming && (
        <div className={styles.naming}>
          <TextInput
            label="Name"
            value={name}
            maxLength={200}
            autoFocus
            error={name.trim() === "" ? "Enter a name." : undefined}
            onChange={onName}
          />
        </div>
      )}
      {ofPresentation && <p className="note padLeft20">{DOES[config.transport.type]}</p>}
      <p className="selectable monoFont padLeft20 monoSize">{address(config)}</p>
      {what !== null && (
        // Using the presentation's own server is expected.
        <p className={ofPresentation && duplicate_of !== null && !chosen ? "note padLeft20" : "warn small padLeft20"}>
          {what}
        </p>
      )}
      {taken && <p className="warn small padLeft20">Another server has this name as well.</p>}
      {remarks.map((remark) => (
        <Sentence key={remark} className="warn small padLeft20" text={remark} />
      ))}
    </li>
  );
}

/** Describes the effect on a server, unless its checkbox already shows it. */
function serverWords(known: boolean, chosen: boolean, ofPresentation: boolean): string | null {
  if (!ofPresentation) return known ? "A server with the same command or URL already exists." : null;
  if (known) return chosen ? "Already in your list; it will be added again." : "Already in your list; yours is used.";
  return chosen ? null : "Not added; its steps cannot run.";
}

const DOES: Readonly<Record<Transport["type"], string>> = {
  stdio: "Starts a program on this computer after you confirm it:",
  http: "Connects to:",
  demo: "Part of Sonde:",
};

function address({ transport }: ServerConfig): ReactNode {
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

interface InstalledClientsProps {
  files: readonly InstalledConfiguration[];
  choices: Choices;
  onChoose: (choices: Choices) => void;
}

/** Servers of other clients on this computer. */
export function InstalledClients({ files, choices, onChoose }: InstalledClientsProps) {
  const found = files.reduce((sum, { preview }) => sum + (preview?.candidates.length ?? 0), 0);
  return (
    <Section title="Other clients on this computer">
      <p className="note" role="status">
        {files.length === 0
          ? "No configurations of other clients were found."
          : `${count(found, "server", "servers")} in ${count(files.length, "file", "files")}. Sonde reads these files and changes none of them.`}
      </p>
      {files.map((file) => (
        <InstalledFile
          key={file.path}
          file={file}
          choice={choices[file.path]}
          onChoose={(next) => onChoose({ ...choices, [file.path]: next })}
        />
      ))}
    </Section>
  );
}

interface InstalledFileProps extends Pick<CandidatesProps, "choice" | "onChoose"> {
  file: InstalledConfiguration;
}

function InstalledFile({ file: { client, path, preview, problem }, choice, onChoose }: InstalledFileProps) {
  const all = preview?.candidates.length ?? 0;
  const areAll = preview !== null && chosenOf(preview, choice).length === all;
  return (
    <section className="grid gap8 marginTop16" aria-label={client}>
      <div className={styles.client}>
        <h3>{client}</h3>
        {preview && all > 1 && (
          <Button small kind="quiet" onClick={() => onChoose(withAll(preview, choice, !areAll))}>
            {areAll ? "Select none" : "Select all"}
            <span className="visuallyHidden"> of {client}</span>
          </Button>
        )}
      </div>
      <p className="selectable small">
        <VisibleText code text={path} />
      </p>
      {problem !== null && <Sentence className="note" text={problem} />}
      {preview && <Candidates label={`Servers of ${client}`} preview={preview} choice={choice} onChoose={onChoose} />}
    </section>
  );
}
