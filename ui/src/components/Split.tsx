import {
  PanelBottomClose,
  PanelBottomOpen,
  PanelLeftClose,
  PanelLeftOpen,
  PanelRightClose,
  PanelRightOpen,
  type LucideIcon,
} from "lucide-react";
import { createContext, useContext, useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { Group, Panel, Separator, usePanelRef, type PanelImperativeHandle } from "react-resizable-panels";

import { cx } from "../lib/cx";
import { useIsSmall } from "../lib/useMedia";
import { useActions, useAppState } from "../state/hooks";
import { IconButton } from "./IconButton";
import styles from "./Split.module.css";

/** Pixels that stay of a collapsed pane: a strip with the button that shows it again. */
const STRIP = 32;

export interface SplitProps {
  /** The name under which the settings keep the size. */
  readonly name: string;
  /** Names the pane that has a size of its own; the other one takes the rest. */
  readonly label: string;
  readonly sized: "first" | "second";
  readonly orientation?: "horizontal" | "vertical";
  readonly unit: "px" | "%";
  /** Its size before the user changed it, in the unit; 0 is collapsed. */
  readonly standard: number;
  /** The least sizes of the sized pane and of the rest in pixels. */
  readonly least: number;
  readonly leastRest: number;
  readonly collapsible?: boolean;
  /** Width in pixels of the pane's narrow form, which it shows while it is collapsed. */
  readonly rail?: number;
  /** Pane that is shown alone, while something in it is maximized. */
  readonly only?: "first" | "second" | null;
  readonly first: ReactNode;
  readonly second: ReactNode;
}

const CollapseContext = createContext<ReactNode>(null);

/** Collapses the pane around it, and shows it again where the pane stays as a rail. Nothing where it cannot be. */
export function CollapseButton(): ReactNode {
  return useContext(CollapseContext);
}

const ICONS: Readonly<Record<"first" | "second" | "below", { readonly open: LucideIcon; readonly close: LucideIcon }>> =
  {
    first: { open: PanelLeftOpen, close: PanelLeftClose },
    second: { open: PanelRightOpen, close: PanelRightClose },
    below: { open: PanelBottomOpen, close: PanelBottomClose },
  };

/** Two panes and the separator between them. The size of one is remembered in the settings. */
export function Split(props: SplitProps): ReactNode {
  const { name, label, sized, unit, standard, least, leastRest, first, second } = props;
  const { orientation = "horizontal", collapsible = true, rail, only = null } = props;
  const actions = useActions();
  const wanted = useAppState((state) => state.live.settings.pane_sizes[name]) ?? standard;
  const isCollapsed = collapsible && wanted === 0;
  // Where there is no room for all, what is on show takes what there is.
  const small = useIsSmall();
  const panel = usePanelRef();
  // The library places it by this once; later sizes are set below.
  const [begin] = useState(() => (isCollapsed ? `${rail ?? STRIP}px` : `${wanted}${unit}`));
  const open = useRef(wanted === 0 ? null : wanted);
  const toggled = useRef(false);
  const show = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const handle = panel.current;
    if (wanted > 0) open.current = wanted;
    if (handle && sizeOf(handle, unit) !== wanted) resize(handle, wanted, unit);
  }, [panel, wanted, unit]);

  // The button goes with the pane: the one that takes it back has the focus then.
  useEffect(() => {
    if (!toggled.current) return;
    toggled.current = false;
    (isCollapsed ? show.current : box.current?.querySelector<HTMLElement>("[data-collapse]"))?.focus();
  }, [isCollapsed]);

  const set = (size: number | null): void => actions.setPaneSize(name, size);
  const reset = (): void => {
    set(null);
    // What comes back from the settings may never have been another size, where it was changed right before.
    if (panel.current) resize(panel.current, standard, unit);
  };
  const toggle = (): void => {
    toggled.current = true;
    // It gets the size that it had before, or else its first one.
    set(isCollapsed ? (open.current ?? (standard > 0 ? null : least)) : 0);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key !== "Enter") return;
    // Before the library, which would collapse the first pane.
    event.preventDefault();
    reset();
  };

  const icons = ICONS[orientation === "vertical" ? "below" : sized];
  const strip = isCollapsed && only === null && rail === undefined;
  const collapseButton = collapsible && (
    <IconButton
      small
      data-collapse=""
      label={`${isCollapsed ? "Show" : "Collapse"} ${label}`}
      icon={isCollapsed ? icons.open : icons.close}
      onClick={toggle}
    />
  );
  const panes = (["first", "second"] as const).map((side) => {
    const content = side === "first" ? first : second;
    const away = only !== null && only !== side ? "" : undefined;
    if (side !== sized) {
      return (
        <Panel
          key={side}
          className="positioned shrink flat"
          style={UNSCROLLED}
          minSize={small ? 0 : leastRest}
          data-away={away}
        >
          <CollapseContext value={null}>{content}</CollapseContext>
        </Panel>
      );
    }
    return (
      <Panel
        key={side}
        className="positioned shrink flat"
        style={UNSCROLLED}
        panelRef={panel}
        defaultSize={begin}
        minSize={small ? 0 : least}
        collapsible={collapsible}
        collapsedSize={rail ?? STRIP}
        groupResizeBehavior={unit === "px" ? "preserve-pixel-size" : "preserve-relative-size"}
        data-away={away}
      >
        {strip && (
          <div className={styles.strip}>
            <IconButton ref={show} small label={`Show ${label}`} icon={icons.open} onClick={toggle} />
          </div>
        )}
        <div ref={box} className="tall flat" hidden={strip}>
          <CollapseContext value={collapseButton}>{content}</CollapseContext>
        </div>
      </Panel>
    );
  });
  return (
    <Group
      className={cx("shrink flat", styles.group)}
      style={UNSCROLLED}
      orientation={orientation}
      disabled={only !== null}
      onLayoutChanged={(_, { isUserInteraction }) => {
        if (isUserInteraction && panel.current) set(sizeOf(panel.current, unit));
      }}
    >
      {panes[0]}
      <Separator
        className={styles.separator}
        aria-label={`Resize ${label}`}
        data-tip={`Resize ${label}`}
        disableDoubleClick
        data-away={only === null ? undefined : ""}
        onDoubleClick={reset}
        onKeyDownCapture={onKeyDown}
      />
      {panes[1]}
    </Group>
  );
}

/** Panes scroll their content by themselves; nothing that comes into view may scroll a pane or all panes. */
const UNSCROLLED = { overflow: "clip" } as const;

/** Gives a pane a size as it is kept. */
function resize(handle: PanelImperativeHandle, size: number, unit: "px" | "%"): void {
  if (size === 0) handle.collapse();
  else handle.resize(`${size}${unit}`);
}

/** The size as it is kept: whole, and 0 where the pane is collapsed. */
function sizeOf(handle: PanelImperativeHandle, unit: "px" | "%"): number {
  if (handle.isCollapsed()) return 0;
  const { inPixels, asPercentage } = handle.getSize();
  return Math.max(1, Math.round(unit === "px" ? inPixels : asPercentage));
}
