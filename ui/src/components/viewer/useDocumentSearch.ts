import { useEffect, useState } from "react";

import type { DocumentMode, SearchHit } from "../../ipc/bindings";
import type { DocumentSession } from "./documentSession";

const TYPING_MS = 200;

export interface DocumentSearchState {
  readonly isOpen: boolean;
  readonly text: string;
  /** Text marked in the rows; empty before a search. */
  readonly needle: string;
  readonly hit: SearchHit | null;
  readonly searching: boolean;
  open(): void;
  close(): void;
  setText(text: string): void;
  /** Moves to the next or previous hit, and wraps around. */
  step(direction: 1 | -1): void;
}

/** Search within one document. `onHit` gets the row of each hit. */
export function useDocumentSearch(
  session: DocumentSession,
  mode: DocumentMode,
  onHit: (row: number) => void,
): DocumentSearchState {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [answer, setAnswer] = useState<{ text: string; mode: DocumentMode; hit: SearchHit | null } | null>(null);
  const wanted = isOpen ? text : "";
  const done = answer !== null && answer.text === wanted && answer.mode === mode;

  const find = (ordinal: number): void => {
    void session.search(wanted, ordinal).then((hit) => {
      setAnswer({ text: wanted, mode, hit });
      if (hit) onHit(hit.row);
    });
  };

  useEffect(() => {
    if (wanted === "") return undefined;
    const timer = setTimeout(() => find(0), TYPING_MS);
    return () => clearTimeout(timer);
    // `find` is new with every render and depends only on the listed values.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [session, wanted, mode]);

  return {
    isOpen,
    text,
    needle: done ? wanted : "",
    hit: done ? answer.hit : null,
    searching: wanted !== "" && !done,
    open: () => setOpen(true),
    close: () => setOpen(false),
    setText,
    step: (direction) => {
      if (wanted === "") return;
      const hit = done ? answer.hit : null;
      find(hit && hit.total > 0 ? (hit.ordinal + direction + hit.total) % hit.total : 0);
    },
  };
}
