import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";

import type { PageSnapshot } from "../../components/rows/rowPages";
import type { LogFilter, LogRow, LogViewState, ServerId } from "../../ipc/bindings";
import { useActions, useBackend, useLogView } from "../../state/hooks";
import { newCount, type Follow } from "./follow";
import { WireSession, type WireState } from "./wireSession";

const TYPING_MS = 180;

export interface LogSession {
  readonly session: WireSession;
  readonly wire: WireState;
  readonly log: LogViewState | undefined;
  readonly pages: PageSnapshot<LogRow>;
  /** Changes the filter before the next rendering does, for a caller that looks for an entry right after it. */
  readonly filterNow: (filter: LogFilter) => void;
}

/** Opens a view on a server's log with this filter, for the lifetime of the component. */
export function useLogSession(server: ServerId, filter: LogFilter): LogSession {
  const backend = useBackend();
  const actions = useActions();
  const [session] = useState(() => new WireSession(backend, actions, server));
  const wire = useSyncExternalStore(session.subscribe, session.state);
  const log = useLogView(wire.view);
  const pages = useSyncExternalStore(session.pages.subscribe, session.pages.snapshot);
  const filterKey = JSON.stringify(filter);
  const sent = useRef(filterKey);

  useEffect(() => {
    session.open(JSON.parse(sent.current) as LogFilter);
    return () => session.close();
  }, [session]);
  useEffect(() => {
    const previous = JSON.parse(sent.current) as LogFilter;
    const next = JSON.parse(filterKey) as LogFilter;
    if (sent.current === filterKey) return undefined;
    const send = (): void => {
      sent.current = filterKey;
      session.filter(next);
    };
    if (previous.text === next.text) {
      send();
      return undefined;
    }
    const timer = setTimeout(send, TYPING_MS);
    return () => clearTimeout(timer);
  }, [session, filterKey]);
  useLayoutEffect(() => {
    if (log) session.sync(log);
  }, [session, log]);

  const filterNow = (next: LogFilter): void => {
    sent.current = JSON.stringify(next);
    session.filter(next);
  };
  return { session, wire, log, pages, filterNow };
}

/** Sequence number of the newest entry, for {@link follow}. */
export function seenBy(log: LogViewState | undefined): number {
  return log?.last ?? 0;
}

/** Number of rows added since the user left the end of the list. */
export function useNewRows(session: WireSession, log: LogViewState | undefined, state: Follow): number {
  const { mark } = state;
  const [found, setFound] = useState({ mark, rows: 0 });
  const isBehind = newCount(state, seenBy(log)) > 0;
  useEffect(() => {
    if (!isBehind) return;
    session.rowsAfter(mark).then(
      (rows) => setFound({ mark, rows }),
      () => undefined,
    );
  }, [session, isBehind, mark, log?.epoch, log?.rows]);
  return isBehind && found.mark === mark ? found.rows : 0;
}
