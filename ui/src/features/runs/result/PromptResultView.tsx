import { Copy } from "lucide-react";
import type { ReactNode } from "react";

import { Conversation, type ConversationMessage } from "../../../components/conversation/Conversation";
import { exportMessages, messagesAsText, type Format } from "../../../components/conversation/exportMessages";
import { ContentBlockView } from "../../../components/content/ContentBlockView";
import { FindingsCallout } from "../../../components/Findings";
import { Markdown } from "../../../components/markdown/Markdown";
import { Menu } from "../../../components/Menu";
import type { OperationOutcome, OperationView, PromptResult } from "../../../ipc/bindings";
import { bytes as sizeText, count } from "../../../lib/format";
import { prettyJson } from "../../../schema/print";
import { useActions, useBackend } from "../../../state/hooks";
import { foundInRun } from "../../../state/issues";
import { wholeText } from "../../../state/wholeText";

export interface PromptResultViewProps {
  readonly operation: OperationView;
  readonly result: Extract<OperationOutcome, { type: "result" }>;
  readonly prompt: PromptResult;
}

/** Result of a prompt: its description, and its messages as a conversation. */
export function PromptResultView({ operation, result, prompt }: PromptResultViewProps): ReactNode {
  const messages = conversationOf(operation, result, prompt);
  return (
    <>
      <FindingsCallout
        title="The result does not follow the specification"
        findings={result.findings}
        at={foundInRun(operation)}
      />
      {prompt.description !== null && prompt.description.trim() !== "" && <Markdown text={prompt.description} />}
      {messages.length > 0 ? (
        <>
          <header className="row gapS2 spread">
            <span className="note">{count(messages.length, "message", "messages")}</span>
            <CopyMessages operation={operation} size={result.bytes} />
          </header>
          <Conversation messages={messages} heading="h3" />
        </>
      ) : (
        <p className="note">
          {operation.earlier?.result_dropped === true
            ? `The result (${sizeText(result.bytes)}) was not stored with the run.`
            : "The prompt returned no messages."}
        </p>
      )}
    </>
  );
}

const FORMATS: readonly (readonly [Format, string])[] = [
  ["anthropic", "Anthropic"],
  ["openai", "OpenAI"],
];

function CopyMessages({ operation, size }: { readonly operation: OperationView; readonly size: number }): ReactNode {
  const { copy } = useActions();
  const backend = useBackend();
  const whole = () => wholeText(backend, { type: "answer", operation: operation.operation }, size);
  const copyFor = (format: Format, name: string): void => {
    const exported = whole().then((text) => exportMessages(text, format));
    const done = async (): Promise<string> => {
      const { leftOut } = await exported;
      const without = leftOut.length === 0 ? "" : `. Left out: ${leftOut.join(", ")}`;
      return `Messages copied for the API of ${name}${without}`;
    };
    void copy(
      exported.then(({ text }) => text),
      done,
      operation.server,
    );
  };
  return (
    <Menu
      small
      icon={Copy}
      label="Copy messages"
      text="Copy"
      items={[
        { label: "As text", onSelect: () => void copy(whole().then(messagesAsText), "Messages copied as text") },
        { label: "As JSON", onSelect: () => void copy(whole().then(prettyJson), "Result copied as JSON") },
        "separator",
        ...FORMATS.map(([format, name]) => ({
          label: `For the API of ${name}`,
          onSelect: () => copyFor(format, name),
        })),
      ]}
    />
  );
}

/** Pairs the messages with the blocks of the result, which are in the same order. */
function conversationOf(
  run: OperationView,
  { content }: PromptResultViewProps["result"],
  { messages }: PromptResult,
): readonly ConversationMessage[] {
  const { operation, server } = run;
  const found = foundInRun(run);
  let next = 0;
  return messages.map(({ role, blocks, findings }) => {
    const first = next;
    next += blocks;
    return {
      role,
      findings,
      found,
      content: content
        .slice(first, next)
        .map((block, place) => (
          <ContentBlockView
            key={place}
            block={block}
            source={{ type: "content", operation, index: first + place }}
            number={place + 1}
            alone={blocks === 1}
            server={server}
            found={found}
          />
        )),
    };
  });
}
