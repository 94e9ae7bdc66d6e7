// Saved inputs of a tool, and presentations being prepared.
import assert from "node:assert/strict";

import { audit, drawn, eventually, state } from "./browser.mjs";
import { button, hasCount, item, menuitem, openItem, region, tab } from "./parts.mjs";

const toast = (page, text) => region(page, "Done just now").getByText(text);
const inputs = (page) => page.getByRole("button", { name: /^Saved inputs/ });
const form = (page) => page.locator("[data-form]");
const steps = (page) => region(page, "Steps").getByRole("listitem");

/** Waits until the titles of the steps are these, in order. */
async function stepsAre(page, titles) {
  await page.waitForFunction(
    (wanted) =>
      JSON.stringify(
        [...document.querySelectorAll("li[data-place] [aria-expanded] span span:first-child")].map(
          (e) => e.textContent,
        ),
      ) === JSON.stringify(wanted),
    titles,
  );
}

async function editor(page, title) {
  await button(page, "Presentations").click();
  await page.getByRole("button", { name: title }).first().click();
  await page.getByRole("heading", { name: "Prepare a presentation" }).waitFor();
}

export const prepare = [
  // Filling the form replaces typed text, and Undo restores it.
  state("saved-inputs-fill", "presentation", async (page) => {
    await openItem(page, "Say hello");
    await form(page).getByRole("textbox").first().fill("Grace");
    await page.keyboard.press("Control+b");
    for (const name of ["To Ada", "Loudly", /Save these values/, /Rename, move or delete/])
      await menuitem(page, name).waitFor();
    await audit();
    await page.keyboard.press("Enter");
    await button(page, "Saved inputs: To Ada").waitFor();
    await toast(page, "Form filled with “To Ada”").waitFor();
  }),
  state("saved-inputs-changed", "presentation", async (page) => {
    await openItem(page, "Say hello");
    await inputs(page).click();
    await menuitem(page, "To Ada").click();
    await form(page).getByRole("textbox").first().fill("Ada Lovelace");
    await button(page, "Saved inputs: To Ada, changed").waitFor();
    await button(page, "Update").click();
    await toast(page, "“To Ada” updated").waitFor();
    await button(page, "Saved inputs: To Ada").waitFor();
  }),
  state("save-input", "presentation", async (page) => {
    await openItem(page, "Say hello");
    await form(page).getByRole("textbox").first().fill("Grace");
    await page.keyboard.press("Control+s");
    const name = page.getByLabel("Save these values as");
    await name.and(page.locator(":focus")).waitFor();
    assert.equal(await name.inputValue(), "Grace");
    await page.keyboard.type("To Ada");
    await page.getByText("“To Ada” is there already. Press Update to replace it, or choose another name.").waitFor();
    assert.ok(await button(page, "Save").isDisabled());
    await audit();
    await name.fill("To Grace");
    await page.keyboard.press("Enter");
    await button(page, "Saved inputs: To Grace").and(page.locator(":focus")).waitFor();
  }),
  // Secrets are never written to a file, and the window says so there.
  state("save-input-secret", "presentations", async (page) => {
    await openItem(page, "Log in to the radio");
    await page.keyboard.press("Control+s");
    await page.getByText("What is saved of it stays in memory until Sonde quits").waitFor();
    const name = page.getByLabel("Save these values as");
    await name.and(page.locator(":focus")).waitFor();
    assert.equal(await name.inputValue(), "");
    await audit();
    await name.fill("Mine");
    await page.keyboard.press("Enter");
    await button(page, "Saved inputs: Mine, kept in memory only").waitFor();
  }),
  state("save-input-of-run", "history", async (page) => {
    await page.locator("[data-card-head]").filter({ hasText: "Say hello" }).first().click({ button: "right" });
    await menuitem(page, "Save its values as an input…").click();
    const name = page.getByLabel("Save them as");
    await name.and(page.locator(":focus")).waitFor();
    assert.equal(await name.inputValue(), "Ada");
    await page.getByText("Values of the run").waitFor();
  }),
  state("saved-inputs-list", "presentation", async (page) => {
    await openItem(page, "Say hello");
    await inputs(page).click();
    await menuitem(page, /Rename, move or delete/).click();
    const names = region(page, "Saved inputs").getByRole("textbox");
    const are = (...wanted) =>
      eventually(async () => assert.deepEqual(await names.evaluateAll((all) => all.map((one) => one.value)), wanted));
    await are("To Ada", "Loudly");
    await names.first().focus();
    await page.keyboard.press("Alt+ArrowDown");
    await are("Loudly", "To Ada");
    await names.first().fill("Very loudly");
    await page.keyboard.press("Enter");
    await toast(page, "“Loudly” is now called “Very loudly”").waitFor();
    await button(page, "Actions for To Ada").click();
    await menuitem(page, "Delete").click();
    await toast(page, "Saved input “To Ada” deleted").waitFor();
    await are("Very loudly");
  }),
  state("palette-saved-input", "presentation", async (page) => {
    await openItem(page, "Say hello");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("loudly");
    await page
      .getByRole("group", { name: "Saved inputs" })
      .getByRole("option", { name: /Loudly/ })
      .waitFor();
    await page.keyboard.press("Enter");
    await button(page, "Saved inputs: Loudly").waitFor();
  }),
  state("presentations-none", "connected", async (page) => {
    await button(page, "Presentations").click();
    await page.getByText("Show tools to people who do not program").waitFor();
  }),
  state("presentations", "presentations", async (page) => {
    await button(page, "Presentations").click();
    await page.getByText("2 steps need attention").waitFor();
    assert.ok(await button(page, "Start Empty").isDisabled());
    await audit();
    await button(page, "Actions for Empty").click();
    await menuitem(page, "Delete").click();
    await toast(page, "Presentation “Empty” deleted").waitFor();
    await button(page, "Actions for Empty").waitFor({ state: "detached" });
  }),
  state("presentation-step", "presentation", async (page) => {
    await editor(page, /A tour of the lighthouse/);
    const first = steps(page).first();
    await first.getByRole("button", { expanded: false }).first().click();
    await first.getByLabel("Title").fill("Say good day");
    await first.getByRole("checkbox", { name: "Loudly" }).uncheck();
    await first.getByText("1 saved input").waitFor();
    await first.getByLabel("Speaker's notes").fill("Wait for the laugh.");
    await drawn(page);
    await first.getByText("Say good day").waitFor();
    await audit();
    // The notes of an export stay in sight.
    await button(page, "Export to a file").click();
    await toast(page, /Saved as .*a tour of the lighthouse/i).waitFor();
    await page.getByText("Secrets are not part of it").waitFor();
  }),
  state("presentation-order", "presentation", async (page) => {
    await editor(page, /A tour of the lighthouse/);
    const titles = [
      "Say hello",
      "Check the buoys",
      "Call the pilot",
      "Read the tide table",
      "Look at the chart",
      "See how the waves rise",
    ];
    await stepsAre(page, titles);
    await steps(page).first().getByRole("button").first().focus();
    await page.keyboard.press("Alt+ArrowDown");
    await stepsAre(page, [titles[1], titles[0], ...titles.slice(2)]);
    // The focus follows the moved step.
    await page.keyboard.press("Alt+ArrowUp");
    await stepsAre(page, titles);
    const handle = await steps(page).nth(0).locator("[data-drag]").boundingBox();
    const third = await steps(page).nth(2).boundingBox();
    const drag = async () => {
      await page.mouse.move(handle.x + 5, handle.y + 5);
      await page.mouse.down();
      await page.mouse.move(handle.x + 5, third.y + third.height - 4, { steps: 5 });
      await page.locator("li[data-gap]").waitFor();
    };
    await drag();
    await page.keyboard.press("Escape");
    await page.mouse.up();
    await stepsAre(page, titles);
    await drag();
    await page.mouse.up();
    await stepsAre(page, [titles[1], titles[2], titles[0], ...titles.slice(3)]);
    await button(page, "Actions for step 1, Check the buoys").click();
    await menuitem(page, "Remove").click();
    await toast(page, "Step “Check the buoys” removed").waitFor();
    await stepsAre(page, [titles[2], titles[0], ...titles.slice(3)]);
  }),
  state("presentation-add-step", "presentations", async (page) => {
    await editor(page, /^Empty/);
    await button(page, "Add a step").click();
    await page.getByRole("combobox", { name: "Search the tools of all servers" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.type("tide");
    await item(page, /Read the tide table/).waitFor();
    await page.getByText("1 tool", { exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await stepsAre(page, ["Read the tide table"]);
    await page.keyboard.press("Escape");
    await page.keyboard.type("hello");
    await page.getByText("1 tool", { exact: true }).waitFor();
    await item(page, /Say hello/).click();
    await stepsAre(page, ["Read the tide table", "Say hello"]);
  }),
  // Steps of a prompt and of resources: the prompt is looked up in its list, a resource in none.
  state("presentation-kinds", "presentation_kinds", async (page) => {
    await tab(page, /^Prompts/).click();
    await page.getByRole("option", { name: /Ask for a berth/ }).waitFor();
    await editor(page, /^Letters and charts/);
    const list = region(page, "Steps");
    await list.getByText("no longer lists the prompt “gone”").waitFor();
    assert.equal(await list.getByText("no longer lists").count(), 1);
    await list.getByRole("button", { name: /^1\s*Ask for a berth/ }).click();
    await list.getByRole("checkbox", { name: "To Bergen", checked: true }).waitFor();
    await list.getByRole("button", { name: /^2\s*Look at the lamp/ }).click();
    await hasCount(list.getByText("Saved inputs to choose from"), 0);
  }),
  state("presentation-other-server", "presentations", async (page) => {
    await editor(page, /For the harbour board/);
    await steps(page).nth(1).getByRole("button", { expanded: false }).first().click();
    await page.getByText("The server “Harbour office” is no longer in the list.").waitFor();
    await page.getByText("“A week” was deleted.").waitFor();
    await audit();
    await page.getByLabel("Server", { exact: true }).selectOption({ label: "Demo server" });
    await page.getByText("The server “Harbour office” is no longer in the list.").waitFor({ state: "detached" });
    await steps(page).nth(1).getByText("Demo server · read_tide_table").waitFor();
  }),
  state("presentation-add-tool", "presentations", async (page) => {
    await openItem(page, "Say hello");
    await item(page, /Say hello/).click({ button: "right" });
    await menuitem(page, "Add to presentation…").click();
    await page.getByText("Choose the presentation that gets the step “Say hello”.").waitFor();
  }),
  // Hidden characters are marked, a missing server is named, and the presentation with this title can be replaced.
  state("presentation-import", "presentation", async (page) => {
    await button(page, "Presentations").click();
    const text = JSON.stringify({
      sonde: 1,
      name: "A tour of the lighthouse",
      server: "Demo server",
      servers: { "Demo server": { demo: "stdio" }, everything: { command: "npx", args: ["-y", "everything"] } },
      steps: [
        { title: "Hello\u202E", name: "To all", call: "say_hello", with: { name: "a\u200Bll", times: 3 } },
        { title: "Add two numbers", server: "everything", call: "add" },
        { title: "Elsewhere", server: "nowhere", call: "say_hello" },
      ],
    });
    const file = { name: "board.sonde.yaml", mimeType: "application/yaml", buffer: Buffer.from(text) };
    await page.getByLabel("Presentation file").setInputFiles(file);
    await page.getByRole("heading", { name: "Import a presentation" }).waitFor();
    await page.getByText("Already in your list; yours is used.").waitFor();
    await page.getByText("Starts a program on this computer").waitFor();
    await page.getByText("Its steps cannot run until you choose").waitFor();
    await page
      .getByRole("img", { name: /U\+200B/ })
      .first()
      .waitFor();
    // The file itself is collapsed.
    assert.equal(await page.getByRole("textbox", { name: "URL, command or configuration" }).count(), 0);
    await page.getByRole("group", { name: "Values of To all" }).scrollIntoViewIfNeeded();
    await page.getByText("You have a presentation with this title.").waitFor();
    await page.getByText("Replace it", { exact: true }).click();
    await audit();
    await button(page, "Import the presentation and 1 server").click();
    await toast(page, /Presentation “.*” replaced/).waitFor();
  }),
];
