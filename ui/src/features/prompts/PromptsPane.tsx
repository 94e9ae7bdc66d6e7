import { Empty } from "../../components/Empty";
import { SelectedItemPanes, type ItemsPaneProps } from "../../components/ItemPanes";
import { PromptView } from "./PromptView";

/** The prompts of a server, the form of one of them, and the runs. */
export function PromptsPane(props: ItemsPaneProps) {
  return (
    <SelectedItemPanes
      {...props}
      kind="prompts"
      words={{ list: "Prompt list", item: "Prompt", form: "Form" }}
      none={
        <Empty title="No prompt selected">
          <p>Select a prompt to see its form.</p>
        </Empty>
      }
      item={(key) => <PromptView key={`${props.server} ${key}`} server={props.server} prompt={key} />}
    />
  );
}
