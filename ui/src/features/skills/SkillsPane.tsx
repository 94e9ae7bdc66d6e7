import { useDeferredValue, type ReactNode } from "react";

import { Empty } from "../../components/Empty";
import { ItemPanes } from "../../components/ItemPanes";
import type { ServerId } from "../../ipc/bindings";
import { useCatalog, useOpenCatalogs, useShownSkill } from "../../state/hooks";
import { itemTabs } from "../../state/itemTabs";
import { SkillView } from "./SkillView";

export interface SkillsPaneProps {
  readonly server: ServerId;
  /** The list, with this skill selected. */
  readonly list: (selected: string | null) => ReactNode;
  readonly runs: ReactNode;
}

const WORDS = { list: "Skill list", item: "Skill", form: "Skill" };

/** The skills of a server, one of them, and the readings of its `SKILL.md`. The list is read when it is first looked at. */
export function SkillsPane({ server, list, runs }: SkillsPaneProps): ReactNode {
  useOpenCatalogs(server, itemTabs.skills);
  const skill = useShownSkill(server);
  const shown = useDeferredValue(skill);
  const listed = (useCatalog(server, "skills")?.revision ?? 0) > 0;
  const form =
    shown === null || !listed ? (
      <Empty title="No skill selected">
        <p>Select a skill to see what the server says about it, and to read it.</p>
      </Empty>
    ) : (
      <SkillView key={`${server} ${shown}`} server={server} skill={shown} />
    );
  return <ItemPanes server={server} words={WORDS} list={list(skill)} form={form} shown={shown} runs={runs} />;
}
