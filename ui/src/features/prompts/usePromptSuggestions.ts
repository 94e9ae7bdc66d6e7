import { useCallback, useMemo } from "react";

import type { SuggestionSource } from "../../components/form/suggestions";
import { useCompletions } from "../../components/form/useCompletions";
import type { CompletionArgument, CompletionReference, PromptDetail, ServerId } from "../../ipc/bindings";
import { toText } from "../../schema";
import { useReadState } from "../../state/hooks";
import { draftKey, type FormTarget } from "../../state/view";
import { own } from "../../lib/own";

/** Returns completions for the arguments of a prompt; `null` if the server offers none. */
export function usePromptSuggestions(
  server: ServerId,
  target: FormTarget,
  { row, arguments: all }: PromptDetail,
): SuggestionSource | null {
  const read = useReadState();
  const reference = useMemo<CompletionReference>(() => ({ type: "prompt", name: row.key }), [row.key]);
  const others = useCallback(
    (name: string) => {
      const draft = read().view.drafts[draftKey(server, target)];
      return resolvedBut(name, all, draft && toText(draft.document));
    },
    [read, server, target, all],
  );
  return useCompletions(server, reference, others);
}

/** The other arguments that have a text by now, in the order of the prompt. */
function resolvedBut(name: string, all: PromptDetail["arguments"], text: string | undefined): CompletionArgument[] {
  let given: unknown;
  try {
    given = JSON.parse(text ?? "{}");
  } catch {
    return [];
  }
  if (typeof given !== "object" || given === null) return [];
  const values = given as Readonly<Record<string, unknown>>;
  return all.flatMap((argument) => {
    const value = own(values, argument.name);
    return argument.name !== name && typeof value === "string" && value !== "" ? [{ name: argument.name, value }] : [];
  });
}
