import { Dialog as Base } from "@base-ui/react/dialog";
import { useLayoutEffect, useRef, type ReactNode } from "react";

import { TABBABLE } from "../lib/focus";
import { useReturnFocus } from "./useReturnFocus";
import styles from "./Dialog.module.css";

export interface DialogProps {
  title: string;
  open: boolean;
  onClose: () => void;
  footer: ReactNode;
  children: ReactNode;
}

/** Modal dialog, for the few questions that must be answered before anything else. */
export function Dialog({ title, open, onClose, footer, children }: DialogProps) {
  // Close at once, not in a later frame, so that the next key press reaches the page below.
  if (!open) return null;
  return (
    <Base.Root open onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={styles.popup} initialFocus={false} finalFocus={false}>
          <Content title={title} footer={footer}>
            {children}
          </Content>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function Content({ title, footer, children }: Pick<DialogProps, "title" | "footer" | "children">) {
  useReturnFocus();
  const body = useRef<HTMLDivElement>(null);
  const buttons = useRef<HTMLDivElement>(null);
  // The library would move the focus in the next frame, and an earlier key press would reach the page below.
  useLayoutEffect(() => {
    for (const { current } of [body, buttons]) {
      const first = current?.querySelector<HTMLElement>(TABBABLE);
      if (first) return first.focus();
    }
  }, []);
  return (
    <>
      <Base.Title className={styles.title}>{title}</Base.Title>
      <div ref={body} className="pad12x16 scrolls">
        {children}
      </div>
      <div ref={buttons} className={styles.footer}>
        {footer}
      </div>
    </>
  );
}
