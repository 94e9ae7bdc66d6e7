import { Maximize2, Minimize2 } from "lucide-react";
import { useEffect, useEffectEvent, useRef, type ReactNode } from "react";

import type { ServerId } from "../ipc/bindings";
import { isTyping } from "../lib/shortcuts";
import { listen } from "../lib/listen";
import { useActions, useReadState, useServerUi } from "../state/hooks";
import type { MaximizedPane } from "../state/view";
import styles from "./PaneButtons.module.css";
import { IconButton } from "./Button";
import { CollapseButton } from "./Split";

export interface PaneButtonsProps {
  readonly server: ServerId;
  readonly pane: MaximizedPane;
  /** Name of the pane, used after a verb: "runs". */
  readonly label: string;
}

/** Buttons that maximize, restore and (if possible) collapse a pane. Esc restores it too. */
export function PaneButtons({ server, pane, label }: PaneButtonsProps): ReactNode {
  const actions = useActions();
  const readState = useReadState();
  const maximized = useServerUi(server, (ui) => ui.maximized === pane);
  // If both servers side by side have a maximized pane, that of the selected one is visible.
  const isOnShow = (): boolean => {
    const { view } = readState();
    return view.server === null || view.server === server || !view.perServer[view.server]?.maximized;
  };
  return (
    <>
      <MaximizeButton
        label={label}
        maximized={maximized}
        isOnShow={isOnShow}
        onChange={(on) => actions.maximize(server, on ? pane : null)}
      />
      {pane !== "run" && !maximized && <CollapseButton />}
    </>
  );
}

interface MaximizeButtonProps {
  /** Name of the maximized element, used after a verb. */
  readonly label: string;
  readonly maximized: boolean;
  /** Returns true while Esc may restore this pane. */
  readonly isOnShow?: () => boolean;
  readonly onChange: (maximized: boolean) => void;
}

/** Maximizes a pane, and restores the others. Esc restores them too. */
export function MaximizeButton({ label, maximized, isOnShow = always, onChange }: MaximizeButtonProps): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  const restore = useEffectEvent((event: KeyboardEvent) => {
    if (!isOnShow()) return;
    event.preventDefault();
    onChange(false);
    button.current?.focus();
  });
  useEffect(() => {
    if (!maximized) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || event.defaultPrevented || isTyping(event.target)) return;
      // Esc first closes a menu or a dialog above the pane.
      if (event.target instanceof Element && event.target.closest("[role=menu], [role=dialog]")) return;
      restore(event);
    };
    // Handled before the window's keys, since Esc there closes a panel.
    return listen(document, { keydown: onKeyDown });
  }, [maximized]);

  return (
    <>
      {maximized && <kbd className={styles.key}>Esc</kbd>}
      <IconButton
        ref={button}
        small
        label={maximized ? `Restore ${label}` : `Maximize ${label}`}
        icon={maximized ? Minimize2 : Maximize2}
        text={maximized ? "Restore" : undefined}
        onClick={() => onChange(!maximized)}
      />
    </>
  );
}

const always = (): boolean => true;
