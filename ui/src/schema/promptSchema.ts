import { isPlain } from "../lib/apps/message";
import type { Problem } from "./problems";
import { pointerOf } from "./source";

/** An argument of a prompt, as a server lists it. */
interface PromptArgument {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly required: boolean;
}

/** Converts the arguments of a prompt to a JSON Schema, for a form like that of a tool: every value is a text. */
export function promptSchema(all: readonly PromptArgument[]): string {
  // A list, since an object would reorder names that are numbers.
  const properties = all.map(({ name, title, description }) => {
    const about = {
      type: "string",
      ...(title === null ? {} : { title }),
      ...(description === null ? {} : { description }),
    };
    return `${JSON.stringify(name)}:${JSON.stringify(about)}`;
  });
  const required = all.filter((argument) => argument.required).map(({ name }) => name);
  return `{"type":"object","properties":{${properties.join(",")}},"required":${JSON.stringify(required)}}`;
}

/** Lists the problems of a prompt's arguments, given as JSON text. The server may judge differently. */
export function promptProblems(all: readonly PromptArgument[], text: string): readonly Problem[] {
  const given: unknown = JSON.parse(text);
  if (!isPlain(given)) {
    return [{ instancePath: "", keyword: "type", message: "The arguments are not an object." }];
  }
  const missing = all.filter(({ name, required }) => required && !Object.hasOwn(given, name));
  const odd = Object.entries(given).filter(([, value]) => typeof value !== "string");
  return [
    ...missing.map(({ name }) => ({
      instancePath: "",
      keyword: "required",
      message: `“${name}” is required.`,
      missing: name,
    })),
    ...odd.map(([name]) => ({
      instancePath: pointerOf([name]),
      keyword: "type",
      message: "Arguments of a prompt are strings.",
    })),
  ];
}
