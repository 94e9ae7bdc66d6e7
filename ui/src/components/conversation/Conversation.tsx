import { Bot, CircleQuestionMark, User, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import type { ContentBlock, DocumentSource, FindingView, ServerId } from "../../ipc/bindings";
import { count } from "../../lib/format";
import { own } from "../../lib/own";
import { ContentBlockView } from "../content/ContentBlockView";
import { FindingList } from "../Findings";
import { Marked } from "../Marked";
import styles from "./Conversation.module.css";

/** One message: who says it, and what. */
export interface ConversationMessage {
  /** `user` or `assistant`; what the server said where it is another one, empty where it said none. */
  readonly role: string;
  readonly content: readonly { readonly block: ContentBlock; readonly source: DocumentSource }[];
  /** What is wrong with the message, its content aside. */
  readonly findings?: readonly FindingView[];
}

const ROLES: Readonly<Record<string, { readonly icon: LucideIcon; readonly word: string }>> = {
  user: { icon: User, word: "User" },
  assistant: { icon: Bot, word: "Assistant" },
};

export interface ConversationProps {
  readonly messages: readonly ConversationMessage[];
  /** The server that they are from. */
  readonly server: ServerId;
}

/** Messages between a user and a model, in order. */
export function Conversation({ messages, server }: ConversationProps): ReactNode {
  return (
    <ol className={styles.messages} aria-label={count(messages.length, "message", "messages")}>
      {messages.map((message, index) => (
        // The messages of a result never change their order.
        <Message key={index} message={message} server={server} />
      ))}
    </ol>
  );
}

function Message({ message, server }: { readonly message: ConversationMessage; readonly server: ServerId }): ReactNode {
  const { role, content, findings = [] } = message;
  const known = own(ROLES, role);
  const Icon = known?.icon ?? CircleQuestionMark;
  return (
    <li className={styles.message} data-role={known ? role : "other"}>
      <h3 className={styles.role}>
        <Icon size={14} aria-hidden />
        {known?.word ?? (role === "" ? "No role" : <Marked text={role} />)}
      </h3>
      {findings.length > 0 && <FindingList findings={findings} />}
      {content.map(({ block, source }, index) => (
        <ContentBlockView
          key={index}
          block={block}
          source={source}
          number={index + 1}
          alone={content.length === 1}
          server={server}
        />
      ))}
      {content.length === 0 && <p className="note">No content.</p>}
    </li>
  );
}
