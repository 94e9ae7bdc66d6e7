import { Ban, RefreshCw, TriangleAlert } from "lucide-react";
import { memo, useEffect, useRef } from "react";

import { Badge } from "../../components/Badge";
import { Button } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { Empty } from "../../components/Empty";
import { FindingsCallout } from "../../components/Findings";
import { SearchField } from "../../components/SearchField";
import { Spinner } from "../../components/Spinner";
import { VirtualList } from "../../components/rows/VirtualList";
import type { DiffView, ServerId, ToolListView, ToolSummary } from "../../ipc/bindings";
import { count, number } from "../../lib/format";
import { modifier } from "../../lib/shortcuts";
import { useActions, useAppState, useBackend, useIsReady, useServerUi, useToolList } from "../../state/hooks";
import { claims } from "./badges";
import { searchTools } from "./search";
import styles from "./ToolList.module.css";

const ROW = 46;

/** Search and list. Rows have one height, so that ten thousand of them scroll like ten. */
export function ToolList({ server, selected }: { server: ServerId; selected: string | null }) {
  const list = useToolList(server);
  const search = useServerUi(server, (ui) => ui.search);
  const seenDiff = useServerUi(server, (ui) => ui.seenDiff);
  const focus = useAppState((state) => state.view.searchFocus);
  const actions = useActions();
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (!focus) return;
    input.current?.focus();
    input.current?.select();
    actions.searchFocused();
  }, [focus, actions]);

  const tools = list?.tools ?? [];
  const found = searchTools(tools, search);
  const selectedIndex = found.findIndex((index) => tools[index]?.key === selected);
  const diff = list?.diff && list.diff.at !== seenDiff && changes(list.diff) !== "" ? list.diff : null;
  const select = (place: number): void => {
    const tool = tools[found[place] ?? -1];
    if (tool) actions.selectTool(server, tool.key);
  };
  const activate = (place: number): void => {
    const tool = tools[found[place] ?? -1];
    if (!tool) return;
    actions.selectTool(server, tool.key);
    actions.focusForm(server, tool.key);
  };

  return (
    <div className={styles.pane}>
      <div className={styles.search}>
        <SearchField
          label="Search tools"
          placeholder={`Search tools (${modifier}+K)`}
          value={search}
          inputRef={input}
          hits={search.trim() === "" ? undefined : `${number(found.length)} of ${number(tools.length)}`}
          onChange={(text) => actions.setSearch(server, text)}
          onKeyDown={(event) => {
            if (event.key === "ArrowDown" || event.key === "ArrowUp") {
              event.preventDefault();
              const by = event.key === "ArrowDown" ? 1 : -1;
              select(Math.min(found.length - 1, Math.max(0, selectedIndex + by)));
            } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
              event.preventDefault();
              activate(Math.max(0, selectedIndex));
            }
          }}
        />
      </div>
      {diff && (
        <div className={styles.notice}>
          <Callout level="info" role="status" onDismiss={() => actions.dismissDiff(server, diff.at)}>
            <p>{changes(diff)}</p>
            {diff.removed.length > 0 && (
              <p className={styles.removed}>Removed: {diff.removed.slice(0, 20).join(", ")}</p>
            )}
          </Callout>
        </div>
      )}
      {list && <ListProblems server={server} list={list} />}
      <div className={styles.list}>
        {found.length > 0 ? (
          <VirtualList
            label="Tools"
            count={found.length}
            rowHeight={ROW}
            selected={selectedIndex < 0 ? null : selectedIndex}
            onSelect={select}
            onActivate={activate}
            scrollTo={
              selectedIndex < 0
                ? undefined
                : { index: selectedIndex, token: `${server} ${list?.revision ?? 0} ${search}` }
            }
            render={(index) => {
              const tool = tools[found[index] ?? -1];
              return tool ? <ToolRow tool={tool} mark={diff ? markOf(diff, tool.name) : null} /> : null;
            }}
          />
        ) : (
          <NoTools list={list} search={search} />
        )}
      </div>
      {list && list.freshness !== null && (
        <p className={styles.freshness} title="How long this list may be cached, according to the server">
          {list.freshness}
        </p>
      )}
    </div>
  );
}

type Mark = "New" | "Changed" | null;

function markOf(diff: DiffView, name: string): Mark {
  return diff.added.includes(name) ? "New" : diff.changed.includes(name) ? "Changed" : null;
}

/** `2 tools added, 1 removed`; empty when nothing changed. */
function changes(diff: DiffView): string {
  const parts: string[] = [];
  for (const [names, word] of [
    [diff.added, "added"],
    [diff.removed, "removed"],
    [diff.changed, "changed"],
  ] as const) {
    if (names.length === 0) continue;
    parts.push(
      parts.length === 0 ? `${count(names.length, "tool", "tools")} ${word}` : `${number(names.length)} ${word}`,
    );
  }
  return parts.length === 0 ? "" : `${parts.join(", ")}.`;
}

const ToolRow = memo(function ToolRow({ tool, mark }: { tool: ToolSummary; mark: Mark }) {
  const claim = claims(tool)[0];
  return (
    <div className={styles.row}>
      <div className={styles.first}>
        <span className={styles.name}>{tool.title ?? tool.name}</span>
        {tool.forbidden !== null && (
          <Ban size={13} role="img" aria-label="Must not be called" className={styles.problem} />
        )}
        {tool.findings.length > 0 && (
          <TriangleAlert size={13} role="img" aria-label="Has protocol issues" className={styles.problem} />
        )}
        {mark !== null && <Badge tone="info">{mark}</Badge>}
        {claim && (claim.tone === "ok" || claim.tone === "warn") && (
          <span className={styles.claim} data-tone={claim.tone}>
            <claim.icon size={12} aria-hidden />
            <span className={styles.claimWord}>{claim.short}</span>
          </span>
        )}
      </div>
      <div className={styles.summary}>{tool.summary === "" ? tool.name : tool.summary}</div>
    </div>
  );
});

function ListProblems({ server, list }: { server: ServerId; list: ToolListView }) {
  const actions = useActions();
  const backend = useBackend();
  const ready = useIsReady(server);
  if (list.error === null && list.findings.length === 0) return null;
  return (
    <div className={styles.notice}>
      {list.error !== null && (
        <Callout
          level="error"
          actions={
            <Button
              small
              icon={RefreshCw}
              disabled={!ready || list.loading}
              onClick={() => void actions.attempt(backend.call("refresh_tools", { server }), server)}
            >
              Read again
            </Button>
          }
        >
          <p>{list.error}</p>
        </Callout>
      )}
      <FindingsCallout title="The list does not follow the specification" findings={list.findings} />
    </div>
  );
}

function NoTools({ list, search }: { list: ToolListView | undefined; search: string }) {
  if (list && list.tools.length > 0) {
    return (
      <Empty title="No match">
        <p>No tool’s name, title or summary contains “{search.trim()}”.</p>
      </Empty>
    );
  }
  if (!list || list.loading) {
    return (
      <Empty title="Tools">
        <Spinner label="Loading tools…" />
      </Empty>
    );
  }
  return list.supported ? (
    <Empty title="No tools">
      <p>The server’s tool list is empty.</p>
    </Empty>
  ) : (
    <Empty title="No tools">
      <p>The server did not declare the tools capability.</p>
    </Empty>
  );
}
