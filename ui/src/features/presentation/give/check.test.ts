import { expect, it } from "vitest";

import { presentationStep } from "../../../state/testing/views";
import { checkWords, neededServers, stepsWords } from "./check";

const step = (server: string) => presentationStep({ id: server, server, server_name: server });

it("names each server once, with its steps", () => {
  const servers = neededServers([step("a"), step("b"), step("a")]);
  expect(servers.map(({ server, places }) => [server, ...places])).toEqual([
    ["a", 0, 2],
    ["b", 1],
  ]);
  expect(stepsWords([2])).toBe("Step 3");
  expect(stepsWords([0, 1])).toBe("Steps 1 and 2");
  expect(stepsWords([0, 1, 4])).toBe("Steps 1, 2 and 5");
  expect(stepsWords([1, 2, 3])).toBe("Steps 2 to 4");
});

it("says in words why a step has no server", () => {
  const [gone = { server: "", name: "", places: [] }] = neededServers([step("shop")]);
  expect(checkWords("gone", { ...gone, places: [2] }, undefined)).toBe("Step 3 has no server: “shop” was removed.");
  expect(checkWords("gone", { ...gone, places: [2, 3] }, undefined)).toMatch(/^Steps 3 and 4 have no server/);
});
