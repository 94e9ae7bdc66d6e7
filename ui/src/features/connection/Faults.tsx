import { useId, useState, type ReactNode } from "react";

import { Button, type ButtonProps } from "../../components/Button";
import { Select, TextArea, TextInput } from "../../components/Field";
import { valueIn } from "../../lib/valueIn";
import { operationName } from "../../state/operationName";
import type { OperationNumber, ConnectionView, Fault, ServerId } from "../../ipc/bindings";
import { useActions, useOperationOrder, useParts, useSlice } from "../../state/hooks";
import styles from "./connection.module.css";
import { connectionSlice } from "./connectionUi";
import { delayText, faultReason, type Disturbance } from "./connectionWords";

/** Longest delay that the host accepts, in seconds. */
const MOST_SECONDS = 600;

interface FaultsProps {
  server: ServerId;
  connection: ConnectionView;
  ready: boolean;
}

/** Faults that a tester injects on purpose. Each is marked in the wire log as caused by the user. */
export function Faults({ server, connection, ready }: FaultsProps) {
  const actions = useActions();
  const order = useOperationOrder(server);
  const running = useParts((state) =>
    order.filter((operation) => {
      const view = state.live.operations[operation];
      // Other runs do not wait for a stream, or their stream is broken already.
      return view?.state === "running" || view?.state === "cancelling";
    }),
  );
  const reason = (fault: Disturbance): string | null =>
    faultReason(fault, { ready, connection, running: running.length });
  const inject = (fault: Fault): void => void actions.injectFault(server, fault);
  /** Renders a fault that one click injects. */
  const oneClick = (name: string, explains: string, action: string, fault: Fault, more: ButtonProps = {}) => (
    <FaultRow name={name} explains={explains} reason={reason(fault.type)}>
      {(props) => (
        <Button small {...props} {...more} onClick={() => inject(fault)}>
          {action}
        </Button>
      )}
    </FaultRow>
  );
  const { paused } = connection;
  const socket = connection.transport === "web_socket";

  return (
    <div className="stack gap12">
      <p className={styles.quiet}>The wire log marks each fault as caused by you.</p>
      {oneClick("Drop the background stream", "It is reconnected like any other broken stream.", "Drop", {
        type: "drop_listener",
      })}
      <DropOperation
        running={running}
        reason={reason("drop_operation_stream")}
        onDrop={(operation) => inject({ type: "drop_operation_stream", operation })}
      />
      {oneClick("Omit the session ID", "The next requests are sent without it.", "Omit", { type: "forget_session_id" })}
      {oneClick("Send a stale session ID", "One that the server never assigned.", "Send", { type: "stale_session_id" })}
      {oneClick(
        "Send a wrong Last-Event-ID",
        "The background stream is resumed with an ID that the server never sent.",
        "Send",
        { type: "wrong_last_event_id" },
      )}
      <DelayAnswers server={server} millis={connection.answer_delay_ms} reason={reason("delay_answers")} />
      {oneClick(
        "Pause reading",
        `${paused ? "Nothing is being read" : "Nothing is read until you resume"}: the server sees backpressure.`,
        paused ? "Resume reading" : "Pause",
        { type: "pause_reading", paused: !paused },
        paused ? { "aria-label": "Resume reading" } : {},
      )}
      {oneClick(
        socket ? "Drop the socket" : "Kill the process",
        socket ? "Immediately, without a close frame." : "Immediately, as in a crash.",
        socket ? "Drop" : "Kill",
        { type: "kill" },
        { kind: "danger" },
      )}
      <RawFrame server={server} reason={reason("raw_frame")} />
    </div>
  );
}

interface FaultProps {
  name: string;
  explains: ReactNode;
  /** Reason why the fault makes no sense at present; `null` if it does. */
  reason: string | null;
  children: (props: { disabled: boolean; "aria-describedby": string; "aria-label": string }) => ReactNode;
}

/** One fault: its name, and its effect or the reason why it cannot be injected now. */
function FaultRow({ name, explains, reason, children }: FaultProps) {
  const id = useId();
  return (
    <div className={styles.fault}>
      <div className="grow">
        <p className="medium">{name}</p>
        <p id={id} className={styles.quiet}>
          {reason ?? explains}
        </p>
      </div>
      <div className={styles.faultControl}>
        {children({ disabled: reason !== null, "aria-describedby": id, "aria-label": name })}
      </div>
    </div>
  );
}

function DropOperation(props: {
  running: readonly OperationNumber[];
  reason: string | null;
  onDrop: (operation: OperationNumber) => void;
}) {
  const { running, reason, onDrop } = props;
  const [wanted, setWanted] = useState<OperationNumber | null>(null);
  const names = useParts((state) =>
    running.map((number) => {
      const operation = state.live.operations[number];
      return `Run ${number}${operation ? `: ${operationName(operation)}` : ""}`;
    }),
  );
  const operation = wanted !== null && running.includes(wanted) ? wanted : running[0];
  return (
    <FaultRow
      name="Drop a run’s response stream"
      explains="The response is resumed if the server allows it."
      reason={reason}
    >
      {(button) => (
        <>
          {reason === null && running.length > 1 && (
            <Select
              label="Run"
              hideLabel
              value={String(operation)}
              items={running.map((each, index) => ({ value: String(each), label: names[index] ?? "" }))}
              onChange={(value) => setWanted(Number(value))}
            />
          )}
          <Button small {...button} onClick={() => operation !== undefined && onDrop(operation)}>
            Drop
          </Button>
        </>
      )}
    </FaultRow>
  );
}

function DelayAnswers({ server, millis, reason }: { server: ServerId; millis: number; reason: string | null }) {
  const actions = useActions();
  const [text, setText] = useState("5");
  const seconds = Number(text.trim().replace(",", "."));
  const good = text.trim() !== "" && seconds > 0 && seconds <= MOST_SECONDS;
  const apply = (value: number): void =>
    void actions.injectFault(server, { type: "delay_answers", millis: Math.round(value * 1000) });
  return (
    <FaultRow
      name="Delay responses to the server"
      explains={
        millis > 0
          ? `Responses to the server’s requests are delayed by ${delayText(millis)}.`
          : good
            ? "Responses to the server’s requests are delayed by this long."
            : `Seconds, more than 0 and at most ${MOST_SECONDS}.`
      }
      reason={reason}
    >
      {(button) =>
        millis > 0 ? (
          <Button small {...button} aria-label="End the delay" onClick={() => apply(0)}>
            End
          </Button>
        ) : (
          <>
            <div className={styles.seconds}>
              <TextInput
                label="Delay in seconds"
                hideLabel
                inputMode="decimal"
                value={text}
                disabled={button.disabled}
                onChange={setText}
              />
            </div>
            <Button small {...button} disabled={button.disabled || !good} onClick={() => apply(seconds)}>
              Delay
            </Button>
          </>
        )
      }
    </FaultRow>
  );
}

function RawFrame({ server, reason }: { server: ServerId; reason: string | null }) {
  const actions = useActions();
  const [{ rawFrame: text }, setUi] = useSlice(server, connectionSlice);
  const [sent, setSent] = useState<string | null>(null);
  const send = async (): Promise<void> => {
    if (await actions.injectFault(server, { type: "raw_frame", text })) setSent(text);
  };
  return (
    <div className="stack gap8 padTop4">
      <TextArea
        label="Send a raw message"
        hint={reason ?? (sent === text && text !== "" ? "Sent. See the wire log." : frameWords(text))}
        rows={5}
        value={text}
        placeholder='{"jsonrpc":"2.0","id":"by-hand","method":"ping"}'
        onChange={(rawFrame) => setUi({ rawFrame })}
      />
      <div className="wraps gap8 flexed">
        <Button small disabled={reason !== null || text === ""} onClick={() => void send()}>
          Send as is
        </Button>
      </div>
    </div>
  );
}

function frameWords(text: string): string {
  if (text === "") return "Sent exactly as written, valid or not.";
  return valueIn(text) === undefined
    ? "This is not valid JSON. It is sent anyway."
    : "This is valid JSON. It is sent exactly as written.";
}
