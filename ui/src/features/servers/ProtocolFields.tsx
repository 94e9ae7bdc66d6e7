import inputs from "../../components/Field.module.css";
import { Select } from "../../components/Select";
import { PROTOCOL_VERSIONS, type EraDraft, type HttpKind } from "../../ipc/bindings";
import styles from "./ServerForm.module.css";

const eras: readonly { value: EraDraft["type"]; label: string; hint: string }[] = [
  {
    value: "automatic",
    label: "Automatic",
    hint: "Asks the server which way it speaks, and begins with the handshake where it does not know the question.",
  },
  { value: "handshake", label: "Handshake", hint: "Begins with initialize, without asking first." },
  {
    value: "stateless",
    label: "Stateless",
    hint: "Every request stands for itself. Fails where the server does not know that.",
  },
  { value: "fixed", label: "One revision", hint: "Offers this revision and accepts no other." },
];

/** Which way the server is spoken to. */
export function EraFields({ era, onChange }: { era: EraDraft; onChange: (era: EraDraft) => void }) {
  const newest = PROTOCOL_VERSIONS[0] ?? "";
  return (
    <div className={styles.pair}>
      <Select
        label="Protocol"
        value={era.type}
        items={eras}
        hint={eras.find((each) => each.value === era.type)?.hint}
        onChange={(type) => onChange(type === "fixed" ? { type, revision: newest } : { type })}
      />
      {era.type === "fixed" && (
        <Select
          label="Revision"
          value={era.revision}
          items={[...new Set([...PROTOCOL_VERSIONS, era.revision])].map((value) => ({ value, label: value }))}
          onChange={(revision) => onChange({ type: "fixed", revision })}
        />
      )}
    </div>
  );
}

const kinds: readonly { value: HttpKind; label: string; hint: string }[] = [
  {
    value: "automatic",
    label: "Automatic",
    hint: "Streamable HTTP, and HTTP+SSE where the server knows nothing newer.",
  },
  { value: "streamable", label: "Streamable HTTP", hint: "Streamable HTTP only." },
  {
    value: "sse",
    label: "HTTP+SSE",
    hint: "The transport of 2024-11-05: a stream at this address, answers on that stream.",
  },
];

/** Which HTTP transport an address is reached by; of a WebSocket address there is only one. */
export function KindField({
  kind,
  socket,
  onChange,
}: {
  kind: HttpKind;
  socket: boolean;
  onChange: (kind: HttpKind) => void;
}) {
  if (socket) {
    return (
      <p className={inputs.hint} role="status">
        This is a WebSocket address: frames go over one WebSocket with the subprotocol “mcp”.
      </p>
    );
  }
  return (
    <div className={styles.pair}>
      <Select
        label="Transport"
        value={kind}
        items={kinds}
        hint={kinds.find((each) => each.value === kind)?.hint}
        onChange={onChange}
      />
    </div>
  );
}
