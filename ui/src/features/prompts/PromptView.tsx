import { useEffect, useMemo, useCallback } from "react";

import { FindingsCallout } from "../../components/Findings";
import { RunForm, type RunWords } from "../../components/form/RunForm";
import { SuggestionContext, type SuggestionSource } from "../../components/form/suggestions";
import { useCompletions } from "../../components/form/useCompletions";
import { useChecked } from "../../components/form/useProblems";
import { ItemFault } from "../../components/ItemFault";
import { ItemHeader } from "../../components/ItemHeader";
import type { PromptDetail, ServerId, CompletionReference, CompletionArgument } from "../../ipc/bindings";
import { toText } from "../../schema/document";
import { memberOf, stringOf } from "../../schema/node";
import { nodeIn } from "../../schema/parse";
import { promptProblems, promptSchema } from "../../schema/promptSchema";
import { catalogActions } from "../../state/actions/catalogs";
import { draftActions } from "../../state/actions/drafts";
import { useActions, useDraft, useReadState } from "../../state/hooks";
import { useItemDetail } from "../../state/queries";
import { draftKey, focusMark, focusNames, type Draft, type FormTarget } from "../../state/view";

const words: RunWords = {
  name: "Prompt",
  run: "Get prompt",
  more: "More ways to get the prompt",
  connect: "Connect to get this prompt.",
  unchecked: "Get without validation",
  bare: "Get without “arguments”",
};

/** One prompt: its description, and the form to get it. */
export function PromptView({ server, prompt }: { server: ServerId; prompt: string }) {
  const target = useMemo<FormTarget>(() => ({ method: "prompts/get", key: prompt }), [prompt]);
  const detail = useItemDetail(server, "prompts", prompt);
  const draft = useDraft(server, target);
  const actions = useActions();
  const schemaText = detail.value && promptSchema(detail.value.arguments);

  useEffect(() => {
    if (schemaText !== undefined) void actions.get(draftActions).openDraft(server, target, schemaText);
  }, [actions, server, target, schemaText]);

  // While the form is older than the list or missing, it must not take the focus.
  const isThere = draft !== undefined && detail.value !== undefined;
  return (
    <div className="fill scrollsDown" {...(isThere && focusMark(focusNames.form(draftKey(server, target))))}>
      <ItemFault
        detail={detail}
        one="prompt"
        onFirst={() => actions.get(catalogActions).selectItem(server, "prompts", null)}
      />
      {detail.value &&
        (draft ? (
          <PromptForm server={server} target={target} detail={detail.value} draft={draft} />
        ) : (
          <Description server={server} detail={detail.value} />
        ))}
    </div>
  );
}

interface PromptFormProps {
  readonly server: ServerId;
  readonly target: FormTarget;
  readonly detail: PromptDetail;
  readonly draft: Draft;
}

function PromptForm({ server, target, detail, draft }: PromptFormProps) {
  const { problems, check } = useChecked(draft.document, (document) =>
    Promise.resolve({ problems: promptProblems(detail.arguments, toText(document)), unchecked: null }),
  );
  const suggestions = usePromptSuggestions(server, target, detail);
  return (
    <SuggestionContext value={suggestions}>
      <RunForm server={server} target={target} draft={draft} words={words} problems={problems} check={check}>
        <Description server={server} detail={detail} />
      </RunForm>
    </SuggestionContext>
  );
}

function Description({ server, detail }: { server: ServerId; detail: PromptDetail }) {
  return (
    <>
      <ItemHeader server={server} kind="prompts" detail={detail} />
      <FindingsCallout
        title="The definition does not follow the specification"
        findings={detail.findings}
        at={{ server, subject: `item prompts ${detail.row.key}` }}
      />
    </>
  );
}

/** Returns completions for the arguments of a prompt; `null` if the server offers none. */
function usePromptSuggestions(
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

/** Returns the other arguments that have a text, in the order of the prompt. */
function resolvedBut(name: string, all: PromptDetail["arguments"], text: string | undefined): CompletionArgument[] {
  const given = nodeIn(text ?? "{}");
  return all.flatMap((argument) => {
    const value = stringOf(memberOf(given, argument.name)) ?? "";
    return argument.name !== name && value !== "" ? [{ name: argument.name, value }] : [];
  });
}
