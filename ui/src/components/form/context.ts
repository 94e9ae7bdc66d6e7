import { createContext, useContext, type ComponentType } from "react";
import type { FormDocument } from "../../schema/document";
import type { JsonNode } from "../../schema/node";
import type { ProblemTree } from "../../schema/problems";
import type { SchemaSource } from "../../schema/source";
import type { FieldPath } from "./fieldpath";

/**
 * Shared state and components of a form's fields. Fields nest, so they take the components of nested fields from here.
 */
export interface FormContextValue {
  readonly Field: ComponentType<FieldViewProps>;
  readonly Body: ComponentType<ControlProps>;
  readonly source: SchemaSource;
  /** For people who do not program: without schema words and actions. */
  readonly plain: boolean;
  /** Changes the document, starting from the newest one. `removed` names what the change discards. */
  readonly apply: (change: (doc: FormDocument) => FormDocument, removed?: string) => void;
  /**
   * Applies a change that can replace the focused control, and then focuses the first field or button of these ids that
   * exists.
   */
  readonly applyThenFocus: (focus: readonly string[], ...change: Parameters<FormContextValue["apply"]>) => void;
}

export const FormContext = createContext<FormContextValue | null>(null);

export function useForm(): FormContextValue {
  const form = useContext(FormContext);
  if (!form) throw new Error("A form field is outside of its form");
  return form;
}

/** Props that every control gets from its field. */
export interface ControlProps {
  readonly schema: JsonNode;
  readonly value: JsonNode | undefined;
  readonly path: FieldPath;
  /** The field's own name, for accessible names of its buttons. */
  readonly name: string;
  readonly required: boolean;
  /** Names of the parent's members in the order of the schema. */
  readonly order: readonly string[] | undefined;
  readonly id: string;
  readonly labelledBy: string;
  readonly describedBy: string | undefined;
  readonly invalid: boolean;
  /** Nesting depth of the field, in groups. */
  readonly level: number;
  /** Path of branches through the unions that lead to the field. */
  readonly union: string;
  readonly problems: ProblemTree | undefined;
}

/** Position of an item in its list. */
export interface ItemPlace {
  readonly id: number;
  readonly index: number;
  readonly last: number;
  readonly move: (from: number, to: number, mark: string) => void;
  /** Id of the button that adds an item. */
  readonly adder: string;
}

export interface FieldViewProps extends Pick<
  ControlProps,
  "schema" | "value" | "path" | "name" | "problems" | "level"
> {
  /** The name is shown elsewhere. */
  readonly hideName?: boolean;
  readonly required?: boolean;
  readonly order?: readonly string[];
  readonly item?: ItemPlace;
  /** Reason that the field is unusual. */
  readonly extra?: string | undefined;
}
