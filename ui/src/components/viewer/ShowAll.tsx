import { useState, type ReactNode } from "react";

import { Button } from "../Button";
import { DocumentViewer, type DocumentViewerProps } from "./DocumentViewer";

/** Returns true if the backend cut a text for display; the whole text is then a document. */
export function isCut(text: string): boolean {
  return text.endsWith("…");
}

export interface ShowAllProps extends DocumentViewerProps {
  /** Text shown initially; if it is complete, nothing is offered. */
  readonly text: string;
}

/** Offers the document behind a text that was cut for display. */
export function ShowAll({ text, ...viewer }: ShowAllProps): ReactNode {
  const [open, setOpen] = useState(false);
  if (!isCut(text)) return null;
  if (open) return <DocumentViewer {...viewer} />;
  return (
    <Button small onClick={() => setOpen(true)}>
      Show all
    </Button>
  );
}
