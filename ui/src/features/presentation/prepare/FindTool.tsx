import { Plug } from "lucide-react";
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";

import { Button } from "../../../components/Button";
import { Marked } from "../../../components/Marked";
import { itemName } from "../../../lib/itemName";
import { SearchField } from "../../../components/SearchField";
import { VisibleText } from "../../../components/VisibleText";
import type { CatalogRow, ServerId } from "../../../ipc/bindings";
import { cx } from "../../../lib/cx";
import { count } from "../../../lib/format";
import { plainMarkdown } from "../../../lib/plainMarkdown";
import { useActions, useAppState, useParts } from "../../../state/hooks";
import { useFetched } from "../../../state/queries";
import styles from "./prepare.module.css";

/** Limit of tools listed per server; typing finds the others. */
const MOST_TOOLS = 30;

interface FoundTool {
  readonly server: ServerId;
  readonly row: CatalogRow;
}

interface FindToolProps {
  readonly onPick: (server: ServerId, row: CatalogRow) => void;
  readonly onClose: () => void;
}

/** Lists the tools of all servers whose lists are known, to choose several in a row. */
export function FindTool({ onPick, onClose }: FindToolProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState(0);
  const lists = useParts(({ live }) =>
    live.order.flatMap((server) => {
      const revision = live.catalogs[server]?.tools?.revision ?? 0;
      return revision > 0 ? [`${server} ${revision}`] : [];
    }),
  );
  const unlisted = useParts(({ live }) =>
    live.order.filter((server) => (live.catalogs[server]?.tools?.revision ?? 0) === 0),
  );
  const names = useAppState((state) => state.live.servers);
  const fetched = useFetched("tools", `${lists.join("\n")}\n${search}`, async (backend) => {
    const found = await Promise.all(
      lists.map(async (list): Promise<readonly FoundTool[]> => {
        const [server = "", revision = "0"] = list.split(" ");
        const query = {
          server,
          kind: "tools" as const,
          revision: Number(revision),
          search,
          from: 0,
          count: MOST_TOOLS,
        };
        // A list that cannot be searched must not hide the others.
        const answer = await backend.call("catalog_rows", query).catch(() => null);
        return (answer?.rows ?? []).map((row) => ({ server, row }));
      }),
    );
    return { of: search, tools: found.flat() };
  });
  const found = fetched.value?.tools ?? [];
  const at = Math.min(chosen, found.length - 1);

  useLayoutEffect(() => box.current?.querySelector("input")?.focus(), []);
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [id, at]);

  const pick = (place: number): void => {
    const tool = found[place];
    // Until the search is done, the list belongs to older text.
    if (tool && fetched.value?.of === search) onPick(tool.server, tool.row);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown") setChosen(Math.min(found.length - 1, at + 1));
    else if (event.key === "ArrowUp") setChosen(Math.max(0, at - 1));
    else if (event.key === "Enter") pick(at);
    else if (event.key === "Escape") onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div ref={box} className="box stack onSide gap0" role="group" aria-label="Add a step">
      <div className={styles.findHead}>
        <SearchField
          label="Search the tools of all servers"
          value={search}
          onChange={(text) => {
            setSearch(text);
            setChosen(0);
          }}
          hits={search.trim() === "" ? undefined : count(found.length, "tool", "tools")}
          onKeyDown={onKeyDown}
          combobox={{ list: `${id}-list`, active: at >= 0 ? `${id}-${at}` : undefined }}
        />
        <Button small kind="quiet" onClick={onClose}>
          Done
        </Button>
      </div>
      {/* The list must not take the focus from the field. */}
      <ul
        id={`${id}-list`}
        role="listbox"
        aria-label="Tools"
        className={styles.found}
        onMouseDown={(event) => event.preventDefault()}
      >
        {found.map(({ server, row }, place) => (
          <li
            key={`${server} ${row.key}`}
            id={`${id}-${place}`}
            role="option"
            aria-selected={place === at}
            className={cx(styles.tool, place === at && "onSelected")}
            onClick={() => pick(place)}
          >
            <span className="ellipsis medium unbroken">{itemName(row)}</span>
            <span className={styles.toolText}>{plainMarkdown(row.summary)}</span>
            <span className="note">
              <Marked text={names[server]?.config.name ?? ""} />
            </span>
          </li>
        ))}
        {found.length === 0 && (
          <li role="option" aria-selected={false} aria-disabled className="note pad8x12">
            {fetched.state === "loading"
              ? "Searching…"
              : search.trim() === ""
                ? "No server has listed tools yet."
                : `Nothing matches “${search.trim()}”.`}
          </li>
        )}
      </ul>
      {unlisted.length > 0 && <Unlisted servers={unlisted} />}
    </div>
  );
}

/** Servers whose tools are not known yet. */
function Unlisted({ servers }: { readonly servers: readonly ServerId[] }) {
  const actions = useActions();
  const views = useAppState((state) => state.live.servers);
  const sessions = useAppState((state) => state.live.sessions);
  return (
    <ul className="lineAbove noBullets pad4x12" aria-label="Servers without a list of tools">
      {servers.map((server) => (
        <li key={server} className="row gap8 minHeight32">
          <span className="note grow">
            <VisibleText text={views[server]?.config.name ?? ""} />:{" "}
            {sessions[server]?.phase === "connecting" ? "connecting…" : "connect it to choose from its tools."}
          </span>
          {sessions[server]?.phase !== "connecting" && (
            <Button small icon={Plug} onClick={() => void actions.connect(server)}>
              Connect
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
