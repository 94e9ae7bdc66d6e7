// Groups of servers in the list.
import assert from "node:assert/strict";

import { state } from "./browser.mjs";
import { menuitem } from "./parts.mjs";

const nav = (page) => page.getByRole("navigation");
const row = (page, name) => nav(page).locator("[data-server]", { hasText: name });
const head = (page, name) => nav(page).locator("[data-group]", { hasText: name });

/** Returns the visible list, from above. */
const list = (page) =>
  nav(page)
    .locator("[data-server] [data-select], [data-group-toggle]")
    .evaluateAll((buttons) => buttons.map((button) => button.dataset.tip));

/** Waits until the visible list equals this one. */
const reads = (page, names) =>
  page.waitForFunction((wanted) => {
    const buttons = [...document.querySelectorAll("nav :is([data-server] [data-select], [data-group-toggle])")];
    return buttons.map((button) => button.dataset.tip).join() === wanted;
  }, names.join());

const BEFORE = ["Demo server", "Files", "Work", "Company tickets", "Service 1", "Tests", "Service 2"];

/** Returns the middle of an element, or another part of its height. */
async function at(locator, part = 0.5) {
  const { x, y, width, height } = await locator.boundingBox();
  return [x + width / 2, y + height * part];
}

export const groups = [
  state("groups", "groups", async (page, look) => {
    assert.deepEqual(await list(page), BEFORE);
    if (look.width < 1100) return;
    await page.getByRole("button", { name: "Actions for group Work" }).click();
    await menuitem(page, "Remove the group").waitFor();
  }),
  // With the mouse, a server moves into another group, and into a collapsed one.
  state("groups-drag", "groups", async (page, look) => {
    const drag = async (from, to, part) => {
      await page.mouse.move(...(await at(from)));
      await page.mouse.down();
      await page.mouse.move(...(await at(to, part)), { steps: 4 });
    };
    await drag(row(page, "Files"), row(page, "Service 1"), 0.2);
    // After cancelling, nothing has changed, and nothing was selected.
    await page.keyboard.press("Escape");
    await page.mouse.up();
    assert.deepEqual(await list(page), BEFORE);
    await page.getByRole("heading", { name: "Demo server", level: 1 }).waitFor();

    await drag(row(page, "Files"), row(page, "Service 1"), 0.2);
    await page.mouse.up();
    await reads(page, ["Demo server", "Work", "Company tickets", "Files", "Service 1", "Tests", "Service 2"]);
    await page.getByRole("heading", { name: "Demo server", level: 1 }).waitFor();

    const tests = head(page, "Tests").getByRole("button", { name: /^Tests/ });
    await tests.click();
    await reads(page, ["Demo server", "Work", "Company tickets", "Files", "Service 1", "Tests"]);
    await drag(row(page, "Company tickets"), head(page, "Tests"), 0.9);
    await page.mouse.up();
    await tests.click();
    await reads(page, ["Demo server", "Work", "Files", "Service 1", "Tests", "Service 2", "Company tickets"]);
    // During the drag, for the picture.
    if (look.width >= 1100) await drag(row(page, "Service 2"), row(page, "Files"), 0.8);
  }),
  // The same by keyboard; the focus follows the moved server.
  state("groups-keys", "groups", async (page) => {
    await row(page, "Files").locator("[data-select]").focus();
    await page.keyboard.press("Alt+ArrowDown");
    await reads(page, ["Demo server", "Work", "Files", "Company tickets", "Service 1", "Tests", "Service 2"]);
    await page.waitForFunction(() => document.activeElement?.closest("[data-server]")?.textContent.includes("Files"));
    await page.keyboard.press("ArrowUp");
    await page.waitForFunction(() => document.activeElement?.matches("[data-group-toggle]"));
    await page.keyboard.press("ArrowLeft");
    await reads(page, ["Demo server", "Work", "Tests", "Service 2"]);
    await page.keyboard.press("Alt+ArrowDown");
    await reads(page, ["Demo server", "Tests", "Service 2", "Work"]);
    await page.waitForFunction(() => document.activeElement?.closest("[data-group]")?.textContent.includes("Work"));
    await page.keyboard.press("ArrowRight");
    await reads(page, ["Demo server", "Tests", "Service 2", "Work", "Files", "Company tickets", "Service 1"]);
  }),
  state("groups-named-and-removed", "groups", async (page) => {
    await row(page, "Files").click({ button: "right" });
    await menuitem(page, "New group with this server").click();
    const name = page.getByRole("textbox", { name: "Name of the group" });
    await name.and(page.locator(":focus")).waitFor();
    await page.keyboard.type("Documents");
    await page.keyboard.press("Enter");
    await reads(page, ["Demo server", ...BEFORE.slice(2), "Documents", "Files"]);
    await page.waitForFunction(() =>
      document.activeElement?.closest("[data-group]")?.textContent.includes("Documents"),
    );
    await page.keyboard.press("Shift+F10");
    await menuitem(page, "Remove the group").click();
    await page.getByText("Group “Documents” removed; its servers stay").waitFor();
    await reads(page, ["Demo server", "Files", ...BEFORE.slice(2)]);
  }),
];
