import { Braces, ChevronsDownUp, ChevronsUpDown, Download, Route, Search } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";

import type { DocumentMode } from "../../ipc/bindings";
import { bytes as sizeText, count } from "../../lib/format";
import { CopyButton } from "../CopyButton";
import { IconButton } from "../Button";
import { Menu, type MenuItem } from "../Menu";
import { SavedAs } from "../SavedAs";
import { Segmented } from "../Segmented";
import { MOST_COPIED } from "../../state/wholeText";
import styles from "./viewer.module.css";

/** Order of the modes, the same in every toolbar. */
const MODE_WORDS: Readonly<Record<DocumentMode, string>> = { pretty: "Pretty", tree: "Tree", raw: "Raw", hex: "Hex" };
const MODES = Object.entries(MODE_WORDS) as [DocumentMode, string][];

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
  /** Actions of a tree; missing for text. */
  readonly tree:
    | {
        readonly expand: (expanded: boolean) => void;
        readonly copyValue: () => void;
        readonly copyPath: () => void;
      }
    | undefined;
  /** Returns the whole document, for the clipboard. */
  readonly wholeText: () => Promise<string>;
  /** Saves the document and returns its path. */
  readonly onSave: () => Promise<string | null | undefined>;
}

export function DocumentToolbar(props: DocumentToolbarProps): ReactNode {
  const { label, modes, mode, bytes, nodes, tree, onSave } = props;
  const slow = useSlow(props.busy);
  const [savedTo, setSavedTo] = useState<string | null>(null);
  const facts = [
    bytes !== null && sizeText(bytes),
    nodes !== null && count(nodes, "node", "nodes"),
    slow && "working…",
  ].filter(Boolean);
  const items: (MenuItem | "separator")[] = [];
  if (tree) {
    items.push(
      { label: "Expand all", icon: ChevronsUpDown, onSelect: () => tree.expand(true), shortcut: "*" },
      { label: "Collapse all", icon: ChevronsDownUp, onSelect: () => tree.expand(false) },
      "separator",
      { label: "Copy selected value", icon: Braces, onSelect: tree.copyValue, shortcut: "Ctrl+C" },
      { label: "Copy path", icon: Route, onSelect: tree.copyPath },
    );
  }
  if (items.length > 0) items.push("separator");
  items.push({
    label: "Save to a file",
    icon: Download,
    onSelect: () => void onSave().then((path) => setSavedTo(path ?? null)),
  });
  return (
    <>
      <div className="bar gapS2 onSide height32 pad2xS1x2xS2">
        {modes.length > 1 && props.notJson === null && (
          <Segmented
            label={`View: ${label}`}
            value={mode}
            onChange={props.onMode}
            items={Object.fromEntries(MODES.filter(([each]) => modes.includes(each)))}
          />
        )}
        <span className="ellipsis note stretch unbroken">{facts.join(" · ")}</span>
        <span className="row gap2">
          <IconButton small label="Find (Ctrl+F)" icon={Search} onClick={props.onSearch} />
          {mode !== "hex" && bytes !== null && bytes <= MOST_COPIED && (
            <CopyButton compact label="Copy all" text={props.wholeText} />
          )}
          <Menu small label={`More actions for ${label}`} items={items} />
        </span>
      </div>
      {savedTo !== null && (
        <div className={styles.remark}>
          <SavedAs path={savedTo} />
        </div>
      )}
    </>
  );
}

/** True once something has been busy for a moment, so that quick work shows no indicator. */
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
