import { useEffect } from "react";

import { hasSignIn } from "../features/auth/words";
import { hasModifier, isTyping } from "../lib/shortcuts";
import { useActions, useReadState } from "../state/hooks";
import { tabs } from "../state/view";

/** The keys that work everywhere in the window. Those of a list or a form are at home there. */
export function useShortcuts(): void {
  const actions = useActions();
  const read = useReadState();

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      const { live, view } = read();
      if (view.opening !== null || view.shortcutsOpen) return;
      const { server } = view;

      if (hasModifier(event) && /^[1-9]$/.test(event.key)) {
        actions.selectServerAt(Number(event.key) - 1);
      } else if (hasModifier(event) && event.key.toLowerCase() === "z" && !isTyping(event.target)) {
        if (!actions.undoLast()) return;
      } else if (hasModifier(event) && event.key === ",") {
        actions.openPanel({ type: "settings" });
      } else if (
        server !== null &&
        ((hasModifier(event) && event.key.toLowerCase() === "k") ||
          (plain(event) && event.key === "/" && !isTyping(event.target)))
      ) {
        actions.closePanel();
        actions.selectTab(server, "tools");
        actions.focusSearch();
      } else if (
        server !== null &&
        event.altKey &&
        !event.ctrlKey &&
        !event.metaKey &&
        /^Digit[1-5]$/.test(event.code)
      ) {
        const tab = tabs[Number(event.code.slice(5)) - 1] ?? "tools";
        if (tab === "sign_in" && !hasSignIn(live.servers[server], live.auth[server])) return;
        actions.closePanel();
        actions.selectTab(server, tab);
      } else if (event.key === "?" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target)) {
        actions.setShortcutsOpen(true);
      } else if (event.key === "Escape" && view.panel !== null && !isTyping(event.target)) {
        actions.closePanel();
      } else {
        return;
      }
      event.preventDefault();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [actions, read]);
}

function plain(event: KeyboardEvent): boolean {
  return !event.ctrlKey && !event.metaKey && !event.altKey;
}
