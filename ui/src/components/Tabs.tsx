import type { LucideIcon } from "lucide-react";
import type { KeyboardEvent, ReactNode } from "react";

import { cx } from "../lib/cx";
import { number } from "../lib/format";
import { own } from "../lib/own";
import styles from "./Tabs.module.css";

export interface TabItem<T extends string> {
  value: T;
  label: string;
  /** Number beside the label; `null` reserves its room. */
  count?: number | null | undefined;
  icon?: LucideIcon | undefined;
  /** Icon on a tab whose content needs attention. */
  mark?: { readonly icon: LucideIcon; readonly label: string; readonly isError?: boolean } | undefined;
  /** Starts a group of tabs at the far end, whose places do not depend on the tabs before them. */
  apart?: boolean | undefined;
}

export interface TabsProps<T extends string> {
  label: string;
  value: T;
  onChange: (value: T) => void;
  items: readonly TabItem<T>[];
  /** Links the tabs to their {@link TabPanel}s. */
  idPrefix: string;
}

export function Tabs<T extends string>({ label, value, onChange, items, idPrefix }: TabsProps<T>) {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const at = items.findIndex((item) => item.value === value);
    const last = items.length - 1;
    const places = { ArrowRight: at < last ? at + 1 : 0, ArrowLeft: at > 0 ? at - 1 : last, Home: 0, End: last };
    const item = items[own<number>(places, event.key) ?? -1];
    if (!item || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    onChange(item.value);
    document.getElementById(`${idPrefix}-tab-${item.value}`)?.focus();
  };
  return (
    <div className={styles.tabs} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {items.map((item) => (
        <button
          key={item.value}
          type="button"
          role="tab"
          id={`${idPrefix}-tab-${item.value}`}
          aria-selected={item.value === value}
          aria-controls={item.value === value ? `${idPrefix}-panel-${item.value}` : undefined}
          tabIndex={item.value === value ? 0 : -1}
          className={cx(styles.tab, item.value === value && styles.selected, item.apart === true && "pushRight")}
          data-focus="inset"
          // The label may be hidden for lack of room.
          data-tip={item.icon && item.label}
          onClick={() => onChange(item.value)}
        >
          {item.icon && <item.icon size={14} aria-hidden />}
          <span data-tab-word>{item.label}</span>
          {item.count !== undefined && (
            <span className={styles.count}>{item.count === null ? "" : number(item.count)}</span>
          )}
          {item.mark && (
            <item.mark.icon
              size={14}
              role="img"
              aria-label={item.mark.label}
              className={item.mark.isError === true ? "bad" : "warn"}
            />
          )}
        </button>
      ))}
    </div>
  );
}

export interface TabPanelProps<T extends string> {
  idPrefix: string;
  value: T;
  /** The selected tab. */
  active: T;
  children: ReactNode;
}

export function TabPanel<T extends string>({ idPrefix, value, active, children }: TabPanelProps<T>) {
  if (value !== active) return null;
  return (
    <div
      role="tabpanel"
      id={`${idPrefix}-panel-${value}`}
      aria-labelledby={`${idPrefix}-tab-${value}`}
      className="tall flat"
    >
      {children}
    </div>
  );
}
