import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { useStore } from "zustand";

import type { PageSnapshot } from "../../components/rows/rowPages";
import { useRowWindow, type RowList, type RowWindowOptions } from "../../components/rows/useRowWindow";
import type { LogFilter, LogRow, LogViewState, ServerId } from "../../ipc/bindings";
import { wireActions } from "../../state/actions/wire";
import { useActions, useBackend, useAppState } from "../../state/hooks";
import { follow, FOLLOWING, type Follow } from "./follow";
import { WireSession, type WireState } from "./wireSession";

const TYPING_MS = 180;

export interface LogList {
  readonly session: WireSession;
  readonly wire: WireState;
  readonly log: LogViewState | undefined;
  readonly pages: PageSnapshot<LogRow>;
  readonly list: RowList;
  /** Sequence number of the newest entry, regardless of the filter. */
  readonly seen: number;
  /** The list follows its end. */
  readonly follows: boolean;
  /** Number of rows added since the user left the end of the list. */
  readonly fresh: number;
  readonly setFollows: (on: boolean) => void;
  /** Changes the filter before the next rendering does, for callers that look for an entry right afterwards. */
  readonly filterNow: (filter: LogFilter) => void;
}

export interface LogListOptions extends Pick<RowWindowOptions, "rowHeight" | "inset"> {
  readonly following?: Follow;
}

/** Opens a view on a server's log with this filter, for the lifetime of the component. */
export function useLogList(server: ServerId, filter: LogFilter, options: LogListOptions): LogList {
  const backend = useBackend();
  const actions = useActions().get(wireActions);
  const [session] = useState(() => new WireSession(backend, actions, server));
  const wire = useStore(session.store);
  const log = useAppState(({ live }) => (wire.view === null ? undefined : live.logs[wire.view]));
  const pages = useSyncExternalStore(session.pages.subscribe, session.pages.snapshot);
  const filterKey = JSON.stringify(filter);
  const sent = useRef(filterKey);

  useEffect(() => {
    session.open(JSON.parse(sent.current) as LogFilter);
    return () => session.close();
  }, [session]);
  useEffect(() => {
    if (sent.current === filterKey) return undefined;
    const previous = JSON.parse(sent.current) as LogFilter;
    const next = JSON.parse(filterKey) as LogFilter;
    const send = (): void => {
      sent.current = filterKey;
      session.filter(next);
    };
    if (previous.text === next.text) return send();
    const timer = setTimeout(send, TYPING_MS);
    return () => clearTimeout(timer);
  }, [session, filterKey]);
  useLayoutEffect(() => {
    if (log) session.sync(log);
  }, [session, log]);

  const filterNow = (next: LogFilter): void => {
    const key = JSON.stringify(next);
    // Sent again, the filter would search again.
    if (sent.current === key) return;
    sent.current = key;
    session.filter(next);
  };

  const { following: initially = FOLLOWING, ...size } = options;
  const [following, setFollowing] = useState(initially);
  const seen = log?.last ?? 0;
  const setFollows = (on: boolean): void => setFollowing((state) => follow(state, on, seen));
  const list = useRowWindow(log?.rows ?? 0, {
    ...size,
    follow: following.on,
    dropped: log?.gone ?? 0,
    onUserScroll: setFollows,
    onRange: session.pages.show,
  });
  return {
    session,
    wire,
    log,
    pages,
    list,
    seen,
    follows: following.on,
    fresh: useNewRows(session, log, following),
    setFollows,
    filterNow,
  };
}

/** Number of rows added since the user left the end of the list. */
function useNewRows(session: WireSession, log: LogViewState | undefined, state: Follow): number {
  const { on, mark } = state;
  const [found, setFound] = useState({ mark, rows: 0 });
  const isBehind = !on && (log?.last ?? 0) > mark;
  useEffect(() => {
    if (!isBehind) return;
    session.rowsAfter(mark).then(
      (rows) => setFound({ mark, rows }),
      () => undefined,
    );
  }, [session, isBehind, mark, log?.epoch, log?.rows]);
  return isBehind && found.mark === mark ? found.rows : 0;
}
