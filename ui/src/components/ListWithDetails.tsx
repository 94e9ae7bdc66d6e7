import { X } from "lucide-react";
import { createContext, useContext, useEffect, useRef, type KeyboardEvent, type ReactNode } from "react";

import { cx } from "../lib/cx";
import { commitThen } from "../lib/focus";
import { keysLabel, matchesKeys } from "../lib/shortcuts";
import { useIsSmall, useMedia } from "../lib/useMedia";
import { listen } from "../lib/listen";
import { focusMark, focusNames } from "../state/view";
import styles from "./ListWithDetails.module.css";
import { IconButton } from "./Button";
import { SearchField } from "./SearchField";
import { Split } from "./Split";

/** Size of the details on one side of the list. */
interface Room {
  /** Initial size. */
  readonly standard: number;
  readonly unit?: "px" | "%";
  /** Minimum sizes of the details and of the list, in pixels. */
  readonly least: number;
  readonly leastRest: number;
}

export interface ListWithDetailsProps {
  /** Accessible name of the pane. */
  readonly label: string;
  readonly className?: string | undefined;
  /** Shown above the list, such as a {@link FilterBar}. */
  readonly head: ReactNode;
  readonly foot?: ReactNode;
  readonly footClass?: string | undefined;
  readonly list: ReactNode;
  readonly listClass?: string | undefined;
  readonly details: ReactNode;
  /** Name in the settings, and name in labels. */
  readonly name: string;
  readonly detail: string;
  readonly below: Room;
  /** Place for the details beside the list, in a window of at least `from` pixels. */
  readonly beside?: Room & { readonly from: number };
  /** The user opened the details. */
  readonly isOpen: boolean;
  /** Shows the details even unopened, if there is room for both. */
  readonly stays?: boolean;
  /** The details fill the pane. */
  readonly maximized?: boolean;
  /** In a small window, shows either the details or the list. */
  readonly inTurns?: boolean;
}

const FocusList = createContext<() => void>(() => undefined);

/** A list, with the details of its selected row beside or below it. */
export function ListWithDetails(props: ListWithDetailsProps): ReactNode {
  const { label, name, detail, isOpen, stays = false, maximized = false, inTurns = true } = props;
  const pane = useRef<HTMLDivElement>(null);
  const isNarrow = useMedia(`(width < ${props.beside?.from ?? 0}px)`);
  const isTurn = useIsSmall() && inTurns;
  const beside = isNarrow ? undefined : props.beside;
  const room = beside ?? props.below;
  const only = isOpen ? (maximized || isTurn ? "second" : null) : stays && !isTurn ? null : "first";
  const focusList = (): void => pane.current?.querySelector<HTMLElement>("[role=listbox], [role=grid]")?.focus();
  return (
    <FocusList value={focusList}>
      <section className={cx("fill shrink onPage", props.className)} aria-label={label}>
        {props.head}
        <div className="fit">
          <Split
            key={beside ? "beside" : "below"}
            name={beside ? name : `${name}_below`}
            label={detail}
            sized="second"
            orientation={beside ? "horizontal" : "vertical"}
            unit={room.unit ?? "%"}
            standard={room.standard}
            least={room.least}
            leastRest={room.leastRest}
            collapsible={false}
            only={only}
            first={
              <div ref={pane} className={cx("tall flat", props.listClass)} {...focusMark(focusNames.pane("entries"))}>
                {props.list}
              </div>
            }
            second={props.details}
          />
        </div>
        {props.foot !== undefined && <footer className={props.footClass ?? styles.foot}>{props.foot}</footer>}
      </section>
    </FocusList>
  );
}

export interface FilterBarProps {
  /** Names the content of the list: "issues". */
  readonly of: string;
  readonly className?: string | undefined;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly hits: string | undefined;
  /** Further filters. */
  readonly children: ReactNode;
}

/** Filters of a list. Ctrl+F focuses the search field; arrow down and Enter move from there to the list. */
export function FilterBar({ of, className = styles.bar, value, onChange, hits, children }: FilterBarProps): ReactNode {
  const focusList = useContext(FocusList);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.defaultPrevented || !matchesKeys(event, "Mod+F")) return;
      // Of two servers side by side, the selected one is searched.
      if (field.current?.closest("[data-side=other]")) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    return listen(document, { keydown: onKey });
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowDown" && event.key !== "Enter") return;
    event.preventDefault();
    focusList();
  };
  return (
    <div
      className={cx("bar wraps", className)}
      role="search"
      aria-label={`Filter the ${of}`}
      {...focusMark(focusNames.pane("filters"))}
    >
      <div className={styles.search}>
        <SearchField
          label={`Search the ${of} (${keysLabel("Mod+F")})`}
          placeholder={`Search the ${of}`}
          value={value}
          onChange={onChange}
          hits={hits}
          inputRef={field}
          onKeyDown={onKeyDown}
        />
      </div>
      {children}
    </div>
  );
}

/** Returns a callback that closes the details and moves the focus to the list. */
export function useCloseDetails(onClose: () => void): () => void {
  const focusList = useContext(FocusList);
  // The list may have been hidden until now; focus it before the next key press.
  return () => commitThen(onClose, focusList);
}

export interface DetailPaneProps {
  /** Accessible name. */
  readonly label: string;
  readonly headClass?: string | undefined;
  readonly bodyClass?: string | undefined;
  readonly title: ReactNode;
  /** Beside the button that closes the details. */
  readonly buttons?: ReactNode;
  /** Esc first restores a maximized pane. */
  readonly maximized?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Frame of the details of a selected row. */
export function DetailPane(props: DetailPaneProps): ReactNode {
  const { headClass = "row rigid gapS2 lineBelow spread padS2xS3", bodyClass = "gapS4 breakable padS3" } = props;
  const close = useCloseDetails(props.onClose);
  return (
    <aside
      className="fill shrink onPage"
      aria-label={props.label}
      {...focusMark(focusNames.pane("details"))}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || props.maximized === true) return;
        event.stopPropagation();
        close();
      }}
    >
      <header className={headClass}>
        {props.title}
        {props.buttons}
        <IconButton small label="Close" icon={X} onClick={close} />
      </header>
      <div className={cx("stack fit scrolls", bodyClass)}>{props.children}</div>
    </aside>
  );
}
