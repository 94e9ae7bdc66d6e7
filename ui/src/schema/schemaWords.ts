/** Schema keywords in plain words. */
import { decoded } from "../lib/decoded";
import { isTrue, itemsOf, countOf, memberOf, stringOf, type JsonNode, type ObjectNode } from "./node";
import { printShort } from "./print";

/** Describes the limits of a flat schema. */
export function hintsOf(schema: ObjectNode): string[] {
  const hints: string[] = [];
  range(hints, limit(schema, "minimum", "exclusiveMinimum"), limit(schema, "maximum", "exclusiveMaximum"));
  const step = memberOf(schema, "multipleOf");
  if (step?.kind === "number") hints.push(`a multiple of ${step.lexeme}`);
  counted(hints, schema, "minLength", "maxLength", "character");
  counted(hints, schema, "minItems", "maxItems", "item");
  counted(hints, schema, "minProperties", "maxProperties", "field");
  if (isTrue(memberOf(schema, "uniqueItems"))) hints.push("unique items");
  const pattern = stringOf(memberOf(schema, "pattern"));
  if (pattern !== undefined) hints.push(`matches ${pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern}`);
  const encoding = stringOf(memberOf(schema, "contentEncoding"));
  if (encoding !== undefined) hints.push(`${encoding}-encoded`);
  const media = stringOf(memberOf(schema, "contentMediaType"));
  if (media !== undefined) hints.push(media);
  return hints;
}

interface Limit {
  readonly value: string;
  readonly open: boolean;
}

function limit(schema: ObjectNode, closed: string, exclusive: string): Limit | undefined {
  const strict = memberOf(schema, exclusive);
  const plain = memberOf(schema, closed);
  if (strict?.kind === "number") return { value: strict.lexeme, open: true };
  if (plain?.kind !== "number") return undefined;
  return { value: plain.lexeme, open: isTrue(strict) };
}

function range(hints: string[], low: Limit | undefined, high: Limit | undefined): void {
  if (low && high && Number(low.value) > Number(high.value)) hints.push("no value is possible");
  else if (low && high && !low.open && !high.open) {
    hints.push(`${low.value} to ${high.value}`);
    return;
  }
  if (low) hints.push(low.open ? `above ${low.value}` : `at least ${low.value}`);
  if (high) hints.push(high.open ? `below ${high.value}` : `at most ${high.value}`);
}

function counted(hints: string[], schema: ObjectNode, from: string, to: string, word: string): void {
  const low = countOf(memberOf(schema, from)) ?? 0;
  const high = countOf(memberOf(schema, to));
  const many = (count: number) => `${count} ${word}${count === 1 ? "" : "s"}`;
  if (high !== undefined && low === high) hints.push(`exactly ${many(low)}`);
  else if (high !== undefined && low > high)
    hints.push("no value is possible", `at least ${many(low)}`, `at most ${many(high)}`);
  else if (high !== undefined && low > 0) hints.push(`${low} to ${many(high)}`);
  else if (high !== undefined) hints.push(`at most ${many(high)}`);
  else if (low > 0) hints.push(`at least ${many(low)}`);
}

/** Returns the last name in a reference: "Cat" for "#/$defs/Cat". */
export function referenceName(schema: JsonNode): string | undefined {
  const ref = stringOf(memberOf(schema, "$ref"));
  const last = ref?.split(/[/#]/).pop();
  return last ? decoded(last) : undefined;
}

/** Returns the only value that a schema allows, by `const` or by an `enum` of one value. */
export function onlyValue(schema: JsonNode | undefined): JsonNode | undefined {
  const constant = memberOf(schema, "const");
  if (constant) return constant;
  const options = itemsOf(memberOf(schema, "enum"));
  return options.length === 1 ? options[0] : undefined;
}

/** Formats a value as a label: text without quotes if that is unambiguous. */
export function valueInWords(value: JsonNode): string {
  if (value.kind === "string") {
    if (value.value === "") return "“” (empty string)";
    return value.value.trim() === value.value ? value.value : `“${value.value}”`;
  }
  return printShort(value, 80);
}
