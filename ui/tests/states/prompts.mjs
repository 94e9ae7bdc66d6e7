// Prompts: their list, their form with suggestions, and their messages.
import assert from "node:assert/strict";

import { audit, eventually, state } from "./browser.mjs";
import { button, catchCopies, hasValue, item, menuitem, openItem, tab } from "./parts.mjs";

const open = (page) => tab(page, "Prompts").click();
const field = (page, name) => page.getByRole("combobox", { name: new RegExp(`^${name}`, "i") });
const get = (page) => button(page, "Get prompt");
const suggestions = (page, name) =>
  page.getByRole("listbox", { name: new RegExp(`^${name}`, "i") }).getByRole("option");

/** Returns the form of the prompt with arguments. */
async function openBerth(page) {
  await open(page);
  await item(page, /Ask for a berth/).click();
  await page.getByRole("heading", { name: "Ask for a berth" }).waitFor();
  await field(page, "Harbour").waitFor();
}

export const prompts = [
  // The second argument depends on the first.
  state("prompts-suggestions", "prompts", async (page) => {
    await openBerth(page);
    await field(page, "Harbour").fill("?");
    await page.getByText("No suggestions: the server answered “no such harbour” (-32602).").waitFor();
    await audit();
    await field(page, "Harbour").fill("b");
    await page.getByText("3 of 15 suggestions; type to find the others").waitFor();
    await audit();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await hasValue(field(page, "Harbour"), "Bergen");
    await field(page, "Berth").focus();
    await page.keyboard.press("ArrowDown");
    await eventually(async () =>
      assert.deepEqual(await suggestions(page, "Berth").allInnerTexts(), ["Bryggen 1", "Bryggen 2", "Skolten"]),
    );
  }),
  state("prompts-messages", "prompts", async (page) => {
    await openBerth(page);
    await get(page).click();
    await page.getByText("“harbour” is required.").first().waitFor();
    await audit();
    await field(page, "Harbour").fill("Bergen");
    await field(page, "Berth").fill("Skolten");
    await page.keyboard.press("Control+Enter");
    const messages = page.getByRole("list", { name: "2 messages" });
    await messages.getByText("Certainly. To whom shall I address it?").waitFor();
    await page.getByText("A letter to the harbour master.").waitFor();
    assert.deepEqual(await messages.getByRole("heading").allInnerTexts(), ["User", "Assistant"]);
    await catchCopies(page);
    await page.getByRole("button", { name: "Copy messages" }).click();
    await menuitem(page, "For the API of OpenAI").click();
    await page.getByText("Messages copied for the API of OpenAI").waitFor();
    assert.match(await page.evaluate(() => globalThis.copied), /"role": "assistant"/);
  }),
  state("prompts-image", "prompts", async (page) => {
    await open(page);
    await openItem(page, "Read the chart");
    await page.getByText("No arguments are defined.").waitFor();
    await get(page).click();
    const messages = page.getByRole("list", { name: "2 messages" });
    // An SVG can keep the page busy forever, so it is drawn only after a click.
    await messages.getByText("An SVG image. Drawing it can take long.").waitFor();
    await messages.getByRole("region", { name: "Source" }).getByText("<svg").waitFor();
    assert.equal(await messages.getByRole("img").count(), 0);
    await messages.getByRole("button", { name: "Show it" }).click();
    await messages.getByRole("img").first().waitFor();
    await audit();
    await openItem(page, "watch_handover");
    await get(page).click();
    await page.getByText("The role is system; it must be user or assistant.").waitFor();
  }),
];
