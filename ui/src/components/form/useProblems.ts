import { useEffect, useEffectEvent, useState } from "react";

import type { Backend } from "../../ipc/backend";
import type { ServerId } from "../../ipc/bindings";
import { toText, type FormDocument } from "../../schema/document";
import type { Problem } from "../../schema/problems";
import { useBackend } from "../../state/hooks";

/** Milliseconds after a change before shown problems are checked again. */
const RECHECK_DELAY = 250;

/** Problems of a draft, and the reason if it could not be checked. */
export interface Check<P> {
  readonly problems: readonly P[];
  readonly unchecked: string | null;
}

/** Checks the arguments against the input schema of a tool. */
export function useProblems(server: ServerId, tool: string, document: FormDocument) {
  const backend = useBackend();
  return useChecked(document, (typed) => checkToolArguments(backend, server, tool, toText(typed)));
}

/** Checks arguments, given as JSON text, against the input schema of a tool. */
export async function checkToolArguments(
  backend: Backend,
  server: ServerId,
  tool: string,
  text: string,
): Promise<Check<Problem>> {
  // If nothing can be checked (the schema is invalid), sending is not blocked.
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
}

/** A fault of the schema that the user cannot fix. */
const NO_OBJECT =
  "Its schema asks for something other than an object, so no arguments can match it. You can send any; the server’s author has to correct the schema.";

/**
 * Checks a draft when the user sends it, and again after each change while problems are shown. `look` asks the backend.
 */
export function useChecked<D, P>(draft: D, look: (draft: D) => Promise<Check<P>>) {
  const [checked, setChecked] = useState<(Check<P> & { readonly draft: D }) | null>(null);

  const check = async (): Promise<readonly P[]> => {
    const found = await look(draft);
    setChecked({ ...found, draft });
    return found.problems;
  };

  const recheck = useEffectEvent(() => void check());
  const stale = checked !== null && checked.problems.length > 0 && checked.draft !== draft;
  useEffect(() => {
    if (!stale) return;
    const timer = setTimeout(recheck, RECHECK_DELAY);
    return () => clearTimeout(timer);
  }, [stale, draft]);

  return { problems: checked?.problems ?? none, unchecked: checked?.unchecked ?? null, check };
}

const none: readonly never[] = [];
