// States of signing in within a server's form, and of the list of stored secrets.
import assert from "node:assert/strict";

import { audit, eventually, state } from "./browser.mjs";
import { button, hasCount, hasValue, menuitem, region } from "./parts.mjs";

const field = (page, name) => page.getByRole("textbox", { name, exact: true });
const secret = (page, name) => page.getByLabel(name, { exact: true });
const way = (page, name) => page.getByRole("radio", { name, exact: true });
const part = (page) => region(page, "Stored secrets");
const row = (page, title) => part(page).getByRole("listitem").filter({ hasText: title });

async function addAddress(page) {
  await button(page, "Add a server").first().click();
  await page.getByText("URL (HTTP)", { exact: true }).click();
  await field(page, "URL").fill("https://mcp.example.com/mcp");
}

/** Opens the form of the selected server. */
async function edit(page) {
  await page.getByRole("main").getByRole("button", { name: "More actions for mcp.example.com" }).click();
  await menuitem(page, "Edit").click();
  await button(page, "Save").waitFor();
}

async function unfold(page) {
  await page.getByText("Authentication:").click();
  await way(page, "OAuth (when the server asks)").waitFor();
}

async function toSecrets(page) {
  await button(page, "Settings").click();
  await part(page).waitFor();
}

/** Returns the message of a field. */
async function note(page, input) {
  const id = await input.getAttribute("aria-describedby");
  return page.locator(`[id="${id}"]`).innerText();
}

const isStored = (input) =>
  eventually(async () => assert.equal(await input.getAttribute("placeholder"), "stored; type to replace it"));

export const signInForm = [
  state("auth-ways", "connected", async (page) => {
    await addAddress(page);
    await page.getByText("Authentication: OAuth (when the server asks)").waitFor();
    await hasCount(page.getByRole("radio", { name: "None" }), 0);
    await unfold(page);
    await way(page, "Bearer token").focus();
    // A single tab stop, like radio buttons.
    await page.keyboard.press("ArrowUp");
    await eventually(async () => assert.ok(await way(page, "OAuth (when the server asks)").isChecked()));
    await audit();
    await way(page, "Client credentials (private key)").check();
    await field(page, "Client ID").fill("desk");
    await field(page, "Private key (PEM, PKCS #8)").fill("-----BEGIN RSA PRIVATE KEY-----\nMC4CAQ==\n");
    await page.getByLabel("Algorithm").selectOption("ES256");
    await audit();
    await way(page, "Workload identity").check();
    await secret(page, "Assertion (JWT)").scrollIntoViewIfNeeded();
  }),
  // Stored values are never shown.
  state("auth-token", "connected", async (page) => {
    await addAddress(page);
    await unfold(page);
    await way(page, "Bearer token").check();
    await secret(page, "Token").fill("one two three");
    assert.equal(await secret(page, "Token").getAttribute("type"), "password");
    await button(page, "Save").click();
    await page.getByText("A token cannot contain spaces, line breaks or non-ASCII characters.").waitFor();
    await secret(page, "Token").and(page.locator(":focus")).fill("Bearer one-two-three");
    await audit();
    await button(page, "Save").click();
    await page.getByRole("heading", { name: "mcp.example.com", level: 1 }).waitFor();
    await edit(page);
    await page.getByText("Authentication: Bearer token").waitFor();
    await hasValue(secret(page, "Token"), "");
    await isStored(secret(page, "Token"));
    // Emptied again, the stored secret is kept.
    await secret(page, "Token").fill("x");
    await secret(page, "Token").fill("");
    await isStored(secret(page, "Token"));
    await secret(page, "Token").scrollIntoViewIfNeeded();
  }),
  state("auth-client-secret", "connected", async (page) => {
    await addAddress(page);
    await unfold(page);
    await way(page, "Client credentials (secret)").check();
    await button(page, "Save").click();
    await page.getByText("Enter the client secret.").waitFor();
    await field(page, "Client ID").and(page.locator(":focus")).waitFor();
    await eventually(async () => assert.equal(await note(page, field(page, "Client ID")), "Enter the client ID."));
    await audit();
    // A problem in a collapsed part expands it.
    await field(page, "Client ID").fill("desk");
    await secret(page, "Client secret").fill("open sesame");
    await page.getByText("Advanced", { exact: true }).click();
    await field(page, "Issuer").fill("login.example.com");
    await page.getByText("Advanced", { exact: true }).click();
    await field(page, "Issuer").waitFor({ state: "detached" });
    await button(page, "Save").click();
    await field(page, "Issuer").and(page.locator(":focus")).waitFor();
    await eventually(async () => assert.equal(await note(page, field(page, "Issuer")), "This is not a complete URL."));
    await page.getByText("Not saved: see the fields with errors.").waitFor();
  }),
  state("auth-enterprise", "connected", async (page) => {
    await addAddress(page);
    await unfold(page);
    await way(page, "Enterprise-managed").check();
    await field(page, "Identity provider token endpoint").fill("https://idp.example.com/token");
    await field(page, "Identity provider client ID").fill("desk");
    await secret(page, "Identity provider client secret").fill("hush");
    await secret(page, "ID token").fill("eyJ.eyJ.sig");
    await field(page, "Client ID").fill("sonde");
    await button(page, "Save").click();
    await page.getByRole("heading", { name: "mcp.example.com", level: 1 }).waitFor();
    await edit(page);
    // An optional secret can be removed, and that can be undone.
    await button(page, "Remove (Identity provider client secret)").click();
    await button(page, "Keep the stored value (Identity provider client secret)").and(page.locator(":focus")).click();
    await isStored(secret(page, "Identity provider client secret"));
    await button(page, "Remove (Identity provider client secret)").click();
    await button(page, "Keep the stored value (Identity provider client secret)").scrollIntoViewIfNeeded();
  }),
  state("auth-more", "connected", async (page) => {
    await addAddress(page);
    await unfold(page);
    await page.getByText("Advanced", { exact: true }).click();
    await page.getByLabel("Redirect port").fill("80");
    await page.getByText("Enter a whole number from 1,024 to 65,535.").waitFor();
    await page.getByLabel("Redirect port").fill("6274");
    await page.getByText("http://127.0.0.1:6274/callback").waitFor();
    await page.getByLabel(/advertise PKCE/).check();
    await page.getByText("For testing only.").waitFor();
    await page.getByText("For testing only.").scrollIntoViewIfNeeded();
  }),
  // After each deletion the focus moves to the next row, and to the heading if there is none.
  state("secrets-delete", "secrets", async (page) => {
    await toSecrets(page);
    await row(page, "Header Authorization").waitFor();
    await row(page, "Sign-in for https://mcp.example.com/v1/mcp")
      .getByText("Company tickets", { exact: true })
      .waitFor();
    await audit();
    await row(page, "Sign-in for https://mcp.example.com/v1/mcp")
      .getByRole("button", { name: /^Delete/ })
      .click();
    await part(page).getByText("You will have to sign in again to “Company tickets”.").waitFor();
    await button(page, "Keep").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Escape");
    await row(page, "Sign-in for https://mcp.example.com/v1/mcp").locator("[data-delete]:focus").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await part(page).getByText("Deleted: Sign-in for https://mcp.example.com/v1/mcp.").waitFor();
    await row(page, "department.example.org").locator("[data-delete]:focus").waitFor();
    // A secret that cannot be deleted stays, with the reason.
    await row(page, "Environment variable API_KEY")
      .getByRole("button", { name: /^Delete/ })
      .click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await row(page, "Environment variable API_KEY").getByText("The keyring is locked.").waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).and(page.locator(":focus")).waitFor();
    await row(page, "Registration with https://login.example.com")
      .getByRole("button", { name: /^Delete/ })
      .click();
    await part(page).getByText("Sonde will register again with https://login.example.com").waitFor();
    await part(page).evaluate((element) => element.scrollIntoView());
  }),
  state("secrets-no-keyring", "secrets_no_keyring", async (page) => {
    await toSecrets(page);
    await part(page).getByText("The keyring is not available.").waitFor();
    await part(page).getByText("Nothing is stored.").waitFor();
  }),
  state("secrets-retried", "secrets_in_memory", async (page) => {
    await toSecrets(page);
    await part(page).getByText("All secrets are in memory only.").waitFor();
    await hasCount(part(page).getByText("In memory only", { exact: true }), 5);
    await audit();
    await button(page, "Try again").click();
    await part(page).getByText("4 secrets were moved to the keyring. One is still in memory only.").waitFor();
    await part(page).getByText("Some secrets are in memory only.").waitFor();
    await button(page, "Try again").and(page.locator(":focus")).waitFor();
    await audit();
    await page.keyboard.press("Enter");
    await part(page).getByText("One secret was moved to the keyring.", { exact: true }).waitFor();
    await part(page).getByRole("heading", { name: "Stored secrets" }).and(page.locator(":focus")).waitFor();
    await hasCount(button(page, "Try again"), 0);
    await part(page).evaluate((element) => element.scrollIntoView());
  }),
  // The form names the secrets that the keyring did not accept, and leads to where they can be retried.
  state("secrets-unsaved", "problems", async (page) => {
    await page.getByRole("main").getByRole("button", { name: "More actions for Files" }).click();
    await menuitem(page, "Edit").click();
    await page.getByText("The keyring did not accept the variable API_KEY.").waitFor();
    await button(page, "Stored secrets").click();
    await part(page).waitFor();
  }),
  state("secrets-unreadable", "secrets_unreadable", async (page) => {
    await toSecrets(page);
    await part(page).getByText("The keyring could not be read.").waitFor();
    await audit();
    await part(page).getByRole("button", { name: "Try again" }).click();
    await row(page, "Header Authorization").waitFor();
    await part(page).getByRole("heading", { name: "Stored secrets" }).and(page.locator(":focus")).waitFor();
  }),
  state("secrets-loading", "secrets_slow", async (page) => {
    await toSecrets(page);
    await part(page).getByText("Reading the keyring…").waitFor();
  }),
];
