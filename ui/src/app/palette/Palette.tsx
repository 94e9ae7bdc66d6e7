import { Dialog as Base } from "@base-ui/react/dialog";
import { Search } from "lucide-react";
import { useEffect, useId, useLayoutEffect, useRef, useState, useSyncExternalStore, type KeyboardEvent } from "react";

import { Found } from "../../components/Found";
import { useReturnFocus } from "../../components/useReturnFocus";
import { cx } from "../../lib/cx";
import { count } from "../../lib/format";
import { keysLabel } from "../../lib/shortcuts";
import { useActions, useApp, useAppState } from "../../state/hooks";
import type { Entry } from "./entries";
import styles from "./Palette.module.css";
import { PaletteSession } from "./paletteSession";

/** Number of rows that Page Up and Page Down move by. */
const PAGE_ROWS = 8;

/** Searches servers, items, runs and actions. */
export function Palette() {
  const open = useAppState((state) => state.view.overlay === "palette");
  const { setOverlay } = useActions();
  // Close at once, not in a later frame, so that the next key press reaches the page below.
  if (!open) return null;
  return (
    <Base.Root open onOpenChange={(next) => !next && setOverlay(null)}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={styles.popup} aria-label="Find anything" initialFocus={false} finalFocus={false}>
          <Finder />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function Finder() {
  useReturnFocus();
  const app = useApp();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [session] = useState(() => new PaletteSession(app));
  const { search, words, groups, entries } = useSyncExternalStore(session.subscribe, session.state);
  /** Id of the entry that the user moved to; without it, the first entry is active. */
  const [chosen, setChosen] = useState<string | null>(null);
  const at = Math.max(
    0,
    entries.findIndex((entry) => entry.id === chosen),
  );
  const active = entries[at];

  // Characters typed right after the shortcut must arrive.
  useLayoutEffect(() => input.current?.focus(), []);
  useEffect(() => {
    if (active) document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [id, at, active]);

  const act = (entry: Entry | undefined): void => {
    // The search may finish after the palette was closed.
    if (!entry || app.store.getState().view.overlay !== "palette") return;
    app.actions.setOverlay(null);
    entry.run();
  };
  const moveTo = (index: number): void => setChosen(entries[index]?.id ?? null);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return;
    const end = entries.length - 1;
    if (event.key === "ArrowDown") moveTo(at === end ? 0 : at + 1);
    else if (event.key === "ArrowUp") moveTo(at === 0 ? end : at - 1);
    else if (event.key === "PageDown") moveTo(Math.min(end, at + PAGE_ROWS));
    else if (event.key === "PageUp") moveTo(Math.max(0, at - PAGE_ROWS));
    // Enter applies to the typed text, not to the results of an older search.
    else if (event.key === "Enter" && chosen !== null && active?.id === chosen) act(active);
    else if (event.key === "Enter") void session.settled().then((now) => act(now.entries[0]));
    else return;
    event.preventDefault();
  };

  return (
    <>
      <div className="row rigid gap8 lineBelow pad0x12">
        <Search size={16} aria-hidden className={styles.icon} />
        <input
          ref={input}
          className={styles.input}
          role="combobox"
          aria-label="Find tools, runs, servers and actions"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active ? `${id}-${at}` : undefined}
          placeholder="Find tools, runs, servers and actions"
          value={search}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            setChosen(null);
            session.search(event.target.value);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {/* The list must not take the focus from the input. */}
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Found"
        className={styles.list}
        onMouseDown={(event) => event.preventDefault()}
      >
        {groups.map((group, place) => (
          <div key={group.title} role="group" aria-labelledby={`${id}-group-${place}`}>
            <div id={`${id}-group-${place}`} role="presentation" className={styles.heading}>
              {group.title}
            </div>
            {group.entries.map((entry) => (
              <div
                key={entry.id}
                id={`${id}-${entries.indexOf(entry)}`}
                role="option"
                aria-selected={entry === active}
                className={cx("row gap8 rounded unbroken height32 pad0x8", entry === active && "onSelected")}
                onMouseMove={() => entry.id !== active?.id && setChosen(entry.id)}
                onClick={() => act(entry)}
              >
                <span className={styles.icon}>{entry.icon && <entry.icon size={15} aria-hidden />}</span>
                <bdi className={styles.title}>
                  <Found text={entry.title} words={words} />
                </bdi>
                <bdi className="note ellipsis equal">
                  <Found text={entry.detail} words={words} />
                </bdi>
                {entry.keys !== undefined && <kbd className="rigid muted">{keysLabel(entry.keys)}</kbd>}
              </div>
            ))}
          </div>
        ))}
      </div>
      {entries.length === 0 && <p className="pad16 muted">Nothing matches “{search.trim()}”.</p>}
      <p className={styles.foot}>
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> to move, <kbd>Enter</kbd> to open, <kbd>Esc</kbd> to close
        </span>
        <span className="visuallyHidden" role="status">
          {count(entries.length, "entry", "entries")}
        </span>
      </p>
    </>
  );
}
