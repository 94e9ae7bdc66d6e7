import { useDeferredValue, type ReactNode } from "react";

import { Empty } from "../../components/Empty";
import { ItemPanes } from "../../components/ItemPanes";
import type { ServerId } from "../../ipc/bindings";
import { useCatalog, useOpenCatalogs, useShownPrompt } from "../../state/hooks";
import { itemTabs } from "../../state/itemTabs";
import { PromptView } from "./PromptView";

export interface PromptsPaneProps {
  readonly server: ServerId;
  /** The list, with this prompt selected. */
  readonly list: (selected: string | null) => ReactNode;
  readonly runs: ReactNode;
}

const WORDS = { list: "Prompt list", item: "Prompt", form: "Form" };

/** The prompts of a server, the form of one of them, and the runs. The list is read when it is first looked at. */
export function PromptsPane({ server, list, runs }: PromptsPaneProps) {
  useOpenCatalogs(server, itemTabs.prompts);
  const prompt = useShownPrompt(server);
  const shown = useDeferredValue(prompt);
  const listed = (useCatalog(server, "prompts")?.revision ?? 0) > 0;
  const form =
    shown === null || !listed ? (
      <Empty title="No prompt selected">
        <p>Select a prompt to see its form.</p>
      </Empty>
    ) : (
      <PromptView key={`${server} ${shown}`} server={server} prompt={shown} />
    );
  return <ItemPanes server={server} words={WORDS} list={list(prompt)} form={form} shown={shown} runs={runs} />;
}
