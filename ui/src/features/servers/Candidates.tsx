import type { ReactNode } from "react";

import { Address } from "../../components/Address";
import { Callout } from "../../components/Callout";
import { Checkbox } from "../../components/Checkbox";
import { Prose } from "../../components/Prose";
import { VisibleText } from "../../components/VisibleText";
import type { ImportPreview, ServerDraft } from "../../ipc/bindings";
import styles from "./ImportPanel.module.css";

interface CandidatesProps {
  label: string;
  preview: ImportPreview;
  /** Those that were chosen or left out by hand. */
  turned: ReadonlySet<number> | undefined;
  onTurn: (turned: ReadonlySet<number>) => void;
}

/** The servers of one text, to choose from, and what of it was not understood. */
export function Candidates({ label, preview, turned, onTurn }: CandidatesProps) {
  const chosen = new Set(chosenOf(preview, turned));
  return (
    <>
      {preview.problems.map((problem) => (
        <Callout key={problem} level="warning" title={<Prose text={problem} />} />
      ))}
      {preview.candidates.length > 0 && (
        <ul className={styles.candidates} aria-label={label}>
          {preview.candidates.map((candidate, index) => (
            <li key={`${index} ${candidate.draft.name}`} className={styles.candidate}>
              <Checkbox
                label={
                  <strong>
                    <VisibleText text={candidate.draft.name} />
                  </strong>
                }
                checked={chosen.has(index)}
                onChange={() => {
                  const next = new Set(turned);
                  if (!next.delete(index)) next.add(index);
                  onTurn(next);
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
    </>
  );
}

/** All are chosen to begin with but those that are there already; `turned` were turned over. */
export function chosenOf(preview: ImportPreview, turned: ReadonlySet<number> | undefined): number[] {
  return preview.candidates.flatMap(({ duplicate_of }, index) =>
    (duplicate_of === null) !== (turned?.has(index) ?? false) ? [index] : [],
  );
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
