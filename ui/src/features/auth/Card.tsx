import { type LucideIcon, KeyRound } from "lucide-react";
import { useEffect, useId, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from "react";

import { Button } from "../../components/Button";
import type { ServerId } from "../../ipc/bindings";
import { isTyping } from "../../lib/shortcuts";
import { useCoarseNow } from "../../lib/useNow";
import { signInActions } from "../../state/actions/signingIn";
import { useActions, useAppState, useSliceValue } from "../../state/hooks";
import { signInSlice } from "../../state/slices/signIn";
import styles from "./auth.module.css";
import { givenUpWords } from "./authWords";

interface CardProps {
  server: ServerId;
  /** Identity of the sign-in, which never changes. */
  signIn: string;
  attempt: number;
  title: ReactNode;
  /** Time at which the sign-in expires, in ms since the epoch. */
  expiresAt: number;
  children: ReactNode;
  /** Main button, which continues the sign-in. */
  action: { readonly label: string; readonly icon: LucideIcon; readonly again?: boolean; readonly run: () => void };
}

/** A sign-in that waits for the user: its details, and the one button that continues it. */
export function Card({ server, signIn, attempt, title, expiresAt, children, action }: CardProps) {
  const actions = useActions().get(signInActions);
  const now = useCoarseNow(expiresAt);
  const id = useId();
  const [primary, guardKey] = useFocusOnce(server, signIn);
  const card = useFocusLeft();
  return (
    <section ref={card} className={styles.card} aria-labelledby={id} data-sign-in={attempt}>
      <div className="wrap gap4x8">
        <KeyRound size={15} aria-hidden className="rigid warn" />
        <h2 id={id} className="grow strong breakable large">
          {title}
        </h2>
        <span className="note digits">{givenUpWords(expiresAt, now)}</span>
      </div>
      {children}
      <div className={styles.cardFoot}>
        <Button
          ref={primary}
          data-open-sign-in=""
          kind={action.again ? "plain" : "primary"}
          icon={action.icon}
          onKeyDown={guardKey}
          onClick={action.run}
        >
          {action.label}
        </Button>
        <Button onClick={() => void actions.cancelSignIn(server)}>Cancel</Button>
      </div>
    </section>
  );
}

/** Time for which keys are ignored after the focus came automatically, in ms: they were meant for something else. */
const STRAY_KEY_MS = 500;

/**
 * Ref of the button that takes the focus once per sign-in, unless the user is typing or choosing elsewhere, and
 * whenever the user asks for the card.
 */
function useFocusOnce(server: ServerId, signIn: string) {
  const ref = useRef<HTMLButtonElement>(null);
  const taken = useRef(Number.NEGATIVE_INFINITY);
  const actions = useActions();
  const wanted = useAppState((state) => state.view.signInFocus === server);
  const seen = useSliceValue(server, signInSlice, (ui) => ui.seen) === signIn;
  useEffect(() => {
    if (seen && !wanted) return;
    // The text stays visible; the buttons always are.
    if (wanted || !isOccupied(document.activeElement)) ref.current?.focus({ preventScroll: true });
    if (!wanted) taken.current = performance.now();
    actions.get(signInActions).signInFocused(server, signIn);
  }, [actions, server, signIn, seen, wanted]);
  // Nothing opens before the user could read the card.
  const guardKey = (event: KeyboardEvent): void => {
    const stray = event.repeat || event.timeStamp - taken.current < STRAY_KEY_MS;
    if (stray && (event.key === "Enter" || event.key === " ")) event.preventDefault();
  };
  return [ref, guardKey] as const;
}

/** Moves the focus when the focused card disappears: to the card in its new place, or to the selected tab. */
function useFocusLeft() {
  const card = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const section = card.current;
    return () => {
      if (!section?.contains(document.activeElement)) return;
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return;
        const next =
          document.querySelector<HTMLElement>("[data-open-sign-in]") ??
          document.querySelector<HTMLElement>("[role=tab][aria-selected=true]");
        next?.focus({ preventScroll: true });
      });
    };
  }, []);
  return card;
}

/** True if the user is in the middle of something that must keep the focus. */
function isOccupied(element: Element | null): boolean {
  return isTyping(element) || (element?.closest("[role=dialog], [role=alertdialog], [role=menu]") ?? null) !== null;
}
