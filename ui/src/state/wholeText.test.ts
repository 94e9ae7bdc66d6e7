import { expect, it } from "vitest";

import { fakeBackend } from "../ipc/fake";
import { wholeText } from "./wholeText";

const textOf = (...received: number[]): Promise<string> => {
  const backend = { ...fakeBackend("connected"), readBytes: async () => Uint8Array.from(received).buffer };
  return wholeText(backend, { type: "instructions", server: "s" }, received.length);
};

it("returns a text exactly, or no text", async () => {
  expect(await textOf(0xef, 0xbb, 0xbf, 0x61)).toBe("\ufeffa");
  await expect(textOf(0x63, 0xe9)).rejects.toMatchObject({ code: "invalid_input" });
});
