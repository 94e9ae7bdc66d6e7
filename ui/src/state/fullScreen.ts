import type { Context } from "./actions/context";

/** The window fills its screen while a presentation is given, and then goes back to how it was. */
export function fullScreenActions({ command }: Pick<Context, "command">) {
  let before = false;
  // One after the other, so that what is asked for last is what stays.
  let last: Promise<unknown> = Promise.resolve();
  const next = (act: () => Promise<unknown>): void => {
    last = last.then(act);
  };
  const set = (on: boolean | null): Promise<boolean | undefined> => command("set_full_screen", { on });
  return {
    toggle: (): void => next(() => set(null)),
    /** A presentation begins. */
    enter: (): void =>
      next(async () => {
        before = (await set(true)) ?? false;
      }),
    /** It was left. */
    leave: (): void => next(async () => before || (await set(false))),
  };
}
