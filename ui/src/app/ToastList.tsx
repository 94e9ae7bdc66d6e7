import { Toast } from "@base-ui/react/toast";
import { Undo2, X } from "lucide-react";
import { useRef, useState } from "react";

import { Button, IconButton } from "../components/Button";
import type { ToastData } from "../state/toasts";
import styles from "./ToastList.module.css";
import { useFreePlace } from "./useFreePlace";

/**
 * Lists recent actions, with Undo where possible. F6 moves the focus here; pointing at it or focusing it stops the
 * timer.
 */
export function ToastList({ giving = false }: { readonly giving?: boolean }) {
  const { toasts: all, close } = Toast.useToastManager<ToastData>();
  /** Ids of the toasts shown when a presentation began; hidden from its audience. */
  const [held, setHeld] = useState<readonly string[] | null>(null);
  if (giving !== (held !== null)) setHeld(giving ? all.map(({ id }) => id) : null);
  const toasts = all.filter(({ id }) => held?.includes(id) !== true);
  const list = useRef<HTMLDivElement>(null);
  useFreePlace(list, toasts.length);
  return (
    <Toast.Portal>
      <Toast.Viewport ref={list} className={styles.list} aria-label="Done just now">
        {toasts.map((toast) => (
          <Toast.Root key={toast.id} toast={toast} className={styles.toast} swipeDirection={[]}>
            <Toast.Title className={styles.title} render={<p />} />
            {toast.data?.undo && (
              <Button small icon={Undo2} onClick={toast.data.undo}>
                Undo
              </Button>
            )}
            {toast.data?.next && (
              <Button small onClick={toast.data.next.run}>
                {toast.data.next.label}
              </Button>
            )}
            <IconButton small label="Close" icon={X} onClick={() => close(toast.id)} />
          </Toast.Root>
        ))}
      </Toast.Viewport>
    </Toast.Portal>
  );
}
