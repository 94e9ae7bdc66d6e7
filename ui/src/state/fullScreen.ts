import type { Context } from "./actions/context";

/** Makes the window fill its screen during a presentation, and restores it afterwards. */
export function fullScreenActions({ command }: Pick<Context, "command">) {
  let before = false;
  // Requests run one after the other, so that the last one wins.
  let last: Promise<unknown> = Promise.resolve();
  const next = (act: () => Promise<unknown>): void => {
    last = last.then(act);
  };
  const set = (on: boolean | null): Promise<boolean | undefined> => command("set_full_screen", { on });
  return {
    toggle: (): void => next(() => set(null)),
    /** Handles the start of a presentation. */
    enter: (): void =>
      next(async () => {
        before = (await set(true)) ?? false;
      }),
    /** Handles leaving the presentation. */
    leave: (): void => next(async () => before || (await set(false))),
  };
}
