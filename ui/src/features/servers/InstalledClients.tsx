import { Button } from "../../components/Button";
import { Prose } from "../../components/Prose";
import { Section } from "../../components/Section";
import { VisibleText } from "../../components/VisibleText";
import type { InstalledConfiguration } from "../../ipc/bindings";
import { count } from "../../lib/format";
import { Candidates, chosenOf } from "./Candidates";
import styles from "./ImportPanel.module.css";

/** What was chosen or left out by hand, of each file by its path. */
export type Turned = Readonly<Record<string, ReadonlySet<number>>>;

interface InstalledClientsProps {
  files: readonly InstalledConfiguration[];
  turned: Turned;
  onTurn: (turned: Turned) => void;
}

/** The servers of other clients on this computer. */
export function InstalledClients({ files, turned, onTurn }: InstalledClientsProps) {
  const found = files.reduce((sum, { preview }) => sum + (preview?.candidates.length ?? 0), 0);
  return (
    <Section title="Other clients on this computer">
      <p className="note" role="status">
        {files.length === 0
          ? "No configuration of another client was found."
          : `${count(found, "server", "servers")} in ${count(files.length, "file", "files")}. Sonde reads these files and changes none of them.`}
      </p>
      {files.map((file) => (
        <InstalledFile
          key={file.path}
          file={file}
          turned={turned[file.path]}
          onTurn={(next) => onTurn({ ...turned, [file.path]: next })}
        />
      ))}
    </Section>
  );
}

interface InstalledFileProps {
  file: InstalledConfiguration;
  turned: ReadonlySet<number> | undefined;
  onTurn: (turned: ReadonlySet<number>) => void;
}

function InstalledFile({ file: { client, path, preview, problem }, turned, onTurn }: InstalledFileProps) {
  const all = preview?.candidates.map((_, index) => index) ?? [];
  const chosen = preview ? chosenOf(preview, turned) : [];
  /** Chooses all or none, whatever is chosen now. */
  const choose = (wanted: boolean): void => {
    const next = new Set(turned);
    for (const index of all) {
      if (chosen.includes(index) !== wanted && !next.delete(index)) next.add(index);
    }
    onTurn(next);
  };
  return (
    <section className={styles.file} aria-label={client}>
      <div className={styles.client}>
        <h3>{client}</h3>
        {all.length > 1 && (
          <Button small kind="quiet" onClick={() => choose(chosen.length < all.length)}>
            {chosen.length < all.length ? "Select all" : "Select none"}
            <span className="visuallyHidden"> of {client}</span>
          </Button>
        )}
      </div>
      <p className={styles.path}>
        <VisibleText code text={path} />
      </p>
      {problem !== null && (
        <p className="note">
          <Prose text={problem} />
        </p>
      )}
      {preview && <Candidates label={`Servers of ${client}`} preview={preview} turned={turned} onTurn={onTurn} />}
    </section>
  );
}
