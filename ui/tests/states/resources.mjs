// Resources and templates: listed, read, filled in, opened from a result.
import assert from "node:assert/strict";

import { audit, eventually, state } from "./browser.mjs";
import { button, hasCount, item, openItem, region, runs, tab } from "./parts.mjs";

const resource = (page) => region(page, "Resource");
const list = (page, name) => page.locator("label").filter({ hasText: name });

async function open(page) {
  await tab(page, /^Resources/).click();
  await item(page, /Chart of the approach/).waitFor();
  await resource(page).getByRole("heading", { name: "Chart of the approach" }).waitFor();
}

export const resources = [
  // The tab has the number once the lists were read, and the first resource is open. Icons and metadata are collapsed.
  state("resources", "resources", async (page) => {
    await open(page);
    await tab(page, /^Resources\s*7/).waitFor();
    await resource(page).getByText("station://charts/approach").waitFor();
    await resource(page).getByText("the user", { exact: true }).waitFor();
    await audit();
    await resource(page).getByText("3 icons").click();
    await resource(page).getByText("48x48, 96x96").waitFor();
    await resource(page).getByText("_meta", { exact: true }).click();
    await resource(page).getByText("9007199254740993").waitFor();
  }),
  state("resources-read", "resources", async (page) => {
    await open(page);
    await page.keyboard.press("Control+Enter");
    await runs(page).getByRole("heading", { name: "Approach" }).waitFor();
    await runs(page).getByText("Text", { exact: true }).first().waitFor();
    await button(page, "Read again").waitFor();
    await hasCount(button(page, "Edit arguments"), 0);
    await audit();
    // Binary content as bytes, with its differences from the list.
    await openItem(page, "Barograph roll");
    await button(page, "Read").click();
    await runs(page).getByText("The list of resources says 512 bytes, and reading gave 480.").waitFor();
    await runs(page).getByRole("group", { name: "Bytes", exact: true }).waitFor();
  }),
  // A result that the server allows to cache is shown again, and read again by a click.
  state("resources-kept", "resources_kept", async (page) => {
    await open(page);
    await button(page, "Read").click();
    await runs(page)
      .getByText(/^Cached; expires in .* caching this result for 1 minute, by this client only\.$/)
      .waitFor();
    await button(page, "Read").click();
    const said = page.getByText("Shown from the cache, as the server allows. Nothing was sent.");
    await said.waitFor();
    await hasCount(runs(page).locator("[data-card-head]"), 1);
  }),
  // Several contents of one reading. The pages of a PDF are drawn in a worker, and a video is loaded on request.
  state("resources-several", "resources", async (page) => {
    await open(page);
    await openItem(page, "All of the day");
    await button(page, "Read").click();
    await runs(page).getByText("4 contents of one reading").waitFor();
    // Source code has its colours.
    await runs(page).locator("[data-line] > span").filter({ hasText: "color" }).waitFor();
    await runs(page).getByText("Fair weather.").waitFor();
    await audit();
    const pdf = runs(page).getByRole("group", { name: "Binary data, block 3" });
    await pdf.getByText(/^A PDF document/).waitFor();
    await pdf.getByRole("button", { name: "Show pages" }).click();
    await pdf.getByText("Page 1 of 2").waitFor();
    await pdf.getByText("Chart of the harbour").waitFor();
    await pdf.getByRole("button", { name: "Next page" }).click();
    // The drawn page is not empty.
    await eventually(async () => {
      const ink = await pdf.locator("canvas[data-page='2']").evaluate((canvas) => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        return data.filter((value, place) => place % 4 === 0 && value < 128).length;
      });
      assert.ok(ink > 4_000 && ink < 20_000, `${ink} pixels`);
    });
    await pdf.scrollIntoViewIfNeeded();
    const film = runs(page).getByRole("group", { name: "Binary data, block 4" });
    assert.equal(await film.locator("video").count(), 0);
    await film.getByRole("button", { name: "Show it" }).click();
    await eventually(async () => {
      const size = await film.locator("video").evaluate((video) => [video.readyState >= 2, video.videoWidth]);
      assert.deepEqual(size, [true, 32]);
    });
    await film.scrollIntoViewIfNeeded();
  }),
  state("resources-template", "resources", async (page) => {
    await open(page);
    await list(page, "Templates").click();
    await item(page, /broken/).click();
    await page.getByText("This is not a URI template, so it has no form.").waitFor();
    await page.getByLabel("URI", { exact: true }).fill("station://nowhere");
    await page.keyboard.press("Control+Enter");
    await runs(page).getByText("The server returned an error").waitFor();
    await audit();
    await item(page, /Tides of a port/).click();
    await page.getByLabel("port", { exact: true }).fill("oslo");
    await page.getByLabel("kinds", { exact: true }).fill("high\nlow");
    const made = page.getByRole("group", { name: "Expanded URI" });
    await made.getByText("station://tides/oslo?kinds=high&kinds=low").waitFor();
    await button(page, "Read").click();
    await runs(page).locator("[data-card-head]").first().getByText("station://tides/oslo").first().waitFor();
    // Only the form scrolls: its button stays at the lower edge.
    const gap = await resource(page).evaluate((pane) => {
      const [whole, bar] = [pane, pane.querySelector("footer")].map((each) => each.getBoundingClientRect());
      return { below: Math.round(whole.bottom - bar.bottom), scrolled: pane.scrollTop };
    });
    assert.deepEqual(gap, { below: 0, scrolled: 0 });
    await audit();
    await button(page, "Read a URI").click();
    await page.getByLabel("URI", { exact: true }).fill("station://state");
    await button(page, "Read").click();
    await runs(page).locator("[data-card-head]").first().getByText("station://state").first().waitFor();
  }),
  // Subscribed and updated resources are marked in words as well as by colour.
  state("resources-subscribed", "resources_subscribed", async (page) => {
    await open(page);
    await item(page, /^state.*Updated/).click();
    await resource(page).getByRole("heading", { name: "state" }).waitFor();
    await resource(page)
      .getByText(/^Updated \d\d:\d\d:\d\d \(2 updates\)$/)
      .waitFor();
    await resource(page).getByText("Not read since").waitFor();
    await hasCount(page.getByRole("img", { name: "Subscribed", exact: true }), 2);
    await page.getByRole("img", { name: "Subscription failed" }).waitFor();
    await audit();
    // The difference between two reads is collapsed.
    await resource(page).getByRole("button", { name: "Read again" }).click();
    await runs(page).getByRole("button", { name: "Compare with the previous reading" }).click();
    await page
      .getByRole("region", { name: "Compare runs", exact: true })
      .getByText(/1 changed/)
      .waitFor();
  }),
];
