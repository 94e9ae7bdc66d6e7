/** Reads `sampling/createMessage` requests, and writes their replies. */
import { nodeIn } from "../schema/parse";
import { itemsOf, memberOf, stringOf, type JsonNode } from "../schema/node";
import { compactJson, printNode } from "../schema/print";

/** Limit of messages shown; the raw request has all. */
export const MOST_MESSAGES = 200;
/** Limit of tools shown, and of blocks shown per message. */
export const MOST_PARTS = 200;

/** One message of a conversation. Content blocks stay as the server wrote them, digit for digit. */
export interface SamplingMessage {
  /** Empty if the server sent none. */
  readonly role: string;
  readonly content: readonly JsonNode[];
  /** Number of further blocks that are not shown. */
  readonly more: number;
}

export interface SamplingTool {
  readonly name: string;
  readonly description: string | null;
  /** Input schema as JSON text, `null` if there is none. */
  readonly schema: string | null;
}

/** A sampling request as shown. Missing or malformed members are `null` or missing. */
export interface SamplingRequest {
  readonly messages: readonly SamplingMessage[];
  /** Number of further messages that are not shown. */
  readonly more: number;
  readonly system: string | null;
  readonly tools: readonly SamplingTool[];
  /** Number of further tools that are not shown. */
  readonly moreTools: number;
  /** The other members that the specification names: their name in words and their value as text. */
  readonly facts: readonly (readonly [name: string, value: string])[];
}

/** A tool use in the reply. */
export interface ToolUse {
  readonly id: string;
  readonly name: string;
  /** The arguments as typed JSON text. */
  readonly input: string;
}

/** A reply as edited in the form. */
export interface SamplingDraft {
  readonly text: string;
  readonly model: string;
  /** Empty: left out of the reply. */
  readonly stopReason: string;
  readonly uses: readonly ToolUse[];
}

/** First draft of a reply. */
export const FIRST_DRAFT: SamplingDraft = { text: "", model: "written by hand", stopReason: "endTurn", uses: [] };

/** Reads the parameters of a request; `null` if they are not an object, or were cut because they are too long. */
export function readSampling(params: string): SamplingRequest | null {
  const root = nodeIn(params);
  if (root?.kind !== "object") return null;
  const messages = itemsOf(memberOf(root, "messages"));
  const shown = messages.slice(0, MOST_MESSAGES).map((message): SamplingMessage => {
    const blocks = blocksOf(message);
    const content = blocks.slice(0, MOST_PARTS);
    return { role: stringOf(memberOf(message, "role")) ?? "", content, more: blocks.length - content.length };
  });
  const listed = itemsOf(memberOf(root, "tools"));
  const tools = listed.slice(0, MOST_PARTS).map((tool): SamplingTool => {
    const schema = memberOf(tool, "inputSchema");
    return {
      name: stringOf(memberOf(tool, "name")) ?? "",
      description: stringOf(memberOf(tool, "description")) ?? null,
      schema: schema ? compactJson(printNode(schema)) : null,
    };
  });
  return {
    messages: shown,
    more: messages.length - shown.length,
    system: stringOf(memberOf(root, "systemPrompt")) ?? null,
    tools,
    moreTools: listed.length - tools.length,
    facts: factsOf(root),
  };
}

/** Returns the content of a message, which is one block or an array of blocks. */
function blocksOf(message: JsonNode): readonly JsonNode[] {
  const content = memberOf(message, "content");
  return content?.kind === "array" ? itemsOf(content) : content ? [content] : [];
}

function factsOf(root: JsonNode): (readonly [string, string])[] {
  const preferences = memberOf(root, "modelPreferences");
  const hints = itemsOf(memberOf(preferences, "hints")).map((hint) => stringOf(memberOf(hint, "name")) ?? text(hint));
  const rows: readonly (readonly [string, string | null])[] = [
    ["Max tokens", text(memberOf(root, "maxTokens"))],
    ["Temperature", text(memberOf(root, "temperature"))],
    ["Stop sequences", text(memberOf(root, "stopSequences"))],
    ["Models, the first match first", hints.length > 0 ? hints.join(", ") : null],
    ["Intelligence priority", text(memberOf(preferences, "intelligencePriority"))],
    ["Speed priority", text(memberOf(preferences, "speedPriority"))],
    ["Cost priority", text(memberOf(preferences, "costPriority"))],
    ["Context to include", text(memberOf(root, "includeContext"))],
    ["Tool choice", text(memberOf(memberOf(root, "toolChoice"), "mode") ?? memberOf(root, "toolChoice"))],
    ["Metadata", text(memberOf(root, "metadata"))],
  ];
  return rows.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
}

/** Returns a string as it is, everything else as JSON. */
function text<T extends JsonNode | undefined>(node: T): T extends undefined ? string | null : string;
function text(node: JsonNode | undefined): string | null {
  if (node === undefined) return null;
  return stringOf(node) ?? compactJson(printNode(node));
}

/** Writes the reply as JSON text. Arguments of tools are written as typed. */
export function writeSampling(draft: SamplingDraft): string {
  const words =
    draft.uses.length === 0 || draft.text !== "" ? [JSON.stringify({ type: "text", text: draft.text })] : [];
  const uses = draft.uses.map(
    ({ id, name, input }) =>
      `{"type":"tool_use","id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"input":${blank(input)}}`,
  );
  const blocks = [...words, ...uses];
  const content = draft.uses.length === 0 ? (blocks[0] ?? "") : `[${blocks.join(",")}]`;
  const stop = draft.stopReason === "" ? "" : `,"stopReason":${JSON.stringify(draft.stopReason)}`;
  return `{"role":"assistant","content":${content},"model":${JSON.stringify(draft.model)}${stop}}`;
}

function blank(input: string): string {
  return input.trim() === "" ? "{}" : input;
}

/** Returns the problem that keeps a reply from being sent, one plain sentence. */
export function samplingProblem(draft: SamplingDraft): string | null {
  if (draft.model.trim() === "") return "Enter the name of a model.";
  for (const { id, name, input } of draft.uses) {
    if (id.trim() === "") return "Each tool use needs an id.";
    if (nodeIn(blank(input))?.kind !== "object") return `The arguments of ${name} must be a JSON object.`;
  }
  const ids = draft.uses.map(({ id }) => id);
  return new Set(ids).size === ids.length ? null : "Each tool use needs an id of its own.";
}

/** Returns the form for a reply that was written as JSON; `null` if the form cannot hold all of it. */
export function draftOf(json: string): SamplingDraft | null {
  const node = nodeIn(json);
  if (node?.kind !== "object") return null;
  const blocks = blocksOf(node);
  const texts = blocks.filter((each) => stringOf(memberOf(each, "type")) === "text");
  const uses = blocks.filter((each) => stringOf(memberOf(each, "type")) === "tool_use");
  const stop = memberOf(node, "stopReason");
  const draft: SamplingDraft = {
    text: stringOf(memberOf(texts[0], "text")) ?? "",
    model: stringOf(memberOf(node, "model")) ?? "",
    stopReason: stringOf(stop) ?? "",
    uses: uses.map((each) => {
      const input = memberOf(each, "input");
      return {
        id: stringOf(memberOf(each, "id")) ?? "",
        name: stringOf(memberOf(each, "name")) ?? "",
        input: input ? compactJson(printNode(input)) : "{}",
      };
    }),
  };
  // A reply that the form cannot hold completely is edited as JSON.
  return compactJson(writeSampling(draft)) === compactJson(json) ? draft : null;
}

/** Adds a tool use to the reply, under an unused id. */
export function withToolUse(draft: SamplingDraft, name: string): SamplingDraft {
  let number = draft.uses.length + 1;
  while (draft.uses.some(({ id }) => id === `call_${number}`)) number++;
  return {
    ...draft,
    stopReason: draft.stopReason === "endTurn" ? "toolUse" : draft.stopReason,
    uses: [...draft.uses, { id: `call_${number}`, name, input: "{}" }],
  };
}

/** Removes a tool use from the reply. */
export function withoutToolUse(draft: SamplingDraft, at: number): SamplingDraft {
  const uses = draft.uses.filter((_, index) => index !== at);
  const stopReason = uses.length === 0 && draft.stopReason === "toolUse" ? "endTurn" : draft.stopReason;
  return { ...draft, uses, stopReason };
}
