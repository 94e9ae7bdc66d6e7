import { expect, it } from "vitest";

import { render, screen } from "../lib/render.test.helper";
import { Address } from "./Address";
import { Prose } from "./Prose";
import { VisibleText } from "./VisibleText";

it("marks what cannot be seen, with a name for everybody", () => {
  const { container } = render(<VisibleText text={"report\u202Efdp.exe"} />);
  expect(container.textContent).toBe("report⟨U+202E⟩fdp.exe");
  const mark = screen.getByRole("img", { name: "U+202E right-to-left override" });
  expect(mark.dataset["tip"]).toBe("U+202E right-to-left override");
});

it("says that letters of several scripts are mixed", () => {
  const { container } = render(<VisibleText text="pаypal server" />);
  expect(container.textContent).toBe("pаypal servermixes Latin and Cyrillic letters");
  expect(screen.getByRole("img", { name: "Warning" })).toBeTruthy();
});

it("keeps the lines of code and marks those of a name", () => {
  expect(render(<VisibleText code text={"a\nb\r"} />).container.textContent).toBe("a\nb⟨U+000D⟩");
  expect(render(<VisibleText text={"a\nb"} />).container.textContent).toBe("a⟨U+000A⟩b");
});

it("marks the lines of code that has one line", () => {
  expect(render(<VisibleText code oneLine text={"A=1\nPATH=/bin"} />).container.textContent).toBe(
    "A=1⟨U+000A⟩PATH=/bin",
  );
});

it("says what a host in an argument reads in letters of its own", () => {
  const { container } = render(<VisibleText code text="--url=https://аррӏе.com/mcp" />);
  expect(container.textContent).toContain("stands for “аррӏе.com” in Cyrillic letters.");
});

it("marks what a sentence quotes", () => {
  const { container } = render(<Prose text={"It sets `PATH\u200B`."} />);
  expect(container.textContent).toBe("It sets PATH⟨U+200B⟩.");
});

it.each([
  ["https://good.example\u200B@evil.example/", "https://good.example%E2%80%8B@evil.example/", "evil.example"],
  ["https:\\\\evil.example\\@good.example", "https://evil.example/@good.example", "evil.example"],
  ["HTTPS://EVIL.example:443/\u202Egpj", "https://evil.example/%E2%80%AEgpj", "evil.example"],
  ["https://аррӏе.com/", "https://xn--80ak6aa92e.com/", "xn--80ak6aa92e.com"],
])("shows %s as it opens", (written, opens, host) => {
  const { container } = render(<Address address={written} written />);
  expect(container.querySelector("bdi")?.textContent).toBe(opens);
  expect(container.querySelector("strong")?.textContent).toBe(host);
  expect(container.textContent).toContain("Written as ");
  // No invisible character is left.
  expect(container.textContent).not.toMatch(/[\u200B\u202E]/);
});

it("says what a host reads in letters of its own", () => {
  const { container } = render(<Address address="https://xn--80ak6aa92e.com/" />);
  expect(container.textContent).toContain("stands for “аррӏе.com” in Cyrillic letters.");
});
