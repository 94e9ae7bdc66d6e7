import { Select } from "../../components/Field";
import { PROTOCOL_VERSIONS, type ProtocolMode, type HttpKind } from "../../ipc/bindings";
import type { ProblemOf } from "./serverDraft";
import styles from "./ServerForm.module.css";

const modes: readonly { value: ProtocolMode["type"]; label: string; hint: string }[] = [
  {
    value: "automatic",
    label: "Automatic",
    hint: "Asks the server which versions it supports, and falls back to the handshake.",
  },
  { value: "handshake", label: "Handshake", hint: "Starts with initialize, without detection." },
  {
    value: "stateless",
    label: "Stateless",
    hint: "Every request is self-contained. Fails if the server does not support that.",
  },
  { value: "fixed", label: "Fixed version", hint: "Requests this version and accepts no other." },
];

/** A protocol mode in words, with the version if it is fixed. */
export function modeWords(mode: ProtocolMode): string {
  const name = modes.find(({ value }) => value === mode.type)?.label ?? mode.type;
  return mode.type === "fixed" ? `${name} ${mode.revision}` : name;
}

interface ModeFieldsProps {
  mode: ProtocolMode;
  problemOf: ProblemOf;
  onChange: (mode: ProtocolMode) => void;
}

/** Choice of the protocol mode: automatic, handshake, stateless, or a fixed version. */
export function ModeFields({ mode, problemOf, onChange }: ModeFieldsProps) {
  const newest = PROTOCOL_VERSIONS[0] ?? "";
  return (
    <div className={styles.pair}>
      <Select
        label="Protocol mode"
        value={mode.type}
        items={modes}
        hint={modes.find((each) => each.value === mode.type)?.hint}
        onChange={(type) => onChange(type === "fixed" ? { type, revision: newest } : { type })}
      />
      {mode.type === "fixed" && (
        <Select
          label="Protocol version"
          value={mode.revision}
          error={problemOf("protocol_version")}
          items={[...new Set([...PROTOCOL_VERSIONS, mode.revision])].map((value) => ({ value, label: value }))}
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
    hint: "Streamable HTTP, falling back to HTTP+SSE.",
  },
  { value: "streamable", label: "Streamable HTTP", hint: "Streamable HTTP only." },
  {
    value: "sse",
    label: "HTTP+SSE",
    hint: "The transport of 2024-11-05, with all responses on one event stream.",
  },
];

/** Choice of the HTTP transport of an address; a WebSocket address has only one. */
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
      <p className="note" role="status">
        This is a WebSocket URL: messages go over one WebSocket with the subprotocol “mcp”.
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
