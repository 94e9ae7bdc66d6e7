import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Half a step of the 8 px grid; smaller values are for borders and within a line of text. */
const STEP = 4;
const FINE = 2;

/**
 * Returns spacing declarations that are off the grid without a reason in a comment at their end, as `line:
 * declaration`.
 */
function offGrid(css: string): string[] {
  const found: string[] = [];
  const declarations = css.matchAll(/^[ \t]*((?:padding|margin)[a-z-]*|(?:row-|column-)?gap)[ \t]*:([^;{}]*);(.*)$/gm);
  for (const { 0: whole, 2: value = "", 3: after = "", index } of declarations) {
    const lengths = [...value.matchAll(/(?<![\w.-])-?(\d*\.?\d+)px/g)].map(([, length]) => Number(length));
    const isOff = lengths.some((length) => length > FINE && length % STEP !== 0);
    const saysWhy = /^\s*\/\*.*\S.*\*\//.test(after);
    if (isOff && !saysWhy) found.push(`${css.slice(0, index).split("\n").length}: ${whole.trim()}`);
  }
  return found;
}

it("keeps paddings, margins and gaps on the grid", () => {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".css"));
  expect(files.length).toBeGreaterThan(50);
  const off = files.flatMap((file) =>
    offGrid(readFileSync(join(root, file), "utf8")).map((place) => `${file.replaceAll("\\", "/")}:${place}`),
  );
  expect(off).toEqual([]);
});

it("finds what is off the grid, whatever stands beside it", () => {
  expect(offGrid(".a {\n  padding: 8px 5px;\n}")).toEqual(["2: padding: 8px 5px;"]);
  expect(offGrid(".a {\n  margin-left: -3px;\n  gap: 2px 6px;\n}")).toEqual([
    "2: margin-left: -3px;",
    "3: gap: 2px 6px;",
  ]);
  expect(offGrid(".a {\n  margin:\n    0\n    4.5px;\n}")).toHaveLength(1);
});

it("takes tokens, lengths of the grid, lengths of the text, and what says why", () => {
  expect(offGrid(".a {\n  padding: var(--s1) 20px 0 -8px;\n  gap: 1px 2px;\n  margin: 0 0.4em;\n}")).toEqual([]);
  expect(offGrid(".a {\n  margin-top: 25px; /* below the label */\n}")).toEqual([]);
});
