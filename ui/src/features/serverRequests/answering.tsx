import type { KeyboardEvent, ReactNode } from "react";

import { Button } from "../../components/Button";
import type { AnswerInput, OpenServerRequest } from "../../ipc/bindings";
import { once } from "../../lib/once";
import { hasModifier } from "../../lib/shortcuts";

export interface AnswerProps {
  readonly request: OpenServerRequest;
  readonly busy: boolean;
  /** Sends an answer, once. `before` runs first; nothing is sent if it fails. */
  readonly send: (answer: AnswerInput, before?: () => Promise<boolean>) => Promise<void>;
}

/** The two ways of not answering that only an elicitation has. */
export function Declining({ busy, send }: Omit<AnswerProps, "request">): ReactNode {
  return (
    <>
      <Button
        small
        disabled={busy}
        title="Responds with the action “decline”"
        onClick={once(() => send({ type: "decline" }))}
      >
        Decline
      </Button>
      <Button
        small
        kind="quiet"
        disabled={busy}
        title="Responds with the action “cancel”"
        onClick={once(() => send({ type: "cancel" }))}
      >
        Cancel
      </Button>
    </>
  );
}

/** Ctrl+Enter anywhere in a request presses the button that sends its answer (`data-send`), and runs no tool beside it. */
export function onSendKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "Enter" || !hasModifier(event)) return;
  event.preventDefault();
  if (!event.repeat) event.currentTarget.querySelector<HTMLElement>("[data-send]:enabled")?.click();
}
