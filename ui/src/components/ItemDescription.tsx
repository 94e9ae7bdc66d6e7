import { useState, type ReactNode } from "react";

import type { DocumentSource } from "../ipc/bindings";
import { cx } from "../lib/cx";
import { Button } from "./Button";
import styles from "./ItemHeader.module.css";
import { Markdown } from "./markdown/Markdown";
import { ShowAll } from "./viewer/ShowAll";

export interface ItemDescriptionProps {
  /** Markdown by convention. */
  readonly text: string | null;
  /** Source of the whole definition. */
  readonly definition: DocumentSource;
}

/** Description of an item by its server. A long one is cut at first, so that the form stays visible. */
export function ItemDescription({ text, definition }: ItemDescriptionProps): ReactNode {
  if (text === null || text.trim() === "") return <p className="muted">No description.</p>;
  return (
    <>
      <Description text={text} />
      <ShowAll text={text} label="Definition" source={definition} />
    </>
  );
}

function Description({ text }: { text: string }) {
  const long = text.length > 200 || text.trim().split("\n").length > 3;
  const [whole, setWhole] = useState(false);
  return (
    <div>
      {/* A focused link must be visible. */}
      <div className={cx(long && !whole && styles.cut)} onFocus={() => setWhole(true)}>
        <Markdown text={text} />
      </div>
      {long && (
        <Button small kind="quiet" className={styles.more} aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? "Show less" : "Show full description"}
        </Button>
      )}
    </div>
  );
}
