import { Menu as Base } from "@base-ui/react/menu";
import { Ellipsis, type LucideIcon } from "lucide-react";

import { cx } from "../lib/cx";
import button from "./IconButton.module.css";
import styles from "./Menu.module.css";

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
}

export function Menu({ label, items, icon: Icon = Ellipsis, small = false }: MenuProps) {
  const icons = items.some((item) => item !== "separator" && item.icon !== undefined);
  return (
    <Base.Root modal={false}>
      <Base.Trigger className={cx(button.button, small && button.small)} aria-label={label}>
        <Icon size={small ? 14 : 16} aria-hidden />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="end" collisionPadding={8} className={styles.positioner}>
          <Base.Popup className={styles.popup}>
            {items.map((item, index) =>
              item === "separator" ? (
                <Base.Separator key={`separator-${index}`} className={styles.separator} />
              ) : (
                <Base.Item
                  key={item.label}
                  className={cx(styles.item, item.danger && styles.danger)}
                  disabled={item.disabled ?? false}
                  onClick={item.onSelect}
                >
                  {icons && <span className={styles.icon}>{item.icon && <item.icon size={14} aria-hidden />}</span>}
                  <span className={styles.label}>{item.label}</span>
                  {item.shortcut !== undefined && <kbd className={styles.shortcut}>{item.shortcut}</kbd>}
                </Base.Item>
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
