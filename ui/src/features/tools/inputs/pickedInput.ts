import type { SavedInput } from "../../../ipc/bindings";
import { toText, type FormDocument } from "../../../schema/document";
import { settled, type JsonNode } from "../../../schema/node";
import { nodeIn } from "../../../schema/parse";
import { sameValue } from "../../../schema/same";
import { visibleText } from "../../../lib/visible";

/** A saved input with its arguments parsed; `undefined` if they are not JSON. */
export interface ReadInput {
  readonly input: SavedInput;
  readonly value: JsonNode | undefined;
}

export function readInputs(inputs: readonly SavedInput[]): readonly ReadInput[] {
  return inputs.map((input) => ({ input, value: nodeIn(input.arguments) }));
}

/** Compares a form with a saved input: members in any order, numbers by value. */
export function isSame(document: FormDocument, { input, value }: ReadInput): boolean {
  if (document.problem || !value) return toText(document) === input.arguments;
  return sameValue(document.root, value);
}

/**
 * Finds the saved input of a form: the input that filled it in, or else (as after a restart) the first one with the
 * same values.
 */
export function pickedInput(
  inputs: readonly ReadInput[],
  document: FormDocument,
  filledWith: string | null,
): { readonly picked: SavedInput | null; readonly changed: boolean } {
  const known = inputs.find(({ input }) => input.id === filledWith);
  if (known) return { picked: known.input, changed: !isSame(document, known) };
  return { picked: inputs.find((each) => isSame(document, each))?.input ?? null, changed: false };
}

/** Longest name that is suggested, in characters. */
const LONGEST_NAME = 40;

/** Member names whose values are likely secrets. */
const SECRET =
  /token|secret|passw|passphrase|(api|access|private|auth|session).?key|_key$|credential|authorization|cookie|bearer/iu;

/** Suggests a name for unsaved values: the first short texts and numbers that are not secrets. */
export function suggestedName(root: JsonNode): string {
  const node = settled(root);
  if (node.kind !== "object") return "";
  let name = "";
  for (const { key, value } of node.members) {
    if (SECRET.test(key)) continue;
    const word = wordOf(key, settled(value));
    const longer = name === "" ? word : `${name}, ${word}`;
    if (word === "" || longer.length > LONGEST_NAME) continue;
    name = longer;
  }
  return name;
}

function wordOf(key: string, value: JsonNode): string {
  if (value.kind === "string") return value.value.includes("\n") ? "" : visibleText(value.value.trim());
  if (value.kind === "number") return `${visibleText(key)} ${value.lexeme}`;
  return value.kind === "boolean" && value.value ? visibleText(key) : "";
}
