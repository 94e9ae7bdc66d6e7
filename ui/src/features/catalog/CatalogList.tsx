import { Ban, Bell, BellDot, BellOff, RefreshCw, TriangleAlert } from "lucide-react";
import { memo, useEffect, useState, useSyncExternalStore } from "react";
import { useStore } from "zustand";

import { Badge } from "../../components/Badge";
import { Button } from "../../components/Button";
import { Callout, ErrorCallout } from "../../components/Callout";
import { Empty } from "../../components/Empty";
import { FindingsCallout } from "../../components/Findings";
import { Found } from "../../components/Found";
import { Freshness } from "../../components/Freshness";
import { kindWords } from "../../components/kindWords";
import { Marked } from "../../components/Marked";
import { PaneButtons } from "../../components/PaneButtons";
import { rowFacts } from "../../components/resourceFacts";
import { rowAt } from "../../components/rows/rowPages";
import { VirtualList } from "../../components/rows/VirtualList";
import { SearchField } from "../../components/SearchField";
import { Spinner } from "../../components/Spinner";
import { claims } from "../../components/toolClaims";
import type { CatalogKind, CatalogRow, CatalogView, DiffView, ServerId } from "../../ipc/bindings";
import { count, number } from "../../lib/format";
import { itemName } from "../../lib/itemName";
import { wordsOf } from "../../lib/matching";
import { plainMarkdown } from "../../lib/plainMarkdown";
import {
  useActions,
  useApp,
  useAppState,
  useBackend,
  useCatalog,
  useIsReady,
  useIssueCounts,
  useReadState,
  useResourceSubscription,
  useSlice,
} from "../../state/hooks";
import { sliceOf, type Slice } from "../../state/slices/slice";
import { focusMark, focusNames, subjectMark } from "../../state/view";
import styles from "./CatalogList.module.css";
import { CatalogSession, type CatalogState } from "./catalogSession";

const ROW = 46;

export interface CatalogListProps {
  readonly server: ServerId;
  readonly kind: CatalogKind;
  /** Key of the selected item. */
  readonly selected: string | null;
  readonly onSelect: (key: string) => void;
  /** Called for Enter or a double click on an item, after the item is selected. */
  readonly onActivate: (key: string) => void;
}

type PerKind<T> = Readonly<Partial<Record<CatalogKind, T>>>;

const catalogSlice: Slice<{
  /** Search text of each list. */
  readonly search: PerKind<string>;
  /** Time of the dismissed difference of each list. */
  readonly seenDiff: PerKind<number>;
}> = { name: "catalog", initial: { search: {}, seenDiff: {} } };

/**
 * Search and list of a server's items. Rows have equal height and are fetched as they become visible. The state belongs
 * to one server and kind: use them as the key.
 */
export function CatalogList({ server, kind, selected, onSelect, onActivate }: CatalogListProps) {
  const backend = useBackend();
  const actions = useActions();
  const view = useCatalog(server, kind);
  const { toasts } = useApp();
  const [ui, setUi] = useSlice(server, catalogSlice);
  const search = ui.search[kind] ?? "";
  const seenDiff = ui.seenDiff[kind] ?? 0;
  const [session] = useState(() => new CatalogSession(backend, server, kind));
  const list = useStore(session.store);
  const pages = useSyncExternalStore(session.pages.subscribe, session.pages.snapshot);
  const words = kindWords[kind];

  // Select first, as a new list arrives with the index of the selected item.
  useEffect(() => session.select(selected), [session, selected]);
  const revision = view?.revision;
  useEffect(() => {
    if (revision !== undefined) session.show(revision, search);
  }, [session, revision, search]);
  const { tools, resources, prompts, skills, muted_rules: muted } = useIssueCounts(server);
  const marks = [tools, resources, prompts, skills, ...muted].join(" ");
  useEffect(() => session.mark(marks), [session, marks]);

  const total = list.total;
  const readState = useReadState();
  const dismiss = (at: number): void => {
    const seen = (until: number): void => {
      const now = sliceOf(readState().view.perServer[server], catalogSlice);
      setUi({ seenDiff: { ...now.seenDiff, [kind]: until } });
    };
    seen(at);
    toasts.offerUndo("Changes to the list dismissed", { undo: () => seen(seenDiff) });
  };
  const diff = view?.diff && view.diff.at !== seenDiff && changes(kind, view.diff) !== "" ? view.diff : null;
  const choose = async (index: number, then: (key: string) => void): Promise<void> => {
    const key = await actions.attempt(session.selectAt(index), server);
    if (key !== undefined && key !== null) then(key);
  };
  const activate = (key: string): void => {
    onSelect(key);
    onActivate(key);
  };
  /** Waits for the typed search, so that keys in the search field never act on an older list. */
  const chooseFrom = async (place: (list: CatalogState) => number, then: (key: string) => void): Promise<void> => {
    const now = await session.settled();
    if (now.total > 0) await choose(Math.min(now.total - 1, Math.max(0, place(now))), then);
  };

  return (
    <div className="fill sized">
      <div className={styles.search} {...focusMark(focusNames.search)}>
        <SearchField
          label={`Search ${words.many}`}
          placeholder={`Search ${words.many} (/)`}
          value={search}
          hits={search.trim() === "" ? undefined : `${number(total)} of ${number(view?.count ?? 0)}`}
          onChange={(text) => setUi({ search: { ...ui.search, [kind]: text } })}
          onKeyDown={(event) => {
            if (event.key === "ArrowDown" || event.key === "ArrowUp") {
              event.preventDefault();
              const by = event.key === "ArrowDown" ? 1 : -1;
              void chooseFrom((now) => (now.selected ?? -1) + by, onSelect);
            } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
              event.preventDefault();
              void chooseFrom((now) => now.selected ?? 0, activate);
            }
          }}
        />
        <PaneButtons server={server} pane="list" label={`${words.one} list`} />
      </div>
      {diff && (
        <div className={styles.notice}>
          <Callout level="info" role="status" onDismiss={() => dismiss(diff.at)}>
            <p>{changes(kind, diff)}</p>
            {diff.removed.count > 0 && <p className="muted">Removed: {diff.removed.names.join(", ")}</p>}
          </Callout>
        </div>
      )}
      {view && <ListProblems view={view} />}
      {list.error && <ErrorCallout error={list.error} role="status" />}
      <div className="fit">
        {total > 0 ? (
          <VirtualList
            label={words.title}
            count={total}
            rowHeight={ROW}
            selected={list.selected}
            onSelect={(index) => void choose(index, onSelect)}
            onActivate={(index) => void choose(index, activate)}
            scrollTo={list.selected === null ? undefined : { index: list.selected, token: list.shown }}
            onRange={session.pages.show}
            render={(index) => {
              const row = rowAt(pages, index);
              return row ? (
                <Row server={server} kind={kind} row={row} marked={diff !== null} search={list.search} />
              ) : null;
            }}
          />
        ) : (
          <NoItems server={server} kind={kind} view={view} list={list} />
        )}
      </div>
      {view && view.reading !== null && view.reading > 0 && (
        <div className={styles.reading}>
          <Spinner />
          <span className="ellipsis">{count(view.reading, words.one, words.many)} so far, reading more</span>
          <Button small onClick={() => void actions.command("stop_catalog", { server, kind })}>
            Stop
          </Button>
        </div>
      )}
      {view && view.reading === null && view.freshness !== null && (
        <Freshness
          className="ellipsis note rigid unbroken lineAbove onSide pad4x12"
          says={view.freshness}
          until={view.fresh_until}
          fresh="."
          stale="The cached list has expired; it is read again the next time you open this tab."
        />
      )}
    </div>
  );
}

const MARKS = { added: "New", changed: "Changed" } as const;

interface RowProps extends Pick<CatalogListProps, "server" | "kind"> {
  readonly row: CatalogRow;
  readonly marked: boolean;
  /** Search text that found the rows; its words are highlighted. */
  readonly search: string;
}

const Row = memo(function Row({ server, kind, row, marked, search }: RowProps) {
  const words = wordsOf(search);
  // Only unusual claims are marked.
  const claim = claims(row).find(({ tone }) => tone === "warn");
  return (
    <div
      className="stack tall lineBelow centered pad0x12"
      {...subjectMark({ type: "item", server, kind, key: row.key })}
    >
      <div className="row gap8 shrink">
        <span className={styles.name} data-tip={itemName(row)}>
          <Found text={itemName(row)} words={words} />
        </span>
        {row.forbidden !== null && <Ban size={13} role="img" aria-label="Must not be called" className="rigid warn" />}
        {row.issues > 0 && (
          <TriangleAlert
            size={13}
            role="img"
            aria-label={count(row.issues, "issue", "issues")}
            className="rigid warn"
          />
        )}
        {marked && row.change !== null && <Badge tone="info">{MARKS[row.change]}</Badge>}
        {kind === "resources" && row.resource && <SubscriptionMark server={server} uri={row.resource.uri} />}
        {row.resource?.mime_type && <span className="ellipsis note unbroken shrinks">{row.resource.mime_type}</span>}
        {claim && (
          <span className={styles.claim}>
            <claim.icon size={12} aria-hidden />
            <span className={styles.claimWord}>{claim.label}</span>
          </span>
        )}
      </div>
      {row.resource ? (
        <div className="row note gap8 shrink unbroken">
          <span className={styles.uri}>
            <Marked text={row.resource.uri} />
          </span>
          <span className="ellipsis shrinks">{rowFacts(row.resource).join(" · ")}</span>
        </div>
      ) : (
        <div className="ellipsis note unbroken">
          <Found text={row.summary === "" ? row.name : plainMarkdown(row.summary)} words={words} />
        </div>
      )}
    </div>
  );
});

/** Marks a resource as subscribed, and as updated since it was last read. */
function SubscriptionMark({ server, uri }: { readonly server: ServerId; readonly uri: string }) {
  const { subscription } = useResourceSubscription(server, uri);
  if (!subscription) return null;
  const failed = subscription.state.type === "failed";
  const Icon = failed ? BellOff : subscription.unread ? BellDot : Bell;
  return (
    <span className={subscription.unread ? styles.updated : "inlineRow rigid muted"}>
      <Icon
        size={13}
        role="img"
        aria-label={failed ? "Subscription failed" : "Subscribed"}
        className={failed ? "rigid warn" : undefined}
      />
      {subscription.unread && <span className={styles.updatedWord}>Updated</span>}
    </span>
  );
}

function ListProblems({ view }: { view: CatalogView }) {
  const { server, kind } = view;
  const actions = useActions();
  const ready = useIsReady(server);
  if (view.error === null && view.findings.length === 0) return null;
  const more = view.finding_count - view.findings.length;
  return (
    <div className={styles.notice}>
      {view.error !== null && (
        <Callout
          level="error"
          actions={
            <Button
              small
              icon={RefreshCw}
              disabled={!ready || view.reading !== null}
              onClick={() => void actions.command("refresh_catalog", { server, kind })}
            >
              Read again
            </Button>
          }
        >
          <p>{view.error}</p>
        </Callout>
      )}
      <FindingsCallout
        title="The list does not follow the specification"
        findings={view.findings}
        at={{ server, subject: `list ${kind}` }}
      />
      {more > 0 && <p>{count(more, "more issue", "more issues")}.</p>}
    </div>
  );
}

interface NoItemsProps extends Pick<CatalogListProps, "server" | "kind"> {
  readonly view: CatalogView | undefined;
  readonly list: CatalogState;
}

function NoItems({ server, kind, view, list }: NoItemsProps) {
  const { title, one, many } = kindWords[kind];
  const phase = useAppState((state) => state.live.sessions[server]?.phase ?? "idle");
  if (view && view.count > 0) {
    // The first rows are being loaded.
    if (list.search.trim() === "") return null;
    return (
      <Empty title="No match">
        No {one}’s name, title or summary contains “{list.search.trim()}”.
      </Empty>
    );
  }
  if ((view?.revision ?? 0) === 0 && (phase === "idle" || phase === "failed")) {
    return <Empty title={title}>Connect to see the server’s {many}.</Empty>;
  }
  // A list shown for the first time is being requested.
  const isAsked = view?.supported === true && view.revision === 0 && view.error === null && phase === "ready";
  if (!view || view.reading !== null || isAsked) {
    return <Empty title={title} waits={`Loading ${many}…`} />;
  }
  // The error above explains the empty list.
  if (view.error !== null) return null;
  return (
    <Empty title={`No ${many}`}>
      {view.supported
        ? `The server’s ${one} list is empty.`
        : `The server did not declare the ${CAPABILITIES[kind]} capability.`}
    </Empty>
  );
}

/** The capability that a server declares for each kind. */
const CAPABILITIES: Readonly<Record<CatalogKind, string>> = {
  tools: "tools",
  resources: "resources",
  resource_templates: "resources",
  prompts: "prompts",
  skills: "io.modelcontextprotocol/skills",
};

/** Describes a difference: `2 tools added, 1 removed.`; empty without changes. */
function changes(kind: CatalogKind, diff: DiffView): string {
  const { one, many } = kindWords[kind];
  const parts: string[] = [];
  for (const [names, word] of [
    [diff.added, "added"],
    [diff.removed, "removed"],
    [diff.changed, "changed"],
  ] as const) {
    if (names.count === 0) continue;
    parts.push(parts.length === 0 ? `${count(names.count, one, many)} ${word}` : `${number(names.count)} ${word}`);
  }
  return parts.length === 0 ? "" : `${parts.join(", ")}.`;
}
