import { useState } from "react";

import { Button } from "../components/Button";
import { Dialog } from "../components/Dialog";
import { SearchField } from "../components/SearchField";
import { count } from "../lib/format";
import { score, wordsOf } from "../lib/matching";
import { keysLabel } from "../lib/shortcuts";
import { useActions, useAppState } from "../state/hooks";
import { allKeys } from "./actions";
import styles from "./dialogs.module.css";

/** List of the window's keys, opened with `?`. */
export function ShortcutsDialog() {
  const open = useAppState((state) => state.view.overlay === "shortcuts");
  const { setOverlay } = useActions();
  return (
    <Dialog
      title="Keyboard shortcuts"
      open={open}
      onClose={() => setOverlay(null)}
      footer={
        <Button small onClick={() => setOverlay(null)}>
          Close
        </Button>
      }
    >
      <Shortcuts />
    </Dialog>
  );
}

function Shortcuts() {
  const [search, setSearch] = useState("");
  const words = wordsOf(search);
  const found = allKeys().filter(
    ({ title, keys }) => words.length === 0 || score(words, title, keys.map(keysLabel).join(" ")) > 0,
  );
  return (
    <div className={styles.keys}>
      <SearchField
        label="Search the shortcuts"
        value={search}
        onChange={setSearch}
        hits={words.length === 0 ? undefined : count(found.length, "shortcut", "shortcuts")}
      />
      <dl className="stack">
        {found.map(({ title, keys }) => (
          <div key={title} className={styles.key}>
            <dt>
              {keys.map((each, index) => (
                <span key={each}>
                  {index > 0 && " or "}
                  <kbd>{keysLabel(each)}</kbd>
                </span>
              ))}
            </dt>
            <dd>{title}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
