import { Empty } from "../../components/Empty";
import { SelectedItemPanes, type ItemsPaneProps } from "../../components/ItemPanes";
import { ToolView } from "./ToolView";

/**
 * The tools of a server, the form of one of them, and the runs. Connecting reads the tools; they are read again here once
 * the server lets them be kept no longer.
 */
export function ToolsPane(props: ItemsPaneProps) {
  return (
    <SelectedItemPanes
      {...props}
      kind="tools"
      words={{ list: "Tool list", item: "Tool", form: "Form" }}
      none={
        <Empty title="No tool selected">
          <p>Select a tool to see its form.</p>
        </Empty>
      }
      unlisted={(key) => (
        <Empty title="No tools listed yet">
          <p>The form of “{key}” appears once the server has listed its tools.</p>
        </Empty>
      )}
      item={(key) => <ToolView key={`${props.server} ${key}`} server={props.server} tool={key} />}
    />
  );
}
