import { useMemo } from "react";

import type { SuggestionSource } from "../../components/form/suggestions";
import type { PromptDetail, ServerId } from "../../ipc/bindings";
import { toText } from "../../schema";
import { useBackend, useReadState, useSession } from "../../state/hooks";
import { draftKey, type FormTarget } from "../../state/view";

/** Suggestions for the arguments of a prompt; `null` where the server offers none. */
export function usePromptSuggestions(
  server: ServerId,
  target: FormTarget,
  { row, arguments: all }: PromptDetail,
): SuggestionSource | null {
  const backend = useBackend();
  const read = useReadState();
  const session = useSession(server);
  const offered = session?.phase === "ready" && session.completions;
  return useMemo(() => {
    if (!offered) return null;
    return {
      ask: async (name, value) => {
        const draft = read().view.drafts[draftKey(server, target)];
        const found = await backend.call("complete", {
          server,
          reference: { type: "prompt", name: row.key },
          argument: { name, value },
          resolved: resolvedBut(name, all, draft && toText(draft.document)),
        });
        return found && { values: found.values, total: found.total, hasMore: found.has_more };
      },
      cancel: () => void backend.call("cancel_completion", { server }).catch(() => undefined),
    };
  }, [offered, backend, read, server, target, row.key, all]);
}

/** The other arguments that have a text by now, in the order of the prompt. */
function resolvedBut(
  name: string,
  all: PromptDetail["arguments"],
  text: string | undefined,
): { name: string; value: string }[] {
  let given: unknown;
  try {
    given = JSON.parse(text ?? "{}");
  } catch {
    return [];
  }
  if (typeof given !== "object" || given === null) return [];
  const values = given as Readonly<Record<string, unknown>>;
  return all.flatMap((argument) => {
    const value = Object.hasOwn(values, argument.name) ? values[argument.name] : undefined;
    return argument.name !== name && typeof value === "string" && value !== "" ? [{ name: argument.name, value }] : [];
  });
}
