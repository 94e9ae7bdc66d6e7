import { BookOpen } from "lucide-react";
import { useRef, type ReactNode } from "react";

import type { LedBy, ServerId } from "../ipc/bindings";
import { isTyping, modifier } from "../lib/shortcuts";
import { operationActions } from "../state/actions/operations";
import { useActions, useHandler, useIsReady, useSelectedServer } from "../state/hooks";
import { focusNames } from "../state/view";
import { RESOURCES_READ } from "../state/operationName";
import { Button } from "./Button";
import { metaBlocks, metaParams } from "./meta/meta";
import { useRunMeta } from "./meta/RunMeta";

export interface ReadBarProps {
  readonly server: ServerId;
  /** URI to read; `null` while unknown. */
  readonly uri: string | null;
  /** Returns the URI for the text as typed now; `uri` may lag behind. */
  readonly uriNow?: () => Promise<string | null>;
  /** Sentence that explains an unknown URI. */
  readonly why: string;
  /** Key of the `_meta` for reads: the URI, or the template that it is made from. */
  readonly about: string;
  /** Link or template that led to the resource, if not the list. */
  readonly ledBy?: LedBy;
}

/** The button that reads a resource, and its shortcut. */
export function ReadBar({ server, uri, uriNow, why, about, ledBy }: ReadBarProps): ReactNode {
  const actions = useActions();
  const ready = useIsReady(server);
  const busy = useRef(false);
  const meta = useRunMeta({ server, method: RESOURCES_READ, target: about });
  const blocked = metaBlocks(meta);
  const problem = !ready ? "Connect to read." : uri === null ? why : blocked;

  const read = async (): Promise<void> => {
    // A second click before the first one has started a run must not start another.
    if (!ready || blocked !== null || busy.current) return;
    busy.current = true;
    // After Ctrl+Enter keep the focus in the form; after a click move it to the run.
    const typing = isTyping(globalThis.document.activeElement);
    try {
      const wanted = uriNow ? await uriNow() : uri;
      const operation =
        wanted === null
          ? undefined
          : await actions.get(operationActions).readUnlessFresh(server, wanted, { params: metaParams(meta), ledBy });
      if (operation !== undefined && !typing) actions.focus(focusNames.run(operation));
    } finally {
      busy.current = false;
    }
  };
  // Of two servers side by side, shortcuts apply to the selected one.
  const isSelected = useSelectedServer() === server;
  useHandler("run_tool", () => void read(), isSelected);

  return (
    <footer className="wrap rigid gap8 lineAbove onSide pad8x16">
      <Button kind="primary" icon={BookOpen} disabled={problem !== null} data-run onClick={() => void read()}>
        Read
      </Button>
      <span className="grow note" role="status">
        {problem ?? <kbd>{modifier}+Enter</kbd>}
      </span>
    </footer>
  );
}
