import * as icons from "lucide-react";
import {
  createContext,
  useContext,
  useEffect,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from "react";

import { useIsSmall } from "../lib/useMedia";
import { useActions, useAppState } from "../state/hooks";
import { IconButton } from "./Button";
import styles from "./Split.module.css";

/** Pixels that a collapsed pane keeps: a strip with the button that expands it. */
const STRIP = 32;
/** Share of both panes by which an arrow key moves the separator. */
const KEY_STEP = 0.05;

export interface SplitProps {
  /** Name of the stored size in the settings. */
  readonly name: string;
  /** Name of the pane with the stored size; the other pane takes the rest. */
  readonly label: string;
  readonly sized: "first" | "second";
  readonly orientation?: "horizontal" | "vertical";
  readonly unit: "px" | "%";
  /** Initial size of the pane, in the unit; 0 is collapsed. */
  readonly standard: number;
  /** Minimum sizes of the sized pane and of the other one, in pixels. */
  readonly least: number;
  readonly leastRest: number;
  readonly collapsible?: boolean;
  /** Width in pixels of the pane's narrow form, shown while it is collapsed. */
  readonly rail?: number;
  /** Pane to show alone, while something in it is maximized. */
  readonly only?: "first" | "second" | null;
  readonly first: ReactNode;
  readonly second: ReactNode;
}

const CollapseContext = createContext<ReactNode>(null);

/**
 * Collapses the pane around it, and expands it again if the pane keeps a rail. Renders nothing if the pane cannot be
 * collapsed.
 */
export function CollapseButton(): ReactNode {
  return useContext(CollapseContext);
}

const ICONS = {
  first: { open: icons.PanelLeftOpen, close: icons.PanelLeftClose },
  second: { open: icons.PanelRightOpen, close: icons.PanelRightClose },
  below: { open: icons.PanelBottomOpen, close: icons.PanelBottomClose },
};

/** Sizes of both panes together and of the sized one, in pixels. */
interface Extents {
  readonly all: number;
  readonly pane: number;
}

/** Two panes with a separator. The size of one is stored in the settings. */
export function Split(props: SplitProps): ReactNode {
  const { name, label, sized, unit, standard, least, leastRest, first, second } = props;
  const { orientation = "horizontal", collapsible = true, rail = STRIP, only = null } = props;
  const isRow = orientation === "horizontal";
  const actions = useActions();
  const kept = useAppState((state) => state.live.settings.pane_sizes[name]) ?? standard;
  /** Size that the settings do not have yet. */
  const [own, setOwn] = useState<{ readonly name: string; readonly kept: number; readonly size: number } | null>(null);
  const isOver = own !== null && (own.name !== name || own.kept !== kept);
  if (isOver) setOwn(null);
  const size = own === null || isOver ? kept : own.size;
  const isCollapsed = collapsible && size === 0;
  // If there is no room for both panes, the visible one takes all of it.
  const small = useIsSmall();
  const [min, minRest] = small ? [0, 0] : [least, leastRest];
  const open = useRef(size === 0 ? null : size);
  const toggled = useRef(false);
  const show = useRef<HTMLButtonElement>(null);
  const pane = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  /** Position of the pointer and the sizes when the separator was pressed. */
  const pressed = useRef<(Extents & { readonly at: number }) | null>(null);

  const extents = (): Extents => {
    const extent = (element: Element | null | undefined): number =>
      element?.getBoundingClientRect()[isRow ? "width" : "height"] ?? 0;
    return { all: extent(pane.current?.parentElement), pane: extent(pane.current) };
  };
  const tellValue = (): void => {
    const now = extents();
    if (bar.current) bar.current.ariaValueNow = `${Math.round((100 * now.pane) / Math.max(1, now.all))}`;
  };

  useEffect(() => {
    if (size > 0) open.current = size;
    tellValue();
  });

  // The button disappears with the pane, so focus the button that expands it.
  useEffect(() => {
    if (!toggled.current) return;
    toggled.current = false;
    (isCollapsed ? show.current : box.current?.querySelector<HTMLElement>("[data-collapse]"))?.focus();
  }, [isCollapsed]);

  const place = (next: number | null): void => setOwn({ name, kept, size: next ?? standard });
  const set = (next: number | null): void => {
    place(next);
    actions.setPaneSize(name, next);
  };
  const toggle = (): void => {
    toggled.current = true;
    // Restore the previous size, or else the initial one.
    set(isCollapsed ? (open.current ?? (standard > 0 ? null : least)) : 0);
  };
  /** Converts pixels to a stored size: whole, within its limits, and 0 for a collapsed pane. */
  const sizeAt = (pixels: number, { all }: Extents): number => {
    if (collapsible && pixels < (rail + min) / 2) return 0;
    const within = Math.max(min, Math.min(pixels, all - minRest));
    return Math.max(1, Math.round(unit === "px" ? within : (100 * within) / Math.max(1, all)));
  };
  const grown = (by: number): number => (sized === "first" ? by : -by);

  /** Reports the size at the pointer's position. Nothing changes if the pointer is back where it was pressed. */
  const drag = (event: PointerEvent, put: (next: number) => void): void => {
    const start = pressed.current;
    if (!start) return;
    const by = (isRow ? event.clientX : event.clientY) - start.at;
    if (by === 0) setOwn(null);
    else put(sizeAt(start.pane + grown(by), start));
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    pressed.current = { ...extents(), at: isRow ? event.clientX : event.clientY };
  };
  const onPointerMove = (event: PointerEvent): void => drag(event, place);
  const onPointerUp = (event: PointerEvent): void => {
    drag(event, set);
    pressed.current = null;
  };
  const onPointerCancel = (): void => {
    pressed.current = null;
    setOwn(null);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const now = extents();
    const steps: Readonly<Record<string, number>> = {
      [isRow ? "ArrowLeft" : "ArrowUp"]: -KEY_STEP,
      [isRow ? "ArrowRight" : "ArrowDown"]: KEY_STEP,
      Home: -1,
      End: 1,
    };
    const step = steps[event.key];
    if (event.key === "Enter") set(null);
    else if (step !== undefined) {
      const by = grown(step * now.all);
      const next = now.pane + by;
      set(sizeAt(by > 0 ? Math.max(min, next) : now.pane <= min + 1 ? 0 : next, now));
    } else return;
    event.preventDefault();
  };

  const icon = ICONS[isRow ? sized : "below"];
  const strip = isCollapsed && only === null && props.rail === undefined;
  const collapseButton = collapsible && (
    <IconButton
      small
      data-collapse=""
      label={`${isCollapsed ? "Show" : "Collapse"} ${label}`}
      icon={isCollapsed ? icon.open : icon.close}
      onClick={toggle}
    />
  );
  const minExtent = isRow ? "minWidth" : "minHeight";
  const styleOf: Readonly<Record<"sized" | "rest", CSSProperties>> = {
    sized: isCollapsed
      ? { flex: `0 0 ${rail}px` }
      : { flex: `0 1 ${size === 0 ? `${least}px` : `${size}${unit}`}`, [minExtent]: min },
    rest: { flex: "1 1 0", [minExtent]: minRest },
  };
  const panes = (["first", "second"] as const).map((side) => {
    const content = side === "first" ? first : second;
    const isSized = side === sized;
    return (
      <div
        key={side}
        ref={isSized ? pane : undefined}
        // The pane scrolls its own content; focusing an element must not scroll the panes themselves.
        className="positioned shrink flat clips"
        style={only === side ? ALONE : styleOf[isSized ? "sized" : "rest"]}
        data-away={only !== null && only !== side ? "" : undefined}
      >
        {isSized && strip && (
          <div className={styles.strip}>
            <IconButton ref={show} small label={`Show ${label}`} icon={icon.open} onClick={toggle} />
          </div>
        )}
        <div ref={isSized ? box : undefined} className="tall flat" hidden={isSized && strip}>
          <CollapseContext value={isSized ? collapseButton : null}>{content}</CollapseContext>
        </div>
      </div>
    );
  });
  return (
    <div className={styles.group} data-orientation={orientation}>
      {panes[0]}
      <div
        ref={bar}
        role="separator"
        tabIndex={only === null ? 0 : -1}
        className={styles.separator}
        aria-label={`Resize ${label}`}
        aria-orientation={isRow ? "vertical" : "horizontal"}
        aria-valuenow={0}
        data-tip={`Resize ${label}`}
        data-away={only === null ? undefined : ""}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerCancel}
        onDoubleClick={() => set(null)}
        onKeyDown={onKeyDown}
        onFocus={tellValue}
      />
      {panes[1]}
    </div>
  );
}

const ALONE: CSSProperties = { flex: "1 1 0" };
