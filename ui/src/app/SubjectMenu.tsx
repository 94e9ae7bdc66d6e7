import { Copy } from "lucide-react";
import { useEffect, useState } from "react";

import { itemsOf } from "../components/contextItems";
import { MenuAt, type MenuItem } from "../components/Menu";
import { selectedText } from "../components/viewer/selectedText";
import { isTyping, keysLabel, matchesKeys } from "../lib/shortcuts";
import { listen } from "../lib/listen";
import { useApp, useAppState } from "../state/hooks";
import type { Subject } from "../state/view";
import { actionsOn } from "./actions";

interface Offered {
  readonly at: DOMRectReadOnly;
  readonly items: readonly MenuItem[];
}

/**
 * Context menu of an element marked with its subject, opened by the right button or by its keys. Entries for the
 * selected text and for the parts under the pointer come first; fields have the system's menu.
 */
export function SubjectMenu() {
  const app = useApp();
  const menu = useAppState((state) => state.view.menu);
  /** Position of the open menu, and its entries in addition to the actions. */
  const [offered, setOffered] = useState<Offered | null>(null);

  useEffect(() => {
    const { setMenu } = app.actions;
    const open = (event: Event, place: Element, at: DOMRectReadOnly): void => {
      const text = place.closest<HTMLElement>("[data-subject]")?.dataset["subject"];
      const subject = text === undefined ? null : (JSON.parse(text) as Subject);
      const selection = selectionAt(place);
      const copy = (): void => void app.actions.copy(Promise.resolve(selection), "Selection copied");
      const selected = { label: "Copy selection", icon: Copy, onSelect: copy };
      const items = [...(selection === "" ? [] : [selected]), ...itemsOf(event)];
      event.preventDefault();
      if (subject === null && items.length === 0) return;
      setOffered({ at, items });
      setMenu({ label: "Actions", subject, at });
    };
    const onContextMenu = (event: MouseEvent): void => {
      // Some systems send this event after the key as well.
      if (app.store.getState().view.menu !== null) event.preventDefault();
      if (event.defaultPrevented || !(event.target instanceof Element) || isTyping(event.target)) return;
      open(event, event.target, new DOMRect(event.clientX, event.clientY));
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isTyping(event.target)) return;
      if (!matchesKeys(event, "ContextMenu") && !matchesKeys(event, "Shift+F10")) return;
      const element = focusedSubject();
      if (!element) return;
      const { left, top, bottom } = element.getBoundingClientRect();
      // For an element higher than a row, the menu would be far from the focus.
      open(event, element, new DOMRect(left + 8, Math.min(bottom - 8, Math.max(top, 0) + 40)));
    };
    return listen(document, { contextmenu: onContextMenu, keydown: onKeyDown });
  }, [app]);

  if (!menu) return null;
  const more = offered?.at === menu.at ? offered.items : [];
  const actions = menu.subject === null ? [] : actionsOn(menu.subject, app);
  const items = actions.flatMap((group, index): (MenuItem | "separator")[] => [
    ...(index > 0 || more.length > 0 ? ["separator" as const] : []),
    ...group.map((action) => ({
      label: action.title,
      icon: action.icon,
      danger: action.danger,
      disabled: !action.enabled,
      ...(action.keys !== undefined && { shortcut: keysLabel(action.keys) }),
      onSelect: action.run,
    })),
  ]);
  return (
    <MenuAt label={menu.label} items={[...more, ...items]} at={menu.at} onClose={() => app.actions.setMenu(null)} />
  );
}

/** Finds the subject with the focus: the focused element, one around it, or the row that a list points to. */
function focusedSubject(): HTMLElement | null {
  const focused = document.activeElement;
  const row = document.getElementById(focused?.getAttribute("aria-activedescendant") ?? "");
  const element = row ?? focused;
  return row?.querySelector<HTMLElement>("[data-subject]") ?? (element instanceof HTMLElement ? element : null);
}

/** Returns the selected text as copying would give it; empty if the selection is elsewhere. */
function selectionAt(place: Element): string {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed) return "";
  const range = selection.getRangeAt(0);
  const common = range.commonAncestorContainer;
  if (!range.intersectsNode(place) && !common.contains(place)) return "";
  const rows = (common instanceof Element ? common : common.parentElement)?.closest<HTMLElement>("[data-row-layer]");
  return (rows && selectedText(rows, selection)) ?? selection.toString();
}
