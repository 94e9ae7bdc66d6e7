import type { ReactNode } from "react";

import type { CatalogKind, DocumentSource, PromptDetail, ServerId } from "../ipc/bindings";
import { itemName } from "../lib/itemName";
import { useIssuePlace } from "../state/useIssuePlace";
import { CopyButton } from "./CopyButton";
import { HeadIcon } from "./HeadIcon";
import { ItemDescription } from "./ItemDescription";
import { ItemExtras } from "./ItemExtras";
import { PaneHead } from "./PaneHead";

export interface ItemHeaderProps {
  readonly server: ServerId;
  readonly kind: CatalogKind;
  readonly detail: Pick<PromptDetail, "row" | "description" | "extras" | "raw">;
  /** Shown beside the title. */
  readonly beside?: ReactNode;
  /** Shown with the definition. */
  readonly details?: ReactNode;
  /** Description and facts, if more than the description is shown. */
  readonly about?: (definition: DocumentSource) => ReactNode;
  /** Shown below. */
  readonly children?: ReactNode;
}

/** Names of the definition and of the pane of an item by its kind. */
const WORDS: Readonly<Record<CatalogKind, readonly [definition: string, pane: string]>> = {
  tools: ["Tool", "form"],
  resources: ["Resource", "resource"],
  resource_templates: ["Template", "resource"],
  prompts: ["Prompt", "form"],
  skills: ["Skill", "skill"],
};

/** Header of an item: title and buttons in one line, the description below, and the definition collapsed. */
export function ItemHeader(props: ItemHeaderProps): ReactNode {
  const { server, kind, detail, beside, details, about, children } = props;
  const { row, description, extras, raw } = detail;
  const source = { type: "definition", server, kind, key: row.key } as const;
  const pointer = useIssuePlace(server, `item ${kind} ${row.key}`);
  const [name, label] = WORDS[kind];
  return (
    <PaneHead
      server={server}
      label={label}
      title={itemName(row)}
      icon={<HeadIcon server={server} icons={extras.icons} />}
      beside={
        <>
          {label === "form" && (
            <span className="inlineRow selectable gap2 shrink muted">
              <code>{row.name}</code>
              <CopyButton text={row.name} label="Copy name" compact />
            </span>
          )}
          {beside}
        </>
      }
      definition={{ name, source, raw, pointer, more: details }}
    >
      {about ? about(source) : <ItemDescription text={description} definition={source} />}
      <ItemExtras key={row.key} server={server} extras={extras} definition={source} />
      {children}
    </PaneHead>
  );
}
