import { useEffect, useState, useSyncExternalStore } from "react";

import type { DocumentMode, DocumentSource } from "../../ipc/bindings";
import { useBackend } from "../../state/hooks";
import { DocumentSession, type DocumentState } from "./documentSession";

/** Names a source: equal text, equal document. */
export function sourceKey(source: DocumentSource): string {
  return JSON.stringify(source);
}

/**
 * Keeps a document open while the component is there. The source is the one of the first rendering:
 * give the component the source's key.
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
  // Apart from the one above, since another mode or width is not another document; after it, since
  // closing comes last.
  useEffect(() => () => session.close(), [session]);

  const state = useSyncExternalStore(session.subscribe, session.state);
  return { session, state };
}
