import { Play } from "lucide-react";

import { Empty } from "../../components/Empty";
import { useActions } from "../../state/hooks";
import { FirstStep, FirstSteps } from "./FirstSteps";
import { newDraft, nameFor } from "./serverDraft";

/** The window without any server. */
export function NoServers() {
  const actions = useActions();
  const addDemo = async (): Promise<void> => {
    const transport = { type: "demo", http: false } as const;
    const server = await actions.saveServer(null, { ...newDraft, name: nameFor(transport), transport });
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
