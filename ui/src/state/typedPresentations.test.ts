import { expect, it } from "vitest";

import { presentationTitle } from "./typedPresentations";

it("has a name, whatever its title is", () => {
  expect(presentationTitle("Tour")).toBe("Tour");
  expect(presentationTitle(" ")).toBe("Presentation");
  expect(presentationTitle("\u200b")).toBe("⟨U+200B⟩");
});
