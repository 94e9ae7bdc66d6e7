import { Confirm } from "../../components/Confirm";
import { VisibleText } from "../../components/VisibleText";
import type { ServerId } from "../../ipc/bindings";
import { visibleText } from "../../lib/visible";
import { useActions, useServer } from "../../state/hooks";

/** Asks once, in place, before a server and its history go. */
export function RemoveConfirm({ server, onDone }: { server: ServerId; onDone: () => void }) {
  const view = useServer(server);
  const { command } = useActions();
  if (!view) return null;
  return (
    <Confirm
      label={`Remove ${visibleText(view.config.name)}?`}
      action="Remove"
      keep="Keep"
      onConfirm={() => {
        onDone();
        void command("remove_server", { server });
      }}
      onKeep={onDone}
    >
      Remove “<VisibleText text={view.config.name} />” with its runs, wire log and secrets? An open connection is
      closed. This cannot be undone.
    </Confirm>
  );
}
