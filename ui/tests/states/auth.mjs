// States of the sign-in: the card, the badge, the tab, and an operation that waits for it.
import assert from "node:assert/strict";

import { audit, changes, drawn, eventually, passes, state } from "./browser.mjs";
import { button, hasCount, hasValue, item, region, tab } from "./parts.mjs";

/** Milliseconds for which the card ignores keys after it took the focus; `SignInCard.tsx` has the same. */
const STRAY_KEY_MS = 500;

const card = (page) => page.locator("[data-sign-in]");
const badge = (page, name) => page.locator("header").getByRole("button", { name });
const focused = (page) => page.evaluate(() => document.activeElement?.textContent ?? "");

async function toSignIn(page) {
  await page.keyboard.press("Alt+0");
  await page.getByRole("tab", { name: /Authentication/, selected: true }).waitFor();
}

async function open(page) {
  await card(page).waitFor();
  await button(page, "Open in browser").click();
  await card(page).getByText("Waiting for the browser…").waitFor();
}

/**
 * Presses a key at the moment at which the card takes the focus, when it was meant for something else. The key comes
 * from within the page, since one from here can come late.
 */
async function ignoresStrayKey(page) {
  await page.addInitScript(() => {
    // Set here, since the previous page still stores its view while it unloads.
    sessionStorage.clear();
    const press = ({ target }) => {
      if (!target.closest("[data-sign-in]")) return;
      document.removeEventListener("focusin", press);
      queueMicrotask(() => {
        const taken = target.dispatchEvent(
          new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }),
        );
        if (taken) target.click();
        globalThis.strayKey = taken ? "taken" : "ignored";
      });
    };
    document.addEventListener("focusin", press);
  });
  await page.reload();
  await page.waitForFunction(() => globalThis.strayKey !== undefined);
  await eventually(async () => assert.equal(await page.evaluate(() => globalThis.strayKey), "ignored"));
}

export const auth = [
  state("sign-in-discovering", "sign_in_discovering", async (page) => {
    await page.getByText("Discovering the authorization server…").waitFor();
    await badge(page, "Signing in…").waitFor();
  }),
  state("sign-in-prompt", "sign_in", async (page) => {
    await card(page).waitFor();
    await badge(page, "Sign-in required").waitFor();
    await card(page).getByText("The server answered that it needs a sign-in (401).").waitFor();
    // The whole address is shown.
    const address = await card(page).getByRole("group", { name: "Sign-in URL" }).locator("p").innerText();
    assert.match(
      address,
      /^https:\/\/login\.example\.com\/authorize\?.*resource=https%3A%2F%2Fharbour\.example\.com%2Fmcp$/,
    );
    await card(page)
      .getByText(/Expires in [345] minutes/)
      .waitFor();
    // The focus is on the button, which is visible.
    await eventually(async () => assert.equal(await focused(page), "Open in browser"));
    const { bottom, height } = await button(page, "Open in browser").evaluate((element) => ({
      bottom: element.getBoundingClientRect().bottom,
      height: innerHeight,
    }));
    assert.ok(bottom <= height);
    await audit();
    await card(page).getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("region", { name: "Failure report" }).getByText("You cancelled the sign-in.").waitFor();
    await badge(page, "Sign-in cancelled").waitFor();
    await audit();
    await button(page, "Show sign-in steps").click();
    await region(page, "Account").getByText("You cancelled the sign-in.").waitFor();
  }),
  state("issuer-confirmation", "issuer_confirmation", async (page) => {
    await card(page).waitFor();
    await badge(page, "Confirmation required").waitFor();
    await card(page).getByText("Sonde sends the client secret to this token endpoint").waitFor();
    await card(page).getByText("which is also used by").waitFor();
    const address = await card(page).getByRole("group", { name: "Token endpoint" }).locator("p").innerText();
    assert.equal(address, "https://login.example.com/tenants/harbour/token");
    await eventually(async () => assert.equal(await focused(page), "Confirm issuer"));
    await audit();
    await passes(page, STRAY_KEY_MS);
    await button(page, "Confirm issuer").click();
    await badge(page, /Signed in/).waitFor();
    await hasCount(card(page), 0);
  }),
  state("sign-in-browser", "sign_in_waits", async (page) => {
    await open(page);
    await badge(page, "Signing in…").waitFor();
    await card(page).getByText("at another place than the server").waitFor();
    await eventually(async () => assert.equal(await focused(page), "Open again"));
    await card(page).getByText("Does the sign-in page reject the client?").click();
    await audit();
    await button(page, "Register again").click();
    // A new address opens only after the user has seen it.
    await eventually(async () => assert.equal(await focused(page), "Open in browser"));
    await open(page);
    await card(page).getByText("Browser on another computer?").click();
    const field = card(page).getByRole("textbox", { name: "Redirect URL from the browser" });
    await field.fill("https://elsewhere.example.com/?code=1");
    await field.press("Enter");
    await card(page).getByText("This is not the redirect URL").first().waitFor();
    await hasValue(field, "https://elsewhere.example.com/?code=1");
    await audit();
    await field.fill("http://127.0.0.1:43119/callback?code=abc");
    await button(page, "Continue").click();
    await item(page, /Say hello/).waitFor();
    await badge(page, /Signed in/).waitFor();
  }),
  state("sign-in-by-hand", "sign_in_by_hand", async (page) => {
    await card(page).getByText("Sonde cannot receive the browser’s redirect").waitFor();
    await open(page);
    await card(page).getByRole("textbox", { name: "Redirect URL from the browser" }).waitFor();
  }),
  // From the refusal to the tools by keyboard alone.
  state("sign-in-done", "sign_in", async (page) => {
    await ignoresStrayKey(page);
    await button(page, "Open in browser").waitFor();
    await passes(page, STRAY_KEY_MS);
    await page.keyboard.press("Enter");
    await item(page, /Say hello/).waitFor();
    await badge(page, /Signed in.*expires in 5 minutes/).click();
    await page.getByRole("tab", { name: "Authentication", selected: true }).waitFor();
    await region(page, "Account").getByText("dynamically registered by Sonde").waitFor();
  }),
  // The card follows the user to another tab, without taking the focus from a field.
  state("sign-in-elsewhere", "sign_in", async (page) => {
    await page.keyboard.press("Alt+6");
    const search = page
      .getByRole("tabpanel")
      .getByRole("searchbox")
      .or(page.getByRole("tabpanel").getByRole("textbox"))
      .first();
    await search.focus();
    await card(page).waitFor();
    await eventually(async () => assert.ok(await search.evaluate((element) => element === document.activeElement)));
    await button(page, "Waiting for sign-in").click();
    await card(page).waitFor({ state: "detached" });
    await button(page, "Waiting for sign-in").click();
    await toSignIn(page);
    await hasCount(card(page), 1);
  }),
  // The address is whole and the buttons are visible, whatever the amount of text.
  state("sign-in-odd", "sign_in_odd", async (page) => {
    await card(page).getByText("remarkably long").waitFor();
    const address = card(page).getByRole("group", { name: "Sign-in URL" }).locator("p");
    await eventually(async () => assert.ok((await address.innerText()).endsWith("0123456789")));
    await eventually(async () =>
      assert.equal(await address.evaluate((element) => element.scrollHeight > element.clientHeight + 1), false),
    );
    await hasCount(card(page).locator("b"), 0);
    // The address is at the beginning of the card, whatever the server sends.
    const { top, height } = await address.evaluate((element) => ({
      top: element.getBoundingClientRect().top,
      height: innerHeight,
    }));
    assert.ok(top < height - 60);
    const inView = () =>
      button(page, "Open in browser").evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight);
    await eventually(async () => assert.ok(await inView()));
    await page.keyboard.press("Alt+6");
    await region(page, "Sign-in").waitFor();
    await eventually(async () => assert.ok(await inView()));
    await audit();
    await toSignIn(page);
    await page.getByText("more scopes than it says it knows").waitFor();
  }),
  state("sign-in-fixed-token", "fixed_token", async (page) => {
    await toSignIn(page);
    await page.getByText("Every request carries the token from this server's settings").waitFor();
    await page.keyboard.press("Control+2");
    await toSignIn(page);
    await page.getByText("Authentication is off in this server's settings.").waitFor();
    await button(page, "Edit the server").waitFor();
  }),
  state("issuer-mismatch", "issuer_mismatch", async (page) => {
    await page
      .getByRole("region", { name: "Failure report" })
      .getByText("is not the one that the server named")
      .waitFor();
    await badge(page, "Sign-in failed").waitFor();
    await toSignIn(page);
    const account = region(page, "Account");
    await account.getByText("Do not sign in").waitFor();
    await page.getByText("Technical details").click();
    await page.getByText('expected issuer "https://login.example.com/tenants/harbour"').waitFor();
    await audit();
    await account.getByRole("button", { name: "Authorization: authorization server metadata" }).click();
    await page.getByRole("dialog", { name: "Open this link in your browser?" }).waitFor();
  }),
  state("signed-in", "signed_in", async (page) => {
    await badge(page, /Signed in/).click();
    await region(page, "Account")
      .getByText(/in [45] minutes/)
      .waitFor();
    await region(page, "Account").getByText("In the system's keyring").waitFor();
    await region(page, "Account").getByText("ships:write").waitFor();
    const story = region(page, "Sign-in steps");
    await story.getByRole("button", { name: /8\. The code was exchanged/ }).click();
    await story.getByText("Response: 200 OK").waitFor();
    await story.getByRole("region", { name: "Response body of step 8" }).getByText('"token_type": "Bearer"').waitFor();
    await story.getByRole("button", { name: /1\. The server requires a token/ }).click();
    await story.getByText("Response: 401 Unauthorized").waitFor();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await story.getByRole("button", { name: "Copy trace" }).click();
    await story.getByRole("button", { name: "Copied" }).waitFor();
    const trace = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(trace, /^Sign-in to Harbour office\n\n1\. The server requires a token \(done/);
    assert.match(trace, /GET https:\/\/harbour\.example\.com\/\.well-known\/oauth-protected-resource\/mcp\n/);
  }),
  state("token-expired", "signed_in", async (page) => {
    await toSignIn(page);
    const account = region(page, "Account");
    await button(page, "Refresh now").click();
    await account.getByText("1 time", { exact: true }).waitFor();
    await button(page, "Expire token now").click();
    await badge(page, /Signed in.*expired/).waitFor();
    await page.getByText("Signed in, but the token has expired").waitFor();
    const wrong = page.getByLabel("Send an invalid token with the next request");
    // The request may be obsolete by then.
    for (const state of ["attached", "detached"]) {
      await wrong.click();
      await badge(page, /Signed in.*invalid token next/).waitFor({ state });
      await audit();
    }
    await button(page, "Sign out").click();
    await page.getByText("and revoked at login.example.com").waitFor();
    await eventually(async () => assert.equal(await focused(page), "Stay signed in"));
    await audit();
    await page.getByRole("group", { name: "Sign out?" }).getByRole("button", { name: "Sign out" }).click();
    await badge(page, "Signed out").waitFor();
    await account.getByRole("button", { name: "Sign in", exact: true }).waitFor();
  }),
  state("token-in-memory", "signed_in_briefly", async (page) => {
    await badge(page, /expires in less than a minute/).click();
    await page.getByText("You will have to sign in again after restarting Sonde").waitFor();
    await page.getByText("There is no refresh token: sign in again to get a new token.").waitFor();
    await eventually(async () => assert.ok(await button(page, "Refresh now").isDisabled()));
    await button(page, "Sign out").click();
    await page.getByText("does not offer revocation").waitFor();
  }),
  state("step-up", "step_up", async (page) => {
    await region(page, "Sign-in").waitFor();
    await card(page).getByText("The server requires the scope ships:steer").waitFor();
    await card(page).getByRole("listitem").filter({ hasText: "ships:steer" }).getByText("new").waitFor();
    await page.getByRole("button", { name: "Waiting for sign-in" }).click();
    await card(page).waitFor({ state: "detached" });
    await audit();
    await button(page, "Show sign-in").click();
    await eventually(async () => assert.equal(await focused(page), "Open in browser"));
    await toSignIn(page);
    await region(page, "Account").getByText("1 request is waiting for the token.").waitFor();
    // The focus moves with the card, or to the tab while the code of the pane is loading.
    await eventually(async () => assert.match(await focused(page), /^(Open in browser|Authentication)$/));
    await hasCount(card(page), 1);
  }),
  state("step-up-cancelled", "step_up", async (page) => {
    await card(page).getByRole("button", { name: "Cancel" }).click();
    await card(page).waitFor({ state: "detached" });
    // The focus is not lost with the card.
    await eventually(async () => assert.match(await focused(page), /Tools/));
    await toSignIn(page);
    await region(page, "Account").getByText("No new token; the one below is still stored").waitFor();
  }),
  state("step-up-of-another-server", "step_up", async (page) => {
    await page.keyboard.press("Control+2");
    await page.getByRole("heading", { name: "Demo server", level: 1 }).waitFor();
    await page
      .locator("nav")
      .getByText("sign-in")
      .or(page.getByRole("img", { name: "requires sign-in" }))
      .filter({ visible: true })
      .first()
      .waitFor();
  }),
  // The reading position stays although steps are added at the end and removed at the front.
  state("sign-in-stream", "many_refreshes", async (page) => {
    await toSignIn(page);
    const steps = page.getByRole("group", { name: "Steps", exact: true });
    await steps
      .getByText(/^12\d\. /)
      .first()
      .waitFor();
    await steps.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
    await drawn(page);
    const row = await steps.evaluateHandle((element) => {
      const top = element.getBoundingClientRect().top;
      return [...element.querySelectorAll("li")].find((each) => each.getBoundingClientRect().top >= top);
    });
    const place = () => row.evaluate((element) => element.getBoundingClientRect().top);
    const [before, dropped] = [await place(), await steps.locator("li").first().innerText()];
    await changes(page, () => steps.locator("li").first().innerText(), dropped);
    assert.ok(Math.abs((await place()) - before) <= 1);
    // An open step stays open, in its place.
    const opened = await row.evaluate((element) => {
      element.querySelector("button").click();
      return element.getBoundingClientRect().top;
    });
    await steps.getByText("Response: 200 OK").waitFor();
    await changes(page, () => steps.locator("li").first().innerText());
    assert.ok(Math.abs((await place()) - opened) <= 1);
  }),
  state("sign-in-by-wish", "listening", async (page) => {
    await toSignIn(page);
    await page.getByText("This server has not required a sign-in.").waitFor();
    await hasCount(badge(page, /Sign/), 0);
    await audit();
    await button(page, "Sign in").click();
    await card(page).getByText("You asked to sign in.").waitFor();
    await button(page, "Open in browser").click();
    await region(page, "Account").getByText("Signed in", { exact: true }).waitFor();
  }),
  state("sign-in-not-of-a-program", "history", async (page) => {
    await tab(page, /About/).waitFor();
    await hasCount(tab(page, /Authentication/), 0);
    await page.keyboard.press("Alt+0");
    await page.getByRole("tab", { name: /Tools/, selected: true }).waitFor();
  }),
];
