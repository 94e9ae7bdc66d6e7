// Two servers side by side.
import assert from "node:assert/strict";

import { drawn, eventually, state } from "./browser.mjs";
import { hasCount, item, menuitem } from "./parts.mjs";

const row = (page, server) => page.locator("nav [data-server]").filter({ hasText: server });
const side = (page, server) => page.getByRole("region", { name: server, exact: true });
const selected = (page) => page.locator('[data-side="selected"]').getAttribute("aria-label");

async function beside(page, server) {
  await row(page, server).click({ button: "right" });
  await menuitem(page, "Show beside the selected server").click();
}

export const sides = [
  // Each has its own tool, form and runs; keys apply to the one that was used last.
  state("sides", "runs_to_compare", async (page, look) => {
    await page.getByRole("heading", { name: "Demo server", level: 1 }).waitFor();
    if (look.width < 1100) await page.setViewportSize({ width: 1100, height: 700 });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("beside harbour");
    await item(page, /Show Harbour office beside/).waitFor();
    await page.keyboard.press("Enter");
    await side(page, "Harbour office").waitFor();
    const [left, right] = [
      await side(page, "Demo server").boundingBox(),
      await side(page, "Harbour office").boundingBox(),
    ];
    assert.ok(left.x + left.width <= right.x + 1);
    // All tabs are visible, also those of a server with authentication.
    for (const server of ["Demo server", "Harbour office"]) {
      const tabs = side(page, server).getByRole("tablist", { name: "Server views" });
      await eventually(async () => assert.ok(await tabs.evaluate((all) => all.scrollWidth <= all.clientWidth), server));
      await tabs.getByRole("tab", { name: "Connection" }).waitFor();
    }
    await eventually(async () => assert.equal(await selected(page), "Demo server"));
    await side(page, "Harbour office")
      .locator("label")
      .filter({ hasText: /^Runs$/ })
      .click();
    await side(page, "Harbour office")
      .getByRole("button", { name: /Say hello/ })
      .click();
    await side(page, "Harbour office").getByText("Good day, Ada!").waitFor();
    await eventually(async () => assert.equal(await selected(page), "Harbour office"));
    await page.keyboard.press("Alt+6");
    await side(page, "Harbour office").getByRole("grid").waitFor();
    await hasCount(side(page, "Demo server").getByRole("grid"), 0);
    await page.keyboard.press("Control+1");
    await drawn(page);
    await eventually(async () => assert.equal(await selected(page), "Demo server"));
    assert.ok(Math.abs((await side(page, "Demo server").boundingBox()).x - left.x) < 1);
  }),
  // If there is no room, one server is hidden, which is said, and can be shown instead.
  state("sides-no-room", "runs_to_compare", async (page, look) => {
    await beside(page, "Harbour office");
    if (look.width >= 1100) {
      await side(page, "Harbour office").waitFor();
      await page.getByRole("button", { name: "Close Harbour office at this side" }).click();
      await side(page, "Harbour office").waitFor({ state: "detached" });
      await beside(page, "Harbour office");
      await page.setViewportSize({ width: 1000, height: 700 });
    }
    await page.getByText("“Harbour office” has no room beside this server.").waitFor();
    await page.getByRole("button", { name: "Show it instead" }).click();
    await page.getByText("“Demo server” has no room beside this server.").waitFor();
    await page.getByRole("heading", { name: "Harbour office", level: 1 }).waitFor();
  }),
  // A maximized pane gives way to the other server as soon as that is selected.
  state("sides-maximized", "runs_to_compare", async (page, look) => {
    if (look.width < 1100) await page.setViewportSize({ width: 1100, height: 700 });
    await beside(page, "Harbour office");
    const maximize = async (server) => {
      const names = await page
        .locator("nav [data-server] [data-select]")
        .evaluateAll((all) => all.map(({ dataset }) => dataset.tip));
      await page.keyboard.press(`Control+${names.findIndex((name) => name.startsWith(server)) + 1}`);
      await eventually(async () => assert.equal(await selected(page), server));
      await page.keyboard.press("Alt+7");
      await page.keyboard.press("Control+k");
      await page.keyboard.type("maximize the console");
      await item(page, /Maximize the console/).waitFor();
      await page.keyboard.press("Enter");
    };
    await maximize("Demo server");
    await side(page, "Harbour office").waitFor({ state: "hidden" });
    await maximize("Harbour office");
    await side(page, "Demo server").waitFor({ state: "hidden" });
    await page.keyboard.press("Escape");
    await side(page, "Harbour office").getByRole("button", { name: "Maximize console" }).waitFor();
    await side(page, "Demo server").getByRole("button", { name: "Maximize console" }).waitFor();
    await maximize("Demo server");
    await side(page, "Harbour office").waitFor({ state: "hidden" });
  }),
];
