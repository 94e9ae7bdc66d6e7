import { useDeferredValue, type ReactNode } from "react";

import { Empty } from "../../components/Empty";
import { ItemPanes } from "../../components/ItemPanes";
import type { ServerId } from "../../ipc/bindings";
import { itemTabs } from "../../state/itemTabs";
import { useCatalog, useOpenCatalogs, useShownTool } from "../../state/hooks";
import { ToolView } from "./ToolView";

export interface ToolsPaneProps {
  readonly server: ServerId;
  /** The list, with this tool selected. */
  readonly list: (selected: string | null) => ReactNode;
  readonly runs: ReactNode;
}

const WORDS = { list: "Tool list", item: "Tool", form: "Form" };

/** The tools of a server, the form of one of them, and the runs. */
export function ToolsPane({ server, list, runs }: ToolsPaneProps) {
  // Connecting reads the tools; they are read again here once the server lets them be kept no longer.
  useOpenCatalogs(server, itemTabs.tools);
  const tool = useShownTool(server);
  // Arrow keys move through the list at once; the form follows when there is time.
  const shown = useDeferredValue(tool);
  const listed = (useCatalog(server, "tools")?.revision ?? 0) > 0;
  const form =
    shown === null ? (
      <Empty title="No tool selected">
        <p>Select a tool to see its form.</p>
      </Empty>
    ) : !listed ? (
      <Empty title="No tools listed yet">
        <p>The form of “{shown}” appears once the server has listed its tools.</p>
      </Empty>
    ) : (
      <ToolView key={`${server} ${shown}`} server={server} tool={shown} />
    );
  return <ItemPanes server={server} words={WORDS} list={list(tool)} form={form} shown={shown} runs={runs} />;
}
