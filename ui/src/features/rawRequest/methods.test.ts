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

it("offers what an extension has, and what a capability has inside, only where that is declared", () => {
  const skills = '{"extensions":{"io.modelcontextprotocol/skills":{}}}';
  expect(names(skills, true)).toEqual(expect.arrayContaining(["skills/list", "skills/get"]));
  expect(names('{"skills":{}}', true)).not.toContain("skills/list");
  // The same name at another place declares nothing.
  expect(names('{"experimental":{"io.modelcontextprotocol/tasks":{}}}', true)).not.toContain("tasks/get");
  const tasks = names('{"extensions":{"io.modelcontextprotocol/tasks":{}}}', true);
  expect(tasks.filter((name) => name.startsWith("tasks/"))).toEqual(["tasks/get", "tasks/update", "tasks/cancel"]);
  const listed = names('{"tasks":{"list":{},"requests":{}}}', false);
  expect(listed.filter((name) => name.startsWith("tasks/"))).toEqual(["tasks/get", "tasks/result", "tasks/list"]);
  expect(names('{"resources":{"subscribe":true}}', false)).toContain("resources/subscribe");
  for (const subscribe of ["false", "null"]) {
    expect(names(`{"resources":{"subscribe":${subscribe}}}`, false)).not.toContain("resources/subscribe");
  }
  expect(names('{"resources":{}}', false)).not.toContain("resources/unsubscribe");
  expect(names('{"tools":false}', false)).not.toContain("tools/list");
});

it("offers all methods of a server whose capabilities are not known, or known in part", () => {
  expect(names(null, false)).toContain("prompts/get");
  expect(names('{"tools":{},"experimental":{"x":"…', false)).toContain("prompts/get");
  expect(names("no JSON", false)).not.toContain("prompts/get");
});

it("warns about what Sonde sends by itself, and about nothing else", () => {
  expect(warningOf("initialize")).toContain("second one");
  expect(warningOf("tools/list")).toBeNull();
  expect(warningOf("constructor")).toBeNull();
});
