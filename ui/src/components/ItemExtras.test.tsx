import { expect, it } from "vitest";

import type { Backend } from "../ipc/backend";
import type { IconPicture, ItemExtras as Extras } from "../ipc/bindings";
import { fakeBackend } from "../ipc/fake";
import { icon, icons, noExtras, stationIcons } from "../ipc/fake/extras";
import { act, cleanup, fireEvent, screen, waitFor } from "../lib/render.test.helper";
import { appOn, openDetails, renderIn } from "../state/started.test.helper";
import { HeadIcon } from "./HeadIcon";
import { ItemExtras } from "./ItemExtras";

/** Commands sent to the host. */
let asked: (readonly [string, unknown])[] = [];

function shown(extras: Extras, answer: IconPicture = { type: "refused", reason: "Not fetched." }): HTMLElement {
  asked = [];
  const backend: Backend = {
    ...fakeBackend("empty"),
    call: ((name: string, args: unknown) => {
      asked.push([name, args]);
      return Promise.resolve(answer);
    }) as Backend["call"],
  };
  const definition = { type: "definition", server: "s", kind: "prompts", key: "p" } as const;
  const part = (
    <>
      <HeadIcon server="s" icons={extras.icons} />
      <ItemExtras server="s" extras={extras} definition={definition} />
    </>
  );
  return renderIn(appOn(backend), part).container;
}

it("takes no room where there is nothing", () => {
  expect(shown(noExtras).childElementCount).toBe(0);
});

it("makes no picture of what can run, and asks the host for those at URLs when they are looked at", async () => {
  const container = shown({ icons: stationIcons, meta: null });
  expect(asked).toEqual([]);
  // Only the icon beside the title is shown.
  expect(container.querySelectorAll("img")).toHaveLength(1);
  openDetails("3 icons");
  await screen.findByText("Not fetched.");
  expect(asked).toEqual([
    ["icon_picture", { server: "s", src: "https://example.org/station/icon.png", mimeType: "image/png" }],
  ]);
  const sources = Array.from(container.querySelectorAll("img"), ({ src }) => src.slice(0, 22));
  expect(sources).toEqual(["data:image/png;base64,", "data:image/png;base64,"]);
  expect(screen.getByText("any", { exact: false }).textContent).toBe("image/svg+xml · any");
});

it("shows a picture that the host fetched, and of many beside the title only tries the first", async () => {
  const uri = "data:image/png;base64,AAAA";
  const one = icon("https://example.org/1.png");
  const fetched = shown({ icons: icons(one), meta: null }, { type: "picture", uri });
  await waitFor(() => expect(fetched.querySelector("img")?.getAttribute("src")).toBe(uri));
  cleanup();
  const many = Array.from({ length: 20 }, (_, number) => icon(`https://example.org/${number}.png`));
  const refused = shown({ icons: icons(...many), meta: null });
  await waitFor(() => expect(asked).toHaveLength(3));
  expect(refused.querySelector("img")).toBeNull();
});

it("says that a picture is damaged, and how many icons are not shown", () => {
  const picture = "data:image/png;base64,AAAA";
  const container = shown({ icons: { ...icons(icon(picture, { picture })), count: 31 }, meta: null });
  openDetails("31 icons");
  expect(screen.getByText("30 more are not shown.")).toBeTruthy();
  for (const image of container.querySelectorAll("img")) act(() => void fireEvent.error(image));
  expect(screen.getByText(/The image is damaged/)).toBeTruthy();
  expect(container.querySelector("img")).toBeNull();
});

it("shows `_meta` as received", () => {
  shown({ ...noExtras, meta: '{"org.example/edition":9007199254740993}' });
  openDetails("_meta");
  expect(screen.getByRole("region", { name: "_meta" }).textContent).toContain("9007199254740993");
});
