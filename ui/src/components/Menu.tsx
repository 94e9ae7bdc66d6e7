import { Menu as Base } from "@base-ui/react/menu";
import { ChevronDown, Ellipsis, type LucideIcon } from "lucide-react";
import { useLayoutEffect, useRef } from "react";

import { cx } from "../lib/cx";
import button from "./IconButton.module.css";
import styles from "./Menu.module.css";
import { useReturnFocus } from "./useReturnFocus";

export interface MenuItem {
  label: string;
  icon?: LucideIcon | undefined;
  onSelect: () => void;
  danger?: boolean;
  disabled?: boolean;
  shortcut?: string;
}

export interface MenuProps {
  /** Accessible name of the button. */
  label: string;
  items: readonly (MenuItem | "separator")[];
  icon?: LucideIcon;
  small?: boolean;
  /** Text on the button. */
  text?: string;
  /** Called when the menu opens. */
  onOpen?: () => void;
}

export function Menu({ label, items, icon: Icon = Ellipsis, small = false, text, onOpen }: MenuProps) {
  const actions = useRef<Base.Root.Actions>(null);
  // Close at once and restore the focus, not in a later frame, so that the next key press reaches the page below.
  const onOpenChange = (open: boolean): void => {
    if (open) onOpen?.();
    else actions.current?.unmount();
  };
  return (
    <Base.Root modal={false} actionsRef={actions} onOpenChange={onOpenChange}>
      <Base.Trigger
        className={cx(button.button, small && button.small, text !== undefined && button.wordy)}
        aria-label={label}
      >
        <Icon size={small ? 14 : 16} aria-hidden />
        {text !== undefined && (
          <>
            <span className="ellipsis unbroken">{text}</span>
            <ChevronDown size={13} aria-hidden />
          </>
        )}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="end" collisionPadding={8} className={styles.positioner}>
          <Popup items={items} />
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export interface MenuAtProps {
  /** Accessible name. */
  label: string;
  items: MenuProps["items"];
  /** Position of the menu: the pointer, or a button. */
  at: DOMRectReadOnly;
  onClose: () => void;
}

/** A menu opened at a position of the window, as a context menu. */
export function MenuAt({ label, items, at, onClose }: MenuAtProps) {
  useReturnFocus();
  return (
    <Base.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Positioner
          anchor={{ getBoundingClientRect: () => at }}
          align={at.width > 0 ? "end" : "start"}
          sideOffset={at.width > 0 ? 4 : 0}
          collisionPadding={8}
          className={styles.positioner}
        >
          <Popup label={label} items={items} />
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface PopupProps {
  /** Accessible name, if no button names the menu. */
  label?: string;
  items: MenuProps["items"];
}

function Popup({ label, items }: PopupProps) {
  const popup = useRef<HTMLDivElement>(null);
  // The library would move the focus in the next frame, and an earlier key press would reach the page below.
  useLayoutEffect(() => {
    const menu = popup.current;
    if (!menu) return undefined;
    menu.focus({ preventScroll: true });
    const observer = new MutationObserver(() => {
      if (document.activeElement !== menu) return;
      menu.querySelector<HTMLElement>("[data-highlighted]")?.focus({ preventScroll: true });
    });
    observer.observe(menu, { subtree: true, attributeFilter: ["data-highlighted"] });
    return () => observer.disconnect();
  }, []);
  const icons = items.some((item) => item !== "separator" && item.icon !== undefined);
  // Without a button, the menu does not know where to return the focus.
  const own = label === undefined ? {} : { "aria-label": label, "aria-labelledby": undefined, finalFocus: false };
  return (
    <Base.Popup ref={popup} className={styles.popup} {...own}>
      {items.map((item, index) =>
        item === "separator" ? (
          <Base.Separator key={`separator-${index}`} className={styles.separator} />
        ) : (
          <Base.Item
            key={`${index} ${item.label}`}
            className={cx(styles.item, item.danger && "bad")}
            disabled={item.disabled ?? false}
            onClick={item.onSelect}
          >
            {icons && (
              <span className="grid rigid placeCenter width16">{item.icon && <item.icon size={14} aria-hidden />}</span>
            )}
            <span className="stretch">{item.label}</span>
            {item.shortcut !== undefined && <kbd className="muted">{item.shortcut}</kbd>}
          </Base.Item>
        ),
      )}
    </Base.Popup>
  );
}
