import type { ReactNode } from "react";

import type { ServerId } from "../ipc/bindings";
import { useLater } from "../lib/useLater";
import { useIsSmall } from "../lib/useMedia";
import { useActions, useAppState, useCatalog, useOpenCatalogs, useSelectedItem, useServerUi } from "../state/hooks";
import { itemTabs } from "../state/itemTabs";
import type { SelectedKind } from "../state/slices/items";
import { focusMark, focusNames } from "../state/view";
import { FormAndRuns } from "./FormAndRuns";
import { PaneBoundary } from "./PaneBoundary";
import { Segmented } from "./Segmented";
import { Split } from "./Split";

export interface ItemPanesProps {
  readonly server: ServerId;
  /** Names of the panes. */
  readonly words: { readonly list: string; readonly item: string; readonly form: string };
  readonly list: ReactNode;
  readonly form: ReactNode;
  /** Identifies the subject of the form: a crash in it is forgotten when the subject changes. */
  readonly shown: string | null;
  readonly runs: ReactNode;
}

/**
 * Shows the list of a server, the form of one item, and the runs beside or below it; only one of these at a time if
 * there is no room for all.
 */
export function ItemPanes({ server, words, list, form, shown, runs }: ItemPanesProps) {
  const below = useAppState((state) => state.live.settings.runs_below);
  const maximized = useServerUi(server, (ui) => ui.maximized);
  const part = useServerUi(server, (ui) => ui.part);
  const { showPart } = useActions();
  const small = useIsSmall();
  const alone = maximized ?? (small ? part : null);
  const panes = (
    <Split
      name="tools"
      label={words.list.toLowerCase()}
      sized="first"
      unit="%"
      standard={24}
      least={180}
      leastRest={420}
      only={alone === null ? null : alone === "list" ? "first" : "second"}
      first={
        <section className="fill shrink clipped" aria-label={words.list} {...focusMark(focusNames.pane("list"))}>
          <PaneBoundary name={words.list}>{list}</PaneBoundary>
        </section>
      }
      second={
        <FormAndRuns
          size="runs"
          label={words.item}
          form={form}
          shown={shown}
          runs={runs}
          below={below}
          only={alone === null || alone === "list" ? null : alone === "form" ? "form" : "runs"}
        />
      }
    />
  );
  return (
    <div className="fill">
      {small && maximized === null && (
        <div className="bar pad4x8">
          <Segmented
            label="Pane"
            value={part}
            onChange={(next) => showPart(server, next)}
            items={{ list: words.list, form: words.form, runs: "Runs" }}
          />
        </div>
      )}
      <div className="fit">{panes}</div>
    </div>
  );
}

export interface SelectedItemPanesProps {
  readonly server: ServerId;
  /** Renders the list with this item selected. */
  readonly list: (selected: string | null) => ReactNode;
  readonly runs: ReactNode;
  readonly kind: SelectedKind;
  readonly words: ItemPanesProps["words"];
  /** Shown without a selected item. */
  readonly none: ReactNode;
  /** Shown instead of an item before its list was read. */
  readonly unlisted?: (key: string) => ReactNode;
  readonly item: (key: string) => ReactNode;
}

/** Panes of a list with one selected item. The list is read when it is first shown. */
export function SelectedItemPanes(props: SelectedItemPanesProps): ReactNode {
  const { server, kind, words, list, runs, none, unlisted, item } = props;
  useOpenCatalogs(server, itemTabs[kind]);
  const selected = useSelectedItem(server, kind);
  // Arrow keys move through the list at once; the form follows when there is time.
  const shown = useLater(selected);
  const listed = (useCatalog(server, kind)?.revision ?? 0) > 0;
  const form = shown === null ? none : listed ? item(shown) : unlisted ? unlisted(shown) : none;
  return <ItemPanes server={server} words={words} list={list(selected)} form={form} shown={shown} runs={runs} />;
}
