import { Copy } from "lucide-react";
import {
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from "react";

import type { DocumentMode, DocumentRow, DocumentSource } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { commitThen } from "../../lib/focus";
import { matchesKeys } from "../../lib/shortcuts";
import { useActions, useBackend } from "../../state/hooks";
import { offerItems } from "../contextItems";
import { rowByKey, rowOf } from "../rows/rowInput";
import { rowAt } from "../rows/rowPages";
import { isDrawn, useRowWindow } from "../rows/useRowWindow";
import { VirtualRows } from "../rows/VirtualRows";
import { DocumentRowView } from "./DocumentRows";
import { DocumentSearch } from "./DocumentSearch";
import { DocumentToolbar } from "./DocumentToolbar";
import { sourceKey, useDocument } from "./useDocument";
import { useDocumentSearch } from "./useDocumentSearch";
import { useMonoColumns } from "./useMonoColumns";
import { notText, wholeText } from "../../state/wholeText";
import { selectedText } from "./selectedText";
import type { Token } from "./tokens";
import styles from "./viewer.module.css";

type NodeRow = Extract<DocumentRow, { type: "node" }>;

const ROW_HEIGHT = 20;
/** Padding on both sides and a scroll bar, in px. */
const RESERVED = 32;
/** Room for a horizontal scroll bar when there are few rows, in px. */
const SLACK = 12;
/** Width of the line numbers, in characters; as in the style sheet. */
const GUTTER = 7;

export interface DocumentViewerProps {
  /** Source of the document. Equal sources mean the same document. */
  readonly source: DocumentSource;
  /** Offered display modes, in order. */
  readonly modes?: readonly DocumentMode[];
  readonly initialMode?: DocumentMode;
  /** Names the document for assistive technology, for example "Request". */
  readonly label: string;
  /**
   * `fill`: as high as the parent. A number: as high as its rows, at most this many px, or `--document-height` if that
   * is set.
   */
  readonly height?: "fill" | number;
  /** Explains why a document that is not JSON is shown as text (default). */
  readonly expectJson?: boolean;
  /** JSON Pointer to the value to select in the tree, if the document is JSON and has it. */
  readonly pointer?: string | null;
  /** Tokens of each line, if the document is source code: colours for the raw text. */
  readonly tokens?: readonly (readonly Token[])[] | null;
}

const ALL_MODES: readonly DocumentMode[] = ["tree", "pretty", "raw"];

/**
 * Shows a text or a JSON document of any size. The backend holds it; the page has only the rows around the visible
 * ones.
 */
export function DocumentViewer(props: DocumentViewerProps): ReactNode {
  // Another document starts with nothing selected, unscrolled, in its first mode.
  return <OpenDocument key={`${sourceKey(props.source)} ${props.pointer ?? ""}`} {...props} />;
}

function OpenDocument({
  source,
  modes = ALL_MODES,
  initialMode,
  label,
  height = 420,
  expectJson = true,
  pointer = null,
  tokens = null,
}: DocumentViewerProps): ReactNode {
  const backend = useBackend();
  const actions = useActions();
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const searchInput = useRef<HTMLInputElement>(null);
  const [mode, setMode] = useState<DocumentMode>(
    pointer !== null && modes.includes("tree") ? "tree" : (initialMode ?? modes[0] ?? "raw"),
  );
  const [current, setCurrent] = useState(0);
  /** The whole document is selected, including rows that are not rendered. */
  const [all, setAll] = useState(false);
  const width = useMonoColumns(scroller, RESERVED);
  const columns = width === null ? null : Math.max(20, width - GUTTER);
  const { session, state } = useDocument(source, mode, columns);
  const view = state.view;
  const shown = view?.mode ?? mode;
  const rows = view?.rows ?? 0;
  const list = useRowWindow(rows, { rowHeight: ROW_HEIGHT, overscan: 16, scroller, onRange: session.pages.show });
  const { window: rowWindow, view: range } = list;
  const pages = useSyncExternalStore(session.pages.subscribe, session.pages.snapshot);
  const goTo = (row: number): void => {
    // The list gets its new number of rows only when they are rendered.
    commitThen(
      () => setCurrent(row),
      () =>
        commitThen(
          () => rowWindow.scrollToRow(row, "center"),
          // The viewer itself may be scrolled partly out of view.
          () => scroller.current?.querySelector(`[data-row="${row}"]`)?.scrollIntoView?.({ block: "nearest" }),
        ),
    );
  };
  const search = useDocumentSearch(session, shown, goTo);
  const openSearch = (): void =>
    commitThen(search.open, () => {
      searchInput.current?.focus();
      searchInput.current?.select();
    });
  const closeSearch = (): void => commitThen(search.close, () => scroller.current?.focus());
  const isOpenTree = state.status === "open" && shown === "tree";
  const located = useRef(false);
  useEffect(() => {
    if (pointer === null || !isOpenTree || located.current) return;
    located.current = true;
    void session.locate(pointer).then((row) => (row === null ? undefined : goTo(row)));
    // Once, when the document is open: `goTo` is new with every render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [session, pointer, isOpenTree]);

  const changeMode = (next: DocumentMode): void => {
    setMode(next);
    setAll(false);
    setCurrent(0);
    rowWindow.scrollTo(0);
  };

  const isTree = shown === "tree";
  const selectedRow = rowAt(pages, current);

  const copyValue = (row: number): void => {
    const node = rowAt(pages, row);
    if (node?.type === "node") void actions.copy(session.nodeValue(node.node), "Value copied");
  };
  const copyPath = (row: number): void => {
    const node = rowAt(pages, row);
    if (node?.type === "node") void actions.copy(session.nodePath(node.node), "Path copied");
  };
  /** Adds items of a row to the context menu. */
  const offerRow = (event: Event, row: number | null): void => {
    if (!isTree || row === null) return;
    setCurrent(row);
    offerItems(event, [
      { label: "Copy value", icon: Copy, onSelect: () => copyValue(row) },
      { label: "Copy path", icon: Copy, onSelect: () => copyPath(row) },
    ]);
  };
  const copyAll = (): Promise<void> => {
    const text = shown === "hex" ? Promise.reject(notText()) : wholeText(backend, source, view?.bytes ?? 0);
    return actions.copy(text, "Copied in full");
  };
  const onCopy = (event: ClipboardEvent<HTMLElement>): void => {
    const text = isTree ? null : selectedText(event.currentTarget, document.getSelection());
    if (text === null) return;
    event.clipboardData.setData("text/plain", text);
    event.preventDefault();
  };
  const onClick = (event: MouseEvent<HTMLElement>): void => {
    const row = rowOf(event);
    if (row === null || !isTree) return;
    setCurrent(row);
    const node = rowAt(pages, row);
    if (onTwisty(event) && node?.type === "node") void session.toggle(node.node, row);
  };
  const onDoubleClick = (event: MouseEvent<HTMLElement>): void => {
    const row = rowOf(event);
    if (row === null || !isTree || onTwisty(event)) return;
    const node = rowAt(pages, row);
    if (isContainer(node)) void session.toggle(node.node, row);
  };

  const moveTo = (row: number): void => {
    const next = Math.min(Math.max(0, row), rows - 1);
    setCurrent(next);
    rowWindow.scrollToRow(next);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) offerRow(event.nativeEvent, current);
    if (event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      if (matchesKeys(event, "Mod+A")) {
        event.preventDefault();
        document.getSelection()?.removeAllRanges();
        setAll(true);
      } else if (matchesKeys(event, "Mod+C") && all) {
        event.preventDefault();
        void copyAll();
      } else if (matchesKeys(event, "Mod+C") && isTree && document.getSelection()?.isCollapsed !== false) {
        event.preventDefault();
        copyValue(current);
      } else if (event.key === "Home") rowWindow.scrollTo(0);
      else if (event.key === "End") rowWindow.scrollToEnd();
      return;
    }
    const deselects = all && event.key === "Escape";
    if (deselects) setAll(false);
    const handled = deselects || (isTree ? treeKey(event.key) : textKey(event.key));
    if (handled) {
      event.preventDefault();
      event.stopPropagation();
    }
  };

  const textKey = (key: string): boolean => {
    const page = range.fit * list.rowHeight;
    const move: Record<string, number> = {
      ArrowDown: list.rowHeight,
      ArrowUp: -list.rowHeight,
      PageDown: page,
      PageUp: -page,
      " ": page,
    };
    if (key === "Home") rowWindow.scrollTo(0);
    else if (key === "End") rowWindow.scrollToEnd();
    else if (move[key] !== undefined) rowWindow.scrollTo(rowWindow.virtualTop + move[key]);
    else return false;
    return true;
  };

  const treeKey = (key: string): boolean => {
    const to = rowByKey(key, current, rows, range.fit);
    if (to !== null) {
      moveTo(to);
      return true;
    }
    const node = selectedRow?.type === "node" ? selectedRow : undefined;
    switch (key) {
      case "ArrowRight":
        if (isContainer(node)) {
          if (node.expanded) moveTo(current + 1);
          else void session.toggle(node.node, current);
        }
        return true;
      case "ArrowLeft":
        if (isContainer(node) && node.expanded) void session.toggle(node.node, current);
        else if (node && node.parent !== null) moveTo(node.parent);
        return true;
      case "Enter":
      case " ":
        if (isContainer(node)) void session.toggle(node.node, current);
        return true;
      case "*":
        void session.expandAll(true);
        return true;
      default:
        return false;
    }
  };

  const frame = {
    className: cx("stack codeBox shrink clipped", height === "fill" && "tall flat"),
    role: "group",
    "aria-label": label,
  };
  if (state.status === "failed") {
    return (
      <div {...frame}>
        <div className="padS3" role="status">
          <strong>{state.error?.message ?? "It could not be read."}</strong>
          {state.error?.detail && <pre className={styles.failedDetail}>{state.error.detail}</pre>}
        </div>
      </div>
    );
  }

  const bounded =
    height === "fill"
      ? undefined
      : { height: `min(${Math.max(rows, 1) * list.rowHeight + SLACK}px, var(--document-height, ${height}px))` };
  return (
    <div
      {...frame}
      onKeyDown={(event) => {
        if (matchesKeys(event, "Mod+F")) {
          event.preventDefault();
          event.stopPropagation();
          openSearch();
        }
      }}
    >
      <DocumentToolbar
        label={label}
        modes={modes}
        mode={shown}
        notJson={view?.not_json ?? null}
        bytes={view?.bytes ?? null}
        nodes={isTree ? (view?.nodes ?? null) : null}
        busy={state.busy}
        onMode={changeMode}
        onSearch={openSearch}
        tree={
          isTree
            ? {
                expand: (expanded) => void session.expandAll(expanded).then(() => moveTo(0)),
                copyValue: () => copyValue(current),
                copyPath: () => copyPath(current),
              }
            : undefined
        }
        wholeText={() => wholeText(backend, source, view?.bytes ?? 0)}
        onSave={() => actions.command("save_document", { source })}
      />
      {search.isOpen && <DocumentSearch search={search} label={label} inputRef={searchInput} onClose={closeSearch} />}
      {view?.not_json && expectJson && modes.length > 1 && <p className={styles.remark}>{view.not_json}</p>}
      {state.error && (
        <p className={cx("bad", styles.remark)} role="status">
          {state.error.message}
        </p>
      )}
      <VirtualRows
        list={list}
        className={styles.scroller}
        data-quoted
        style={bounded}
        role={isTree ? "tree" : "group"}
        aria-label={isTree ? `${label}, tree` : `${label}, text`}
        aria-activedescendant={isTree && selectedRow && isDrawn(list, current) ? `${id}-${current}` : undefined}
        aria-busy={state.busy}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onCopy={onCopy}
        onPointerDown={() => setAll(false)}
        onBlur={() => setAll(false)}
        onDoubleClick={onDoubleClick}
        onContextMenu={(event) => offerRow(event.nativeEvent, rowOf(event))}
        row={(index) => (
          <DocumentRowView
            id={`${id}-${index}`}
            index={index}
            row={rowAt(pages, index)}
            needle={search.needle}
            hit={search.hit?.row === index}
            current={all || (isTree && index === current)}
            coloured={shown === "pretty"}
            source={shown === "raw" ? tokens : null}
          />
        )}
      >
        {!view && <p className="pad4x8 muted textFont">Reading…</p>}
        {view && rows === 0 && <p className="pad4x8 muted textFont">Empty</p>}
      </VirtualRows>
    </div>
  );
}

function isContainer(row: DocumentRow | undefined): row is NodeRow {
  return row?.type === "node" && (row.kind === "object" || row.kind === "array") && row.children > 0;
}

function onTwisty(event: MouseEvent): boolean {
  return event.target instanceof Element && event.target.closest("[data-toggle]") !== null;
}
