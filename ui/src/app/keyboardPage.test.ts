import { expect, it } from "vitest";

import { keysLabel, modifier } from "../lib/shortcuts";
import { allKeys } from "./actions";
import { actionTable } from "./actionTable";

/** Formats a key for readers. */
function written(keys: string): string {
  const named = keysLabel(keys)
    .replace(modifier, "Ctrl")
    .replace(/^Arrows$/, "↑ ↓ ← →")
    .replace(/\b(Up|Down|Left|Right)$/, (way) => (keys.startsWith("Page") ? way : (ARROWS.get(way) ?? way)));
  return `\`${named}\``;
}

const ARROWS: ReadonlyMap<string, string> = new Map([
  ["Up", "↑"],
  ["Down", "↓"],
  ["Left", "←"],
  ["Right", "→"],
]);

function row({ title, keys }: { readonly title: string; readonly keys: readonly string[] }): string {
  return `| ${keys.map(written).join(", ")} | ${title} |`;
}

const PAGE = `# Keyboard shortcuts

<!-- Also: keys, hotkeys, hot keys, short cuts, without a mouse, keyboard commands, control keys -->

\`Ctrl\` is \`⌘\` on macOS. **?** shows this list in the app, and searches in it. The palette (Ctrl+K) has what else can be done with the window and with what is selected.

| Keys | What they do |
|---|---|
${allKeys().map(row).join("\n")}
`;

// `npm run docs:keyboard` writes the page again.
it("is the keyboard page of the guide", async () => {
  expect(allKeys().length).toBeGreaterThan(Object.keys(actionTable).length);
  await expect(PAGE).toMatchFileSnapshot("../../../docs/guide/keyboard.md");
});
