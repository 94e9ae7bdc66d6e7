import type { SavedInput, ServerId } from "../ipc/bindings";
import { useParts } from "./hooks";
import { inputsOf } from "./savedInputs";

/** Returns the saved inputs of a target, which is a tool by default, in order. */
export function useSavedInputs(server: ServerId, target: string, method?: string): readonly SavedInput[] {
  return useParts((state) => inputsOf(state.live, server, target, method));
}
