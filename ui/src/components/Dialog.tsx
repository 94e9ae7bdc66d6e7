import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode } from "react";

import styles from "./Dialog.module.css";

export interface DialogProps {
  title: string;
  open: boolean;
  onClose: () => void;
  footer: ReactNode;
  children: ReactNode;
}

/** For the few server requests that must be answered before anything else. */
export function Dialog({ title, open, onClose, footer, children }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={styles.popup}>
          <Base.Title className={styles.title}>{title}</Base.Title>
          <div className={styles.body}>{children}</div>
          <div className={styles.footer}>{footer}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
