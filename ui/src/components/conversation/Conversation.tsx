import { Bot, CircleQuestionMark, User, type LucideIcon } from "lucide-react";
import { Fragment, type ReactNode } from "react";

import type { FindingView } from "../../ipc/bindings";
import { count } from "../../lib/format";
import { own } from "../../lib/own";
import type { FoundAt } from "../../state/issues";
import { FindingList } from "../Findings";
import { Marked } from "../Marked";
import styles from "./Conversation.module.css";

/** One message of a conversation. */
export interface ConversationMessage {
  /** `user`, `assistant` or another role as the server sent it; empty if it sent none. */
  readonly role: string;
  /** Content blocks of the message. */
  readonly content: readonly ReactNode[];
  /** Findings about the message, without those about its content. */
  readonly findings?: readonly FindingView[];
  /** Location of the findings among the issues of the server; missing if they are not listed there. */
  readonly found?: FoundAt | undefined;
}

const ROLES: Readonly<Record<string, { readonly icon: LucideIcon; readonly word: string }>> = {
  user: { icon: User, word: "User" },
  assistant: { icon: Bot, word: "Assistant" },
};

export interface ConversationProps {
  readonly messages: readonly ConversationMessage[];
  /** Level of the headings with the roles, below the heading of the surrounding part. */
  readonly heading: "h2" | "h3" | "h4";
}

/** Messages between a user and a model, in order. */
export function Conversation({ messages, heading }: ConversationProps): ReactNode {
  return (
    <ol className="stack gapS2 shrink noBullets" aria-label={count(messages.length, "message", "messages")}>
      {messages.map((message, index) => (
        // Messages never change their order.
        <Message key={index} message={message} heading={heading} />
      ))}
    </ol>
  );
}

function Quoted({ text }: { readonly text: string }): ReactNode {
  return (
    <span data-quoted>
      <Marked text={text} />
    </span>
  );
}

interface MessageProps {
  readonly message: ConversationMessage;
  readonly heading: ConversationProps["heading"];
}

function Message({ message: { role, content, findings = [], found }, heading: Heading }: MessageProps): ReactNode {
  const known = own(ROLES, role);
  const Icon = known?.icon ?? CircleQuestionMark;
  return (
    <li className={styles.message} data-role={known ? role : "other"}>
      <Heading className="inlineRow gapIcon shrink inheritSize strong breakable">
        <Icon size={14} aria-hidden />
        {known?.word ?? (role === "" ? "No role" : <Quoted text={role} />)}
      </Heading>
      {findings.length > 0 && <FindingList findings={findings} at={found} />}
      {content.map((piece, index) => (
        <Fragment key={index}>{piece}</Fragment>
      ))}
      {content.length === 0 && <p className="note">No content.</p>}
    </li>
  );
}
