/** Display plan of the form for one node of the schema. */
import type { JsonNode, ObjectNode } from "./node";

/** Properties that every field may have. */
export interface Facts {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly default: JsonNode | undefined;
  readonly examples: readonly JsonNode[];
  readonly deprecated: boolean;
  readonly readOnly: boolean;
  /** `null` is allowed in addition to the field's values. */
  readonly nullable: boolean;
  /** The limits in plain words: "1 to 10", "at least 3 characters". */
  readonly hints: readonly string[];
}

export interface TextPlan extends Facts {
  readonly kind: "text";
  readonly format: string | undefined;
  readonly multiline: boolean;
  readonly secret: boolean;
}

export interface NumberPlan extends Facts {
  readonly kind: "number";
  readonly integer: boolean;
  /** The flat schema, for the limits. */
  readonly rules: ObjectNode;
}

export interface BooleanPlan extends Facts {
  readonly kind: "boolean";
}

export interface Option {
  readonly value: JsonNode;
  readonly label: string;
  readonly description: string | undefined;
}

export interface ChoicePlan extends Facts {
  readonly kind: "choice";
  readonly options: readonly Option[];
}

export interface ConstPlan extends Facts {
  readonly kind: "const";
  readonly value: JsonNode;
}

export interface Property {
  readonly name: string;
  readonly schema: JsonNode;
  readonly required: boolean;
}

export interface ObjectPlan extends Facts {
  readonly kind: "object";
  readonly properties: readonly Property[];
  /** Names in the order of the schema, which is the order in which new members are written. */
  readonly order: readonly string[];
  /** The schema of members without a name here, as far as it is known without evaluating patterns. */
  readonly other: JsonNode;
  /** Other members are forbidden. */
  readonly closed: boolean;
  /** The schema asks for members with free names. */
  readonly isMap: boolean;
}

export interface ListPlan extends Facts {
  readonly kind: "list";
  /** Schemas of the first items (a tuple). */
  readonly prefix: readonly JsonNode[];
  /** Schema of all further items; null if there cannot be any. */
  readonly rest: JsonNode | null;
  readonly minItems: number;
  readonly maxItems: number | undefined;
}

/** A list of items from a fixed set. */
export interface ManyPlan extends Facts {
  readonly kind: "many";
  readonly options: readonly Option[];
  readonly items: JsonNode;
}

export interface Branch {
  readonly label: string;
  readonly description: string | undefined;
  /** The whole schema with this branch chosen. */
  readonly schema: JsonNode;
  /** The schema of the branch alone. */
  readonly own: JsonNode;
}

export interface UnionPlan extends Facts {
  readonly kind: "union";
  readonly branches: readonly Branch[];
}

/** A node that the form cannot show, edited as JSON. */
export interface JsonPlan extends Facts {
  readonly kind: "json";
  /** Reason for showing JSON, in plain words. */
  readonly reason: string;
}

export type FieldPlan =
  | TextPlan
  | NumberPlan
  | BooleanPlan
  | ChoicePlan
  | ConstPlan
  | ObjectPlan
  | ListPlan
  | ManyPlan
  | UnionPlan
  | JsonPlan;

export function jsonPlan(facts: Facts, reason: string): JsonPlan {
  return { ...facts, kind: "json", reason };
}
