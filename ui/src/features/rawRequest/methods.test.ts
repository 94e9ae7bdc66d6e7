import { expect, it } from "vitest";

import { methodsOf, warningOf } from "./methods";

const names = (capabilities: string | null, stateless: boolean) =>
  methodsOf(capabilities, stateless).map(({ name }) => name);

it("offers what the server declares, in its protocol mode", () => {
  const handshake = names('{"tools":{},"logging":{}}', false);
  expect(handshake).toContain("tools/call");
  expect(handshake).toContain("logging/setLevel");
  expect(handshake).not.toContain("resources/read");
  expect(handshake).not.toContain("server/discover");
  const stateless = names('{"tools":{},"logging":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}', true);
  expect(stateless).toContain("server/discover");
  expect(stateless).toContain("tasks/get");
  expect(stateless).not.toContain("tasks/list");
  expect(stateless).not.toContain("logging/setLevel");
});

it("offers all methods of a server whose capabilities are not known", () => {
  expect(names(null, false)).toContain("prompts/get");
});

it("warns about what Sonde sends by itself, and about nothing else", () => {
  expect(warningOf("initialize")).toContain("second one");
  expect(warningOf("tools/list")).toBeNull();
  expect(warningOf("constructor")).toBeNull();
});
