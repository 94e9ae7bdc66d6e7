// Helpers and common expectations of the states of several modules.
import assert from "node:assert/strict";

import { eventually } from "./clock.mjs";

export const button = (page, name) => page.getByRole("button", { name, exact: true });
export const tab = (page, name) => page.getByRole("tab", { name });
/** Returns an item of a list: a tool, a prompt or a resource. */
export const item = (page, name) => page.getByRole("option", { name });
export const menuitem = (page, name) => page.getByRole("menuitem", { name });
export const region = (page, name) => page.getByRole("region", { name, exact: true });
export const runs = (page) => region(page, "Runs");

/** Selects an item of a list, and waits until it is shown. */
export async function openItem(page, name) {
  await item(page, new RegExp(name)).first().click();
  await page.getByRole("heading", { name }).first().waitFor();
}

export const hasCount = (locator, count) => eventually(async () => assert.equal(await locator.count(), count));
export const hasValue = (locator, value) => eventually(async () => assert.equal(await locator.inputValue(), value));

/** Records copied text, in place of the system's clipboard. */
export const catchCopies = (page) =>
  page.evaluate(() => {
    Object.defineProperty(navigator, "clipboard", {
      value: {
        write: async ([item]) => void (globalThis.copied = await (await item.getType("text/plain")).text()),
      },
    });
  });

/** Pastes a text into the window. */
export async function paste(page, text) {
  await page.evaluate((words) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", words);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}
