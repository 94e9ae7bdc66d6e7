import { createContext, useContext } from "react";
import type { FormDocument } from "../../schema/document";
import type { JsonNode } from "../../schema/node";
import type { ProblemTree } from "../../schema/problems";
import type { SchemaSource } from "../../schema/source";
import type { FieldPath } from "./fieldpath";

export interface FormContextValue {
  readonly source: SchemaSource;
  readonly disabled: boolean;
  /** Changes the document; the function gets the newest one. */
  readonly apply: (change: (doc: FormDocument) => FormDocument) => void;
}

export const FormContext = createContext<FormContextValue | null>(null);

export function useForm(): FormContextValue {
  const form = useContext(FormContext);
  if (!form) throw new Error("A form field is outside of its form");
  return form;
}

/** What every control gets from its field. */
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
  /** How many groups the field lies in. */
  readonly level: number;
  /** Which unions the field was chosen through, as a path of branch numbers. */
  readonly union: string;
  readonly problems: ProblemTree | undefined;
}
