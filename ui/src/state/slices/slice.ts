import type { ServerUi } from "../view";

/** State of one feature for one server, kept while the feature is not shown. Features define their own. */
export interface Slice<T extends object> {
  readonly name: string;
  readonly initial: T;
}

/** Returns the state of a feature, initially its default. */
export function sliceOf<T extends object>(ui: ServerUi | undefined, { name, initial }: Slice<T>): T {
  return (ui?.slices[name] as T | undefined) ?? initial;
}

/** Returns the slices of a server with a change of one of them. */
export function withSlice<T extends object>(ui: ServerUi, slice: Slice<T>, change: Partial<T>): ServerUi["slices"] {
  return { ...ui.slices, [slice.name]: { ...sliceOf(ui, slice), ...change } };
}
