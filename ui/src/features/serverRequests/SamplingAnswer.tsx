import { Plus, Trash2 } from "lucide-react";
import { useMemo, useRef, type ReactNode } from "react";

import { Button, IconButton } from "../../components/Button";
import { Code } from "../../components/Code";
import { Conversation, type ConversationMessage } from "../../components/conversation/Conversation";
import { Disclosure } from "../../components/Disclosure";
import { Facts } from "../../components/Facts";
import { JsonEditor } from "../../components/form/JsonEditor";
import { Select, TextArea, TextInput } from "../../components/Field";
import { Marked, MarkedCode } from "../../components/Marked";
import { Segmented } from "../../components/Segmented";
import { cx } from "../../lib/cx";
import { count } from "../../lib/format";
import { once } from "../../lib/once";
import { compactJson, prettyJson } from "../../schema/print";
import { nodeIn } from "../../schema/parse";
import { serverRequestActions } from "../../state/actions/serverRequests";
import { useActions, useConnection } from "../../state/hooks";
import {
  draftOf,
  readSampling,
  samplingProblem,
  withoutToolUse,
  withToolUse,
  writeSampling,
  type SamplingDraft,
  type SamplingMessage,
  type SamplingRequest,
} from "../../state/sampling";
import type { Answer } from "../../state/view";
import { type AnswerProps, SendButton, Rejecting, SendNote } from "./answering";
import { SamplingContent, Unshown } from "./SamplingContent";
import { SavedAnswers } from "./SavedAnswers";
import styles from "./serverRequests.module.css";
import { jsonProblem } from "./serverRequestWords";

/** Stop reasons named by the specification (2025-11-25, sampling); any other is written as JSON. */
const STOP_REASONS = ["endTurn", "stopSequence", "maxTokens", "toolUse"];

/** A sampling request, with a form for the answer that the user writes in place of a model. */
export function SamplingAnswer({ request, answer, busy, send }: AnswerProps & { readonly answer: Answer }): ReactNode {
  const actions = useActions().get(serverRequestActions);
  const stateless = useConnection(request.server)?.era === "stateless";
  const asked = useMemo(() => readSampling(request.params), [request.params]);
  const { sampling: draft, raw } = answer;
  const problem = draft ? samplingProblem(draft) : jsonProblem(raw);
  const invalid = request.findings.find(({ severity }) => severity === "error");
  const change = (next: SamplingDraft, removed?: string): void =>
    actions.changeAnswer(request.request, { sampling: next }, removed);
  const submit = (): void => {
    if (problem === null && !busy) void send({ type: "raw", result: compactJson(draft ? writeSampling(draft) : raw) });
  };
  return (
    <div className="stack gap8 shrink">
      {asked ? (
        <SamplingDetails asked={asked} />
      ) : (
        <p className="note shrink breakable">{unreadWords(request.params)} See the log entry.</p>
      )}
      <div className="row gap8">
        <h4 className="heading grow">Response</h4>
        <Segmented
          label="Write the response as"
          value={draft ? "form" : "json"}
          items={{ form: "Form", json: "JSON" }}
          disabled={!draft && draftOf(raw) === null ? ["form"] : []}
          onChange={(to) => {
            if (to === "json" && draft) {
              actions.changeAnswer(request.request, { sampling: null, raw: prettyJson(writeSampling(draft)) });
            } else if (to === "form" && !draft) {
              actions.changeAnswer(request.request, { sampling: draftOf(raw) });
            }
          }}
        />
      </div>
      {draft ? (
        <DraftFields draft={draft} tools={asked?.tools ?? []} onChange={change} />
      ) : (
        <JsonEditor
          label="Result as JSON"
          value={raw}
          onChange={(text) => actions.changeAnswer(request.request, { raw: text })}
        />
      )}
      <SavedAnswers request={request} answer={answer} />
      <div className={cx(styles.footer, "wrap gap8")} data-uncovered>
        <SendButton disabled={busy || problem !== null} onSend={submit}>
          Send
        </SendButton>
        <Rejecting request={request} busy={busy} send={send} message="User rejected sampling request" />
        {!stateless && invalid && (
          <Button
            small
            kind="quiet"
            disabled={busy}
            title="Responds with the error -32602 (invalid params)"
            onClick={once(() => send({ type: "error", code: -32602, message: invalid.message }))}
          >
            Reject as invalid
          </Button>
        )}
        <SendNote problem={problem} />
      </div>
    </div>
  );
}

/** Explains a request that is not shown as a conversation. The host cuts only parameters that are too long. */
function unreadWords(params: string): string {
  return params === "" || nodeIn(params)
    ? "The request has no parameters that could be shown as a conversation."
    : "The request is too long or too deeply nested to be shown here as a conversation.";
}

function withContent({ role, content, more }: SamplingMessage): ConversationMessage {
  const blocks = content.map((block, at) => <SamplingContent key={at} block={block} />);
  return { role, content: more === 0 ? blocks : [...blocks, <Unshown key="more" number={more} noun="block" />] };
}

function SamplingDetails({ asked }: { readonly asked: SamplingRequest }): ReactNode {
  return (
    <>
      {asked.system !== null && (
        <div>
          <p className="note strong">System prompt</p>
          <p className="selectable scrolls asWritten maxHeight160" tabIndex={0}>
            <Marked text={asked.system} lines />
          </p>
        </div>
      )}
      {/* A scroller must be reachable by keyboard. */}
      <div className={styles.conversation} tabIndex={0} role="group" aria-label="Conversation">
        <Conversation messages={asked.messages.map(withContent)} heading="h4" />
      </div>
      <Unshown number={asked.more} noun="message" />
      <Facts items={asked.facts.map(([name, value]) => [name, <Marked key={name} text={value} />] as const)} />
      {asked.tools.length > 0 && (
        <Disclosure summary={count(asked.tools.length + asked.moreTools, "tool", "tools")}>
          <ul className="stack gap2">
            {asked.tools.map((tool, at) => (
              <li key={at} className="breakable">
                <MarkedCode text={tool.name} /> {tool.description !== null && <Marked text={tool.description} />}
                {tool.schema !== null && <Code label={`Input schema of ${tool.name}`} text={prettyJson(tool.schema)} />}
              </li>
            ))}
          </ul>
          <Unshown number={asked.moreTools} noun="tool" />
        </Disclosure>
      )}
    </>
  );
}

interface DraftFieldsProps {
  readonly draft: SamplingDraft;
  readonly tools: SamplingRequest["tools"];
  /** `removed` names the content lost by a change other than typing. */
  readonly onChange: (draft: SamplingDraft, removed?: string) => void;
}

function DraftFields({ draft, tools, onChange }: DraftFieldsProps): ReactNode {
  const add = useRef<HTMLButtonElement>(null);
  const names = [...new Set(tools.map(({ name }) => name))];
  const reasons = ["", ...STOP_REASONS, ...(STOP_REASONS.includes(draft.stopReason) ? [] : [draft.stopReason])];
  return (
    <>
      <TextArea label="Text" prose rows={4} value={draft.text} onChange={(text) => onChange({ ...draft, text })} />
      <div className={styles.pair}>
        <TextInput label="Model" value={draft.model} onChange={(model) => onChange({ ...draft, model })} />
        <Select
          label="Stop reason"
          value={draft.stopReason}
          items={[...new Set(reasons)].map((value) => ({ value, label: value === "" ? "Not sent" : value }))}
          onChange={(stopReason) => onChange({ ...draft, stopReason })}
        />
      </div>
      {draft.uses.map((use, at) => {
        const set = (part: Partial<typeof use>): void =>
          onChange({ ...draft, uses: draft.uses.map((each, index) => (index === at ? { ...each, ...part } : each)) });
        return (
          <fieldset key={at} className={styles.use}>
            <legend className="note strong">Tool use {at + 1}</legend>
            <div className={styles.pair}>
              <Select
                label="Tool"
                value={use.name}
                items={[...new Set([use.name, ...names])].map((name) => ({ value: name, label: name }))}
                onChange={(name) => set({ name })}
              />
              <TextInput label="Id" mono value={use.id} onChange={(id) => set({ id })} />
            </div>
            <TextArea label="Arguments as JSON" rows={3} value={use.input} onChange={(input) => set({ input })} />
            <IconButton
              small
              label={`Remove tool use ${at + 1}`}
              icon={Trash2}
              onClick={() => {
                add.current?.focus();
                onChange(withoutToolUse(draft, at), `Tool use ${at + 1} removed`);
              }}
            />
          </fieldset>
        );
      })}
      {names.length > 0 && (
        <div>
          <Button ref={add} small icon={Plus} onClick={() => onChange(withToolUse(draft, names[0] ?? ""))}>
            Add tool use
          </Button>
        </div>
      )}
    </>
  );
}
