import { Download } from "lucide-react";
import { useState } from "react";

import { Button } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { Code } from "../../components/Code";
import { CopyButton } from "../../components/CopyButton";
import { Select } from "../../components/Field";
import { Panel } from "../../components/Panel";
import { SavedAs } from "../../components/SavedAs";
import { Spinner } from "../../components/Spinner";
import type { ServerId } from "../../ipc/bindings";
import { visibleText } from "../../lib/visible";
import { useActions, useServer } from "../../state/hooks";
import { useFetched } from "../../state/queries";

/** A server's configuration in the formats of other clients, to be copied or saved. */
export function ExportPanel({ server }: { server: ServerId }) {
  const view = useServer(server);
  const actions = useActions();
  const [client, setClient] = useState("claude_code");
  const [saved, setSaved] = useState<string | null>(null);
  const exported = useFetched(server, view?.address ?? "", (backend) => backend.call("export_server", { server }));
  const all = exported.value ?? [];
  const one = all.find((other) => other.client === client);
  const save = async (): Promise<void> => {
    setSaved((await actions.command("save_export", { server, client })) ?? null);
  };
  return (
    <Panel
      title={`Configuration of ${visibleText(view?.config.name ?? "server")}`}
      lead="For the configuration file of another client. Secrets stay in Sonde."
      footer={
        <>
          {one && one.text !== null && (
            <>
              <CopyButton text={one.text} label="Copy configuration" />
              <Button small icon={Download} onClick={() => void save()}>
                Save to a file
              </Button>
            </>
          )}
          <Button small kind="quiet" onClick={() => actions.closePanel()}>
            Close
          </Button>
        </>
      }
    >
      {exported.state === "failed" && <Callout level="error" role="alert" title={exported.error.message} />}
      {exported.state === "loading" && <Spinner label="Reading…" />}
      {all.length > 0 && (
        <Select
          label="Client"
          value={client}
          items={all.map((other) => ({ value: other.client, label: other.name }))}
          onChange={(next) => {
            setClient(next);
            setSaved(null);
          }}
        />
      )}
      {one && one.problem !== null && <Callout level="warning" title={one.problem} />}
      {one?.notes.map((note) => (
        <Callout key={note} level="info" title={note} />
      ))}
      {one && one.text !== null && <Code label="Configuration" text={one.text} />}
      {saved !== null && <SavedAs path={saved} />}
    </Panel>
  );
}
