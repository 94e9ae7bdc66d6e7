import { Maximize2, Minimize2 } from "lucide-react";
import { useEffect, useEffectEvent, useRef, type ReactNode } from "react";

import type { ServerId } from "../ipc/bindings";
import { isTyping } from "../lib/shortcuts";
import { listen } from "../lib/listen";
import { useActions, useReadState, useServerUi } from "../state/hooks";
import type { MaximizedPane } from "../state/view";
import { IconButton } from "./IconButton";
import styles from "./PaneButtons.module.css";
import { CollapseButton } from "./Split";

export interface PaneButtonsProps {
  readonly server: ServerId;
  readonly pane: MaximizedPane;
  /** Names the pane, after a verb: "runs". */
  readonly label: string;
}

/** Maximizes a pane and takes it back, as Esc does too; and collapses it where it can be. */
export function PaneButtons({ server, pane, label }: PaneButtonsProps): ReactNode {
  const actions = useActions();
  const readState = useReadState();
  const maximized = useServerUi(server, (ui) => ui.maximized === pane);
  // Of two servers side by side, each with a maximized pane, that of the selected one is on show.
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
  /** Names what is maximized, after a verb. */
  readonly label: string;
  readonly maximized: boolean;
  /** Returns true while Esc may restore this pane. */
  readonly isOnShow?: () => boolean;
  readonly onChange: (maximized: boolean) => void;
}

/** Shows a pane in the place of all others, and restores them, as Esc does too. */
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
      // A menu or a dialog above it goes first.
      if (event.target instanceof Element && event.target.closest("[role=menu], [role=dialog]")) return;
      restore(event);
    };
    // Before the keys of the window, of which Esc closes a panel.
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
