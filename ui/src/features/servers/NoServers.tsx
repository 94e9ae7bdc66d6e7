import { Play } from "lucide-react";

import { Empty } from "../../components/Empty";
import { useActions } from "../../state/hooks";
import { FirstStep, FirstSteps } from "./FirstSteps";

/** The window without servers. */
export function NoServers() {
  const actions = useActions();
  const addDemo = async (): Promise<void> => {
    // Not needed for the first paint.
    const { plainDraft } = await import("../../ipc/drafts");
    const draft = { name: "Demo server", transport: { type: "demo" as const, http: false }, ...plainDraft };
    const server = await actions.saveServer(null, draft);
    if (server !== undefined) await actions.connect(server);
  };
  return (
    <div className="tall scrolls">
      <Empty
        title="No servers yet"
        page
        actions={
          <FirstSteps>
            <FirstStep
              icon={Play}
              title="Try the demo server"
              text="Built in, and needs no network: connect, choose a tool, fill in its form and press Run."
              primary
              onClick={() => void addDemo()}
            />
          </FirstSteps>
        }
      />
    </div>
  );
}
