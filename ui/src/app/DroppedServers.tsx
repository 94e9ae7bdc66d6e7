import { FileDown } from "lucide-react";
import { useEffect, useState } from "react";

import { count } from "../lib/format";
import { readTextFile } from "../lib/textFile";
import { isTyping } from "../lib/shortcuts";
import { visibleText } from "../lib/visible";
import { listen } from "../lib/listen";
import { useActions, useApp } from "../state/hooks";
import styles from "./DroppedServers.module.css";

/** Opens the import with a configuration file or a text that is dropped on the window. */
export function DroppedServers() {
  const actions = useActions();
  const { toasts } = useApp();
  const [over, setOver] = useState(false);
  useEffect(() => {
    /** An element of this page is being dragged. */
    let own = false;
    const isForeign = (event: DragEvent): boolean => {
      const types = event.dataTransfer?.types ?? [];
      if (own || event.defaultPrevented) return false;
      return types.includes("Files") || (types.includes("text/plain") && !isTyping(event.target));
    };
    const onEnd = (): void => {
      own = false;
      setOver(false);
    };
    const onOver = (event: DragEvent): void => {
      if (!isForeign(event)) return;
      // Without this, the page does not accept drops.
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent): void => {
      // The pointer left the window, not just an element.
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      setOver(false);
      if (!isForeign(event)) return;
      event.preventDefault();
      const files = event.dataTransfer?.files;
      const file = files?.[0];
      const text = event.dataTransfer?.getData("text/plain") ?? "";
      const open = (found: string): void => actions.openPanel({ type: "import", text: found, given: true });
      // The import takes one text at a time.
      const sayOthers = (): void => {
        if (!files || !file || files.length < 2) return;
        const others = count(files.length - 1, "other file was", "other files were");
        toasts.say(`“${visibleText(file.name)}” was read. ${others} not: drop them one at a time.`);
      };
      const show = (found: string): void => {
        open(found);
        sayOthers();
      };
      if (file) void actions.attempt(readTextFile(file).then(show), null);
      else if (text.trim() !== "") open(text);
    };
    return listen(window, {
      dragstart: () => void (own = true),
      dragend: onEnd,
      dragover: onOver,
      dragleave: onLeave,
      drop: onDrop,
    });
  }, [actions, toasts]);
  if (!over) return null;
  return (
    <div className={styles.over} role="status">
      <p className={styles.words}>
        <FileDown size={20} aria-hidden /> Drop to import servers
      </p>
    </div>
  );
}
