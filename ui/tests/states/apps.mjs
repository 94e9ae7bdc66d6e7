// Apps of servers, in the run of their tool.
import assert from "node:assert/strict";

import { audit, state, stateOfAllRuns } from "./browser.mjs";
import { button, hasCount, runs } from "./parts.mjs";

/** The section of the app in the run of a tool. */
async function section(page, tool) {
  await page.getByRole("option", { name: tool }).click();
  const head = runs(page).locator("[data-card-head]").filter({ hasText: tool }).first();
  if ((await head.getAttribute("aria-expanded")) !== "true") await head.click();
  return head.locator("xpath=ancestor::article").getByRole("region", { name: "App", exact: true });
}

async function shown(page) {
  const app = await section(page, "Count the boats");
  await button(app, "Show app").click();
  const inside = app.frameLocator("iframe");
  await inside.getByText("Asked: {}").waitFor();
  await inside.getByText("Three boats are in the harbour.").waitFor();
  return { app, inside };
}

export const appStates = [
  // No part of an app is read before the user agrees; then the app gets its input and the result.
  state("app", "apps", async (page) => {
    const { app } = await shown(page);
    await app.getByText("which calls itself “Boats”").waitFor();
    await button(app, "Source").click();
    await app.getByText("Content security policy of its page:").waitFor();
    await audit();
    // Full size, with a way back that the app cannot cover.
    await button(app, "Full size").click();
    const { width, height } = page.viewportSize();
    const box = await app.locator("iframe").boundingBox();
    assert.ok(box.width > width - 10 && box.height > height * 0.8, JSON.stringify(box));
  }),
  // Requests of the app are asked inline, allowed by a rule that can be revoked, or refused.
  stateOfAllRuns("app-asks", "apps", async (page) => {
    const { app, inside } = await shown(page);
    await button(inside, "Count again").click();
    await app.getByRole("group", { name: "The app asks" }).getByText("say_hello").waitFor();
    await button(app, "Always for this server").click();
    await inside.getByText("Ada").waitFor();
    // Wait until the run that the rule allows is in the list above the app, so that nothing moves any more.
    const cards = runs(page).locator("[data-card-head]");
    const before = await cards.count();
    await button(inside, "Count again").click();
    await hasCount(cards, before + 1);
    assert.equal(await app.getByRole("group", { name: "The app asks" }).count(), 0);
    await app.getByText("Allowed to apps of this server without asking (1)").click();
    await button(app, "Ask again").click();
    await app.getByText("Allowed to apps of this server").waitFor({ state: "detached" });
    await button(inside, "Count again").click();
    await button(app, "Refuse").click();
    await inside.getByText("Refused by the user").waitFor();
    await button(inside, "Tell the model").click();
    await app.getByText("Messages for a conversation (1)").click();
    await app.getByText("Three boats.", { exact: true }).waitFor();
    await button(inside, "Open the timetable").click();
    await app.getByText("The app wants to open this page in your browser:").waitFor();
  }),
  // An app that was shown when the window's page was ended is reported, and shown again only on request.
  state("app-ended", "app_ended", async (page) => {
    const app = await section(page, "Count the boats");
    await app.getByText("The app was closed.").waitFor();
    await app
      .getByText("The window stopped responding while the app was shown, for 10 seconds or repeatedly for 5.")
      .waitFor();
    assert.equal(await app.locator("iframe").count(), 0);
    await button(app, "Show app").click();
    await app.frameLocator("iframe").getByText("Asked: {}").waitFor();
    assert.equal(await app.getByText("The app was closed.").count(), 0);
  }),
  // An app that sends to other sites is shown only after the sites were seen.
  state("app-reaches", "apps", async (page) => {
    const app = await section(page, "Show the weather");
    await button(app, "Show app").click();
    await app.getByText("https://api.weather.example").waitFor();
    await app.getByText("On this computer: the app can read from and act on programs that run here.").waitFor();
    await app.getByText("In your network: the app can read from and act on devices there.").waitFor();
    assert.equal(await app.locator("iframe").count(), 0);
    await audit();
    // An app that cannot be shown has its source and the reason.
    const old = await section(page, "Look at the old board");
    await button(old, "Show app").click();
    await old.getByText("This app is not shown, only its source.").waitFor();
    await old.getByText("<!doctype html>").first().waitFor();
    // The result is shown without it.
    await runs(page).getByText("Three boats are in the harbour.").first().waitFor();
    assert.equal(await old.locator("iframe").count(), 0);
  }),
];
