import { ChevronDown, ChevronUp, X } from "lucide-react";
import type { ReactNode, RefObject } from "react";

import { number } from "../../lib/format";
import { IconButton } from "../Button";
import type { DocumentSearchState } from "./useDocumentSearch";
import styles from "./viewer.module.css";

/** Limit of hits that the backend counts. */
const MOST_HITS = 10_000;

export interface DocumentSearchProps {
  readonly search: DocumentSearchState;
  readonly label: string;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  readonly onClose: () => void;
}

export function DocumentSearch({ search, label, inputRef, onClose }: DocumentSearchProps): ReactNode {
  return (
    <div className="bar gapS1 pad2xS1x2xS2" role="search" aria-label={`Search in ${label}`}>
      <input
        ref={inputRef}
        type="text"
        role="searchbox"
        className={styles.searchInput}
        aria-label={`Search in ${label}`}
        placeholder="Find"
        value={search.text}
        spellCheck={false}
        onChange={(event) => search.setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            event.stopPropagation();
            search.step(event.shiftKey ? -1 : 1);
          } else if (event.key === "Escape") {
            event.stopPropagation();
            onClose();
          }
        }}
      />
      <span className="note unbroken" role="status">
        {hitText(search)}
      </span>
      <IconButton
        small
        label="Previous match (Shift+Enter)"
        icon={ChevronUp}
        onClick={() => search.step(-1)}
        disabled={!search.hit}
      />
      <IconButton
        small
        label="Next match (Enter)"
        icon={ChevronDown}
        onClick={() => search.step(1)}
        disabled={!search.hit}
      />
      <IconButton small label="Close search" icon={X} onClick={onClose} />
    </div>
  );
}

function hitText(search: DocumentSearchState): string {
  if (search.text === "") return "";
  if (search.searching) return "Searching…";
  if (!search.hit) return "Not found";
  const total = search.hit.total >= MOST_HITS ? `${number(MOST_HITS)} or more` : number(search.hit.total);
  return `${number(search.hit.ordinal + 1)} of ${total}`;
}
