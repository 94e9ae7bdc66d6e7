import type { Presentation, SavedInput } from "../ipc/bindings";
import { count } from "../lib/format";
import { visibleText } from "../lib/visible";
import { nodeIn } from "../schema/parse";
import type { JsonNode } from "../schema/node";
import type { LiveState } from "./live";

/** Limit of paths named per place. */
const MOST_NAMED = 3;

/**
 * Matches an absolute path of any system, a file URI, or a path in the home folder. At least two parts are needed, as
 * “/help” is a command.
 */
const PATH = /^(?:file:\/\/\/?[^/\s]|~[\\/]|\/[^/\n]+\/[^/\n]|[a-z]:[\\/]|\\\\[^\\\n]+\\)[^\n]*$/i;

/**
 * Lists folders and files of this computer that a presentation names, in sentences for people who import it on another
 * one.
 */
export function pathNotes({ steps }: Presentation, { servers, savedInputs }: LiveState): readonly string[] {
  const used = new Set(steps.map(({ server }) => server));
  const ofServers = [...used].flatMap((id) => {
    const config = servers[id]?.config;
    if (config?.transport.type !== "stdio") return [];
    // A word can hold an option together with its value.
    const words = config.transport.args.map((word) => word.replace(/^--?[\w-]+=/, ""));
    const { cwd } = config.transport;
    return sentence(visibleText(config.name), [...words, ...(cwd === null ? [] : [cwd])]);
  });
  const offered = new Set(steps.flatMap(({ inputs }) => inputs.map(({ id }) => id)));
  const inputs = [...used]
    .flatMap((id) => savedInputs[id] ?? [])
    .filter((input) => offered.has(input.id) && !input.private);
  return [
    ...ofServers,
    ...inputs.flatMap((input) => sentence(`Saved input “${visibleText(input.name)}”`, texts(input))),
  ];
}

function sentence(where: string, values: readonly string[]): readonly string[] {
  const paths = [...new Set(values.filter((value) => PATH.test(value)))];
  if (paths.length === 0) return [];
  const named = paths.slice(0, MOST_NAMED).map(visibleText).join(", ");
  const more = paths.length > MOST_NAMED ? ` and ${count(paths.length - MOST_NAMED, "more path", "more paths")}` : "";
  return [`${where}: ${named}${more} must exist on the other computer as well, or be changed there.`];
}

/** Returns all strings in the arguments. */
function texts(input: SavedInput): readonly string[] {
  const node = nodeIn(input.arguments);
  return node ? within(node) : [];
}

function within(node: JsonNode): readonly string[] {
  switch (node.kind) {
    case "string":
      return [node.value];
    case "array":
      return node.items.flatMap(({ value }) => within(value));
    case "object":
      return node.members.flatMap(({ value }) => within(value));
    default:
      return [];
  }
}
