import { ChevronsDownUp, ChevronsUpDown, Copy, Download, Search } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";

import type { DocumentMode } from "../../ipc/bindings";
import { bytes as sizeText, count } from "../../lib/format";
import { IconButton } from "../IconButton";
import { Menu } from "../Menu";
import { Segmented } from "../Segmented";
import styles from "./viewer.module.css";

const MODE_WORDS: Record<DocumentMode, string> = { tree: "Tree", pretty: "Pretty", raw: "Raw" };

export interface DocumentToolbarProps {
  readonly label: string;
  readonly modes: readonly DocumentMode[];
  readonly mode: DocumentMode;
  readonly notJson: string | null;
  readonly bytes: number | null;
  readonly nodes: number | null;
  readonly busy: boolean;
  readonly onMode: (mode: DocumentMode) => void;
  readonly onSearch: () => void;
  readonly onExpand: ((expanded: boolean) => void) | undefined;
  readonly onCopyValue: (() => void) | undefined;
  readonly onCopyPath: (() => void) | undefined;
  readonly onCopyAll: () => void;
  /** Answers the path it was saved to. */
  readonly onSave: (() => Promise<string | null | undefined>) | undefined;
}

export function DocumentToolbar(props: DocumentToolbarProps): ReactNode {
  const { label, modes, mode, bytes, nodes, onExpand, onCopyValue, onCopyPath, onSave } = props;
  const slow = useSlow(props.busy);
  const [savedTo, setSavedTo] = useState<string | null>(null);
  const copyItems = [
    ...(onCopyValue ? [{ label: "Copy selected value", onSelect: onCopyValue, shortcut: "Ctrl+C" }] : []),
    ...(onCopyPath ? [{ label: "Copy path of selected value", onSelect: onCopyPath }] : []),
    { label: "Copy all", onSelect: props.onCopyAll },
  ];
  return (
    <div className={styles.toolbar}>
      {modes.length > 1 && props.notJson === null && (
        <Segmented
          label={`How to show: ${label}`}
          value={mode}
          onChange={props.onMode}
          items={modes.map((value) => ({ value, label: MODE_WORDS[value] }))}
        />
      )}
      <span className={styles.size}>
        {bytes !== null && sizeText(bytes)}
        {nodes !== null && ` · ${count(nodes, "node", "nodes")}`}
        {slow && " · working…"}
      </span>
      <span className={styles.tools}>
        {onExpand && (
          <>
            <IconButton small label="Open all" icon={ChevronsUpDown} onClick={() => onExpand(true)} />
            <IconButton small label="Close all" icon={ChevronsDownUp} onClick={() => onExpand(false)} />
          </>
        )}
        <IconButton small label="Find (Ctrl+F)" icon={Search} onClick={props.onSearch} />
        <Menu small label="Copy" icon={Copy} items={copyItems} />
        {onSave && (
          <IconButton
            small
            label="Save to a file"
            icon={Download}
            onClick={() => void onSave().then((path) => setSavedTo(path ?? null))}
          />
        )}
      </span>
      {savedTo !== null && (
        <span className={styles.saved} role="status">
          Saved as {savedTo}
        </span>
      )}
    </div>
  );
}

/** True once something has been busy for a moment, so that quick work shows nothing. */
function useSlow(busy: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!busy) return undefined;
    const timer = setTimeout(() => setSlow(true), 300);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [busy]);
  return slow;
}
