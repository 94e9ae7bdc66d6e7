import { Button } from "../../components/Button";
import { Prose } from "../../components/Prose";
import { Section } from "../../components/Section";
import { VisibleText } from "../../components/VisibleText";
import type { InstalledConfiguration } from "../../ipc/bindings";
import { count } from "../../lib/format";
import { Candidates } from "./Candidates";
import { chosenOf, withAll, type Choice, type Choices } from "./choice";
import styles from "./ImportPanel.module.css";

interface InstalledClientsProps {
  files: readonly InstalledConfiguration[];
  choices: Choices;
  onChoose: (choices: Choices) => void;
}

/** The servers of other clients on this computer. */
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

interface InstalledFileProps {
  file: InstalledConfiguration;
  choice: Choice | undefined;
  onChoose: (choice: Choice) => void;
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
      {problem !== null && (
        <p className="note">
          <Prose text={problem} />
        </p>
      )}
      {preview && <Candidates label={`Servers of ${client}`} preview={preview} choice={choice} onChoose={onChoose} />}
    </section>
  );
}
