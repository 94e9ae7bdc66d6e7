import { expect, it } from "vitest";

import { fakeBackend } from "../../ipc/fake";
import { demoSkills, skillDetail } from "../../ipc/fake/skills";
import { act, fireEvent, screen, waitFor } from "../../lib/render.test.helper";
import { catalogActions } from "../../state/actions/catalogs";
import { itemsSlice } from "../../state/slices/items";
import { sliceOf } from "../../state/slices/slice";
import { shownOf } from "../../state/started.test.helper";
import { answering } from "../../state/testing/openApp";
import { SkillView } from "./SkillView";

const shown = (skill: string) => shownOf("skills", (server) => <SkillView server={server} skill={skill} />);

it("shows the front matter and opens a file as a resource", async () => {
  const { app, server } = await shown("skill://gull-rock/fog-watch/SKILL.md");
  await screen.findByText("allowed-tools");
  expect(screen.getByText("Bash(*)")).toBeTruthy();
  const file = screen.getByRole("button", { name: "references/signals.md" });
  expect(file.dataset["tip"]).toMatch(/^sha256:/);
  act(() => fireEvent.click(file));
  await waitFor(() => {
    const ui = app.store.getState().view.perServer[server];
    expect(ui?.tab).toBe("resources");
    expect(sliceOf(ui, itemsSlice).resource).toEqual({
      type: "uri",
      uri: "skill://gull-rock/fog-watch/references/signals.md",
    });
  });
});

it("moves the focus to the files that it shows when asked", async () => {
  const [skill = expect.fail()] = demoSkills;
  const folder = skill.uri.slice(0, -"SKILL.md".length);
  const files = Object.fromEntries(Array.from({ length: 22 }, (_, at) => [`${folder}${at}.md`, ""]));
  const host = answering(fakeBackend("skills"), { skill_detail: () => skillDetail({ ...skill, files }) });
  await shownOf(host, (server) => <SkillView server={server} skill={skill.uri} />);
  fireEvent.click(await screen.findByRole("button", { name: "Show 22 files" }));
  expect(document.activeElement?.textContent).toBe("20.md");
});

it("says what is wrong with an entry, and where the extension says so", async () => {
  await shown("skill://gull-rock/night/Lamp/SKILL.md");
  await screen.findByText("The entry does not follow the extension");
  expect(screen.getByText(/which is not a file within the directory of the skill/)).toBeTruthy();
  expect(screen.getByRole("button", { name: /Skills: resources/ })).toBeTruthy();
});

it("offers the first skill where one is gone", async () => {
  const { app, server } = await shown("skill://gone/SKILL.md");
  act(() => app.actions.get(catalogActions).selectItem(server, "skills", "skill://gone/SKILL.md"));
  fireEvent.click(await screen.findByRole("button", { name: "Show the first skill" }));
  expect(sliceOf(app.store.getState().view.perServer[server], itemsSlice).skill).toBeNull();
});
