import { expect, it } from "vitest";

import { plainDraft } from "../ipc/drafts";
import type { Presentation } from "../ipc/bindings";
import { pathNotes } from "./exportedPaths";
import { initialLive, type LiveState } from "./live";
import { presentationStep, savedInput } from "./testing/views";

function noted(args: string[], given: object, more: { cwd?: string; private?: boolean } = {}): readonly string[] {
  const transport = { type: "stdio", command: "npx", args, env: [], cwd: more.cwd ?? null } as const;
  const server = { id: "s", config: { ...plainDraft, name: "Files", transport } };
  const input = savedInput({ name: "Minutes", arguments: JSON.stringify(given), private: more.private ?? false });
  const steps = [presentationStep({ inputs: [{ id: input.id, name: input.name, removed: false }] })];
  const presentation: Presentation = { imported: false, id: "p", title: "Tour", steps };
  const live = { ...initialLive, servers: { s: server }, savedInputs: { s: [input] } };
  return pathNotes(presentation, live as unknown as LiveState);
}

it("names folders and files that have to be on the other computer too", () => {
  expect(noted(["-y", "@scope/files", "/home/ada/documents", "--log=/var/log/x"], { path: "/home/ada/a.md" })).toEqual([
    "Files: /home/ada/documents, /var/log/x must exist on the other computer as well, or be changed there.",
    "Saved input “Minutes”: /home/ada/a.md must exist on the other computer as well, or be changed there.",
  ]);
  expect(noted([], { list: [{ at: "C:\\Users\\ada" }, "~/x", "file:///tmp/x", "\\\\nas\\share"] })).toEqual([
    "Saved input “Minutes”: C:\\Users\\ada, ~/x, file:///tmp/x and 1 more path must exist on the other computer as well, or be changed there.",
  ]);
  expect(noted([], {}, { cwd: "/srv/files/x" })).toHaveLength(1);
});

it("takes nothing else for a path", () => {
  expect(
    noted(["-y", "@scope/files", "https://example.org/a/b", "--port=80"], { a: "/help", b: "// a", c: "1/2/3" }),
  ).toEqual([]);
  expect(noted([], { at: "/a path\n/of two lines" })).toEqual([]);
  // Paths that are not exported are not mentioned.
  expect(noted([], { at: "/home/ada/a.md" }, { private: true })).toEqual([]);
});
