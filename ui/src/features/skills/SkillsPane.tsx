import { Empty } from "../../components/Empty";
import { SelectedItemPanes, type ItemsPaneProps } from "../../components/ItemPanes";
import { SkillView } from "./SkillView";

/** The skills of a server, one of them, and the readings of its `SKILL.md`. */
export function SkillsPane(props: ItemsPaneProps) {
  return (
    <SelectedItemPanes
      {...props}
      kind="skills"
      words={{ list: "Skill list", item: "Skill", form: "Skill" }}
      none={
        <Empty title="No skill selected">
          <p>Select a skill to see what the server says about it, and to read it.</p>
        </Empty>
      }
      item={(key) => <SkillView key={`${props.server} ${key}`} server={props.server} skill={key} />}
    />
  );
}
