import { Band } from "../../components/Band";
import type { ServerId } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { count } from "../../lib/format";
import { useServerRequestsOf, useSlice } from "../../state/hooks";
import type { Slice } from "../../state/slices/slice";
import { ServerRequestCard } from "./ServerRequestCard";
import styles from "./serverRequests.module.css";

/** The requests above the tabs are folded. */
const serverRequestsSlice: Slice<{ readonly folded: boolean }> = {
  name: "server_requests",
  initial: { folded: false },
};

interface SessionServerRequestsProps {
  readonly server: ServerId;
  /** The content below shows many rows, and needs the room more than a request does. */
  readonly aboveRows: boolean;
}

/** Server requests outside of any operation, above everything else about the server. Can be folded. */
export function SessionServerRequests({ server, aboveRows }: SessionServerRequestsProps) {
  const serverRequests = useServerRequestsOf(server, null);
  const [{ folded }, setUi] = useSlice(server, serverRequestsSlice);
  if (serverRequests.length === 0) return null;
  return (
    <Band
      label="Server requests"
      bodyLabel="Requests"
      tone="info"
      title={`${count(serverRequests.length, "server request", "server requests")} outside of any run`}
      open={!folded}
      onToggle={() => setUi({ folded: !folded })}
      bodyClass={cx(styles.list, aboveRows && styles.aboveRows)}
    >
      {serverRequests.map((request) => (
        <ServerRequestCard key={request} request={request} />
      ))}
    </Band>
  );
}
