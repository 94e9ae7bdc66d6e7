import { Confirm } from "../../components/Confirm";
import type { ServerId } from "../../ipc/bindings";
import { useActions, useServer } from "../../state/hooks";

/** Asks once, in place, before a server and its history go. */
export function RemoveConfirm({ server, onDone }: { server: ServerId; onDone: () => void }) {
  const view = useServer(server);
  const { removeServer } = useActions();
  if (!view) return null;
  return (
    <Confirm
      label={`Remove ${view.config.name}?`}
      action="Remove"
      keep="Keep"
      onConfirm={() => {
        onDone();
        void removeServer(server);
      }}
      onKeep={onDone}
    >
      Remove “{view.config.name}”, its runs, its log and its secrets? A running connection is ended. This cannot be
      undone.
    </Confirm>
  );
}
