import type { CommandName } from "../backend";
import type { Commands } from "../bindings";

/** Handlers of the commands. */
export type Handlers = {
  [K in CommandName]: (args: Commands[K]["args"]) => Commands[K]["result"] | Promise<Commands[K]["result"]>;
};
