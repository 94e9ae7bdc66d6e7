import { useEffect, useEffectEvent, useState } from "react";

import type { ServerId } from "../../ipc/bindings";
import { toText, type FormDocument, type Problem } from "../../schema";
import { useBackend } from "../../state/hooks";

/** Pause after a change before problems that are on show are looked at again, in milliseconds. */
const RECHECK_DELAY = 250;

interface Checked {
  readonly document: FormDocument;
  readonly problems: readonly Problem[];
  /** Why nothing could be checked. */
  readonly unchecked: string | null;
}

const none: readonly Problem[] = [];

/**
 * What the schema says about the arguments: asked when the user runs the tool, and again after
 * each change as long as there are problems on show.
 */
export function useProblems(server: ServerId, tool: string, document: FormDocument) {
  const backend = useBackend();
  const [checked, setChecked] = useState<Checked | null>(null);

  const ask = async (): Promise<readonly Problem[]> => {
    // Where nothing can be checked (a schema that is none), nothing stands in the way.
    const answered = await backend
      .call("validate_arguments", { server, key: tool, arguments: toText(document) })
      .catch(() => ({ problems: [], unchecked: null }));
    const problems = answered.problems.map(({ instancePath, keyword, message, missing }): Problem => ({
      instancePath,
      keyword,
      message,
      ...(missing === null ? {} : { missing }),
    }));
    setChecked({ document, problems, unchecked: answered.unchecked });
    return problems;
  };

  const recheck = useEffectEvent(() => void ask());
  const stale = checked !== null && checked.problems.length > 0 && checked.document !== document;
  useEffect(() => {
    if (!stale) return;
    const timer = setTimeout(recheck, RECHECK_DELAY);
    return () => clearTimeout(timer);
  }, [stale, document]);

  return {
    problems: checked?.problems ?? none,
    unchecked: checked?.unchecked ?? null,
    check: ask,
  };
}
