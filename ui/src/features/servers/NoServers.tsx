import { ClipboardPaste, Plus } from "lucide-react";

import { Button } from "../../components/Button";
import { Empty } from "../../components/Empty";
import { plainDraft } from "../../ipc/drafts";
import { useActions } from "../../state/hooks";
import styles from "./NoServers.module.css";

/** The window without any server. */
export function NoServers() {
  const actions = useActions();
  const addDemo = async (): Promise<void> => {
    const draft = {
      name: "Demo server",
      transport: { type: "demo" as const, http: false },
      ...plainDraft,
    };
    const server = await actions.saveServer(null, draft);
    if (server !== undefined) await actions.connect(server);
  };
  return (
    <div className={styles.fill}>
      <Empty
        title="No servers yet"
        page
        actions={
          <>
            <Button kind="primary" icon={Plus} onClick={() => actions.openPanel({ type: "add_server" })}>
              Add a server
            </Button>
            <Button icon={ClipboardPaste} onClick={() => actions.openPanel({ type: "import", text: "" })}>
              Import from JSON
            </Button>
            <Button onClick={() => void addDemo()}>Try the demo server</Button>
          </>
        }
      >
        <p>Add a command or a URL, or paste the configuration of another client (JSON with “mcpServers”) right here.</p>
      </Empty>
    </div>
  );
}
