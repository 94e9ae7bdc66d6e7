import { isPlain } from "../../lib/apps/message";
import { valueIn } from "../../lib/valueIn";
/** A declared capability in plain words. */
export interface Capability {
  readonly name: string;
  readonly says: string;
}

const words: Readonly<Record<string, string>> = {
  tools: "offers tools",
  resources: "offers resources",
  prompts: "offers prompts",
  logging: "sends log messages",
  completions: "completes arguments",
  tasks: "runs tasks",
  experimental: "has features outside the specification",
  extensions: "has extensions",
};

const options: Readonly<Record<string, string>> = {
  listChanged: "notifies of list changes",
  subscribe: "supports subscriptions",
};

/** Describes the declared capabilities in plain words; empty if the text is not an object. */
export function capabilityList(text: string): Capability[] {
  const value = valueIn(text);
  if (!isPlain(value)) return [];
  return Object.entries(value).map(([name, details]) => {
    const more = typeof details === "object" && details !== null ? Object.entries(details) : [];
    const said = more.flatMap(([option, set]) => (set === false ? [] : [options[option] ?? option]));
    return { name, says: [words[name] ?? "unknown to Sonde", ...said].join(", ") };
  });
}
