import type { KeyboardEvent, ReactNode } from "react";

import { Button } from "../../components/Button";
import type { AnswerInput, OpenServerRequest } from "../../ipc/bindings";
import { once } from "../../lib/once";
import { hasModifier, modifier } from "../../lib/shortcuts";
import { useConnection } from "../../state/hooks";

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

interface RejectingProps extends AnswerProps {
  /** Message of the error. */
  readonly message: string;
}

/** Rejects a request with an error, for which stateless mode has no response. */
export function Rejecting({ request, busy, send, message }: RejectingProps): ReactNode {
  const stateless = useConnection(request.server)?.era === "stateless";
  return (
    <Button
      small
      disabled={busy}
      title={
        stateless
          ? "Stateless mode has no error response here: rejecting cancels the run"
          : "Responds with the error -1"
      }
      onClick={once(() => send({ type: "error", code: -1, message }))}
    >
      {stateless ? "Reject and cancel the run" : "Reject"}
    </Button>
  );
}

interface SendButtonProps {
  readonly disabled: boolean;
  readonly onSend: () => void;
  readonly children: string;
}

/** Sends the answer, also by {@link onSendKey}. */
export function SendButton({ disabled, onSend, children }: SendButtonProps): ReactNode {
  return (
    <Button small kind="primary" disabled={disabled} data-send title={`${modifier}+Enter`} onClick={once(onSend)}>
      {children}
    </Button>
  );
}

/** Problem of the answer, or the keys that send it. */
export function SendNote({ problem }: { readonly problem: string | null }): ReactNode {
  return (
    <span className="note shrink breakable" role="status">
      {problem ?? <kbd>{modifier}+Enter</kbd>}
    </span>
  );
}

/** Ctrl+Enter anywhere in a request presses the button that sends its answer (`data-send`), and runs no tool beside it. */
export function onSendKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "Enter" || !hasModifier(event)) return;
  event.preventDefault();
  if (!event.repeat) event.currentTarget.querySelector<HTMLElement>("[data-send]:enabled")?.click();
}
