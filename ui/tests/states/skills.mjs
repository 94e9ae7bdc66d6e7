// Skills: their list, what their entries say, and reading them.
import assert from "node:assert/strict";

import { audit, state } from "./browser.mjs";
import { item, region, runs, tab } from "./parts.mjs";

const skill = (page) => region(page, "Skill");

async function open(page) {
  await tab(page, /^Skills/).click();
  await skill(page).getByRole("heading", { name: "fog-watch" }).waitFor();
}

export const skills = [
  state("skills", "skills", async (page) => {
    await open(page);
    await tab(page, /^Skills\s*3/).waitFor();
    await skill(page).getByText("Bash(*)").waitFor();
    await skill(page).getByRole("button", { name: "references/signals.md" }).waitFor();
    await runs(page).getByText("No runs of this resource yet").waitFor();
    await audit();
    await item(page, /Lamp/).click();
    await skill(page).getByText("The entry does not follow the extension").waitFor();
    await skill(page)
      .getByText(/which is not a file within the directory of the skill/)
      .waitFor();
    await audit();
    await item(page, /daily/).click();
    await skill(page).getByText("The server does not list the files of this skill.").waitFor();
  }),
  // The front matter is shown as data, the text as Markdown, and no image of another host is loaded.
  state("skills-read", "skills", async (page) => {
    await open(page);
    await page.keyboard.press("Control+Enter");
    await runs(page).getByRole("heading", { name: "Keep watch in fog" }).waitFor();
    await runs(page).getByText("[Image: no description]").waitFor();
    assert.equal(await page.locator("img[src^='http']").count(), 0);
  }),
];
