import { useEffect } from "react";

import { MenuAt, type MenuItem } from "../components/Menu";
import { isTyping, keysLabel, matchesKeys } from "../lib/shortcuts";
import { useApp, useAppState } from "../state/hooks";
import type { Subject } from "../state/view";
import { actionsOn } from "./actions";

/** The context menu of what is marked with its subject: on the right button, and on the keys for it. */
export function SubjectMenu() {
  const app = useApp();
  const menu = useAppState((state) => state.view.menu);

  useEffect(() => {
    const { setMenu } = app.actions;
    const open = (element: HTMLElement, at: DOMRectReadOnly): boolean => {
      const text = element.dataset["subject"];
      if (text === undefined) return false;
      setMenu({ label: "Actions", subject: JSON.parse(text) as Subject, at });
      return true;
    };
    const onContextMenu = (event: MouseEvent): void => {
      // Some systems send it after the key too.
      if (app.store.getState().view.menu !== null) event.preventDefault();
      if (event.defaultPrevented || !(event.target instanceof Element) || isTyping(event.target)) return;
      const element = event.target.closest<HTMLElement>("[data-subject]");
      if (element && open(element, new DOMRect(event.clientX, event.clientY))) event.preventDefault();
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isTyping(event.target)) return;
      if (!matchesKeys(event, "ContextMenu") && !matchesKeys(event, "Shift+F10")) return;
      const element = focusedSubject();
      if (!element) return;
      const { left, bottom } = element.getBoundingClientRect();
      if (open(element, new DOMRect(left + 8, bottom - 8))) event.preventDefault();
    };
    document.addEventListener("contextmenu", onContextMenu);
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("contextmenu", onContextMenu);
      document.removeEventListener("keydown", onKeyDown);
    };
  }, [app]);

  if (!menu) return null;
  const items = actionsOn(menu.subject, app).flatMap((group, index): (MenuItem | "separator")[] => [
    ...(index > 0 ? ["separator" as const] : []),
    ...group.map((action) => ({
      label: action.title,
      icon: action.icon,
      danger: action.danger,
      disabled: !action.enabled,
      ...(action.keys !== undefined && { shortcut: keysLabel(action.keys) }),
      onSelect: action.run,
    })),
  ]);
  return <MenuAt label={menu.label} items={items} at={menu.at} onClose={() => app.actions.setMenu(null)} />;
}

/** What the focus is on: the element that has it or is within one, or the row that a list points to. */
function focusedSubject(): HTMLElement | null {
  const focused = document.activeElement;
  const row = document.getElementById(focused?.getAttribute("aria-activedescendant") ?? "");
  const element = row ?? focused;
  return element?.closest<HTMLElement>("[data-subject]") ?? row?.querySelector<HTMLElement>("[data-subject]") ?? null;
}
