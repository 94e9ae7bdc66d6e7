import { useEffect, useEffectEvent, useState } from "react";

import type { ServerId } from "../../ipc/bindings";
import { toText, type FormDocument, type Problem } from "../../schema";
import { useBackend } from "../../state/hooks";

/** Pause after a change before problems that are on show are looked at again, in milliseconds. */
const RECHECK_DELAY = 250;

interface Checked {
  readonly document: FormDocument;
  readonly problems: readonly Problem[];
  /** Reason that nothing could be checked. */
  readonly unchecked: string | null;
}

const none: readonly Problem[] = [];

/** Problems of arguments, and the reason if they could not be checked. */
export interface Check {
  readonly problems: readonly Problem[];
  readonly unchecked: string | null;
}

/** Checks the arguments against the input schema of a tool. */
export function useProblems(server: ServerId, tool: string, document: FormDocument) {
  const backend = useBackend();
  return useChecked(document, async (text) => {
    // Where nothing can be checked (a schema that is none), nothing stands in the way.
    const answered = await backend
      .call("validate_arguments", { server, key: tool, arguments: text })
      .catch(() => ({ problems: [], unchecked: null }));
    const problems = answered.problems.map(({ instancePath, keyword, message, missing }): Problem => ({
      instancePath,
      keyword,
      message,
      ...(missing === null ? {} : { missing }),
    }));
    const asksForNoObject = problems.some(({ instancePath, keyword }) => instancePath === "" && keyword === "type");
    if (asksForNoObject && text.trimStart().startsWith("{")) return { problems: [], unchecked: NO_OBJECT };
    return { problems, unchecked: answered.unchecked };
  });
}

/** A fault of the schema, about which the user can do nothing. */
const NO_OBJECT =
  "Its schema asks for something other than an object, so no arguments can match it. You can send any; the server’s author has to correct the schema.";

/**
 * Checks the arguments when the user runs the tool or gets the prompt, and again after each change as long as
 * problems are shown.
 */
export function useChecked(document: FormDocument, look: (text: string) => Promise<Check>) {
  const [checked, setChecked] = useState<Checked | null>(null);

  const ask = async (): Promise<readonly Problem[]> => {
    const { problems, unchecked } = await look(toText(document));
    setChecked({ document, problems, unchecked });
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
