import { useEffect, useState, useSyncExternalStore } from "react";

import type { DocumentMode, DocumentSource } from "../../ipc/bindings";
import { useBackend } from "../../state/hooks";
import { DocumentSession, type DocumentState } from "./documentSession";

/** Identifies a source: equal keys mean the same document. */
export function sourceKey(source: DocumentSource): string {
  return JSON.stringify(source);
}

/**
 * Keeps a document open while the component is mounted. The source of the first rendering is used: give the component
 * the source's key.
 */
export function useDocument(
  source: DocumentSource,
  mode: DocumentMode,
  columns: number | null,
): { readonly session: DocumentSession; readonly state: DocumentState } {
  const backend = useBackend();
  const [session] = useState(() => new DocumentSession(backend, source));

  useEffect(() => {
    if (columns !== null) session.show(mode, columns);
  }, [session, mode, columns]);
  // Separate from the effect above, since another mode or width is the same document; after it, since closing comes
  // last.
  useEffect(() => () => session.close(), [session]);

  const state = useSyncExternalStore(session.subscribe, session.state);
  return { session, state };
}
