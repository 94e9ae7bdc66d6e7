import type { Slice } from "./slice";

/** Saved inputs opened for a tool: their list, or the name field to save values. */
export interface InputsUi {
  /** `text` holds values that are not in the form. */
  readonly open:
    | { readonly type: "list"; readonly tool: string }
    | { readonly type: "save"; readonly tool: string; readonly text: string | null }
    | null;
}

export const inputsSlice: Slice<InputsUi> = { name: "inputs", initial: { open: null } };
