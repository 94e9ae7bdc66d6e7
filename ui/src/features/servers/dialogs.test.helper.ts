import { expect } from "vitest";

import { fakeBackend } from "../../ipc/fake";
import { act } from "../../lib/render.test.helper";
import { answering } from "../../state/testing/openApp";

/** A host whose dialog for a file or folder stays open until `choose` ends it with a path or without one. */
export function hostOfDialogs() {
  const dialogs: ((path: string | null) => void)[] = [];
  const open = () => new Promise<string | null>((resolve) => dialogs.push(resolve));
  const choose = (path: string | null) =>
    act(async () => {
      expect(dialogs).toHaveLength(1);
      dialogs.pop()?.(path);
    });
  return { backend: answering(fakeBackend("connected"), { choose_file: open, choose_folder: open }), choose };
}
