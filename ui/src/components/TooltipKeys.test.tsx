import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { Tooltip } from "./Tooltip";

it("does not use up Escape by closing", async () => {
  const onEscape = vi.fn();
  render(
    <div onKeyDown={({ key }) => key === "Escape" && onEscape()}>
      <Tooltip text="Larger">
        <button type="button">A</button>
      </Tooltip>
    </div>,
  );
  const label = () => document.querySelector("[data-base-ui-portal]");
  const button = screen.getByRole("button");
  fireEvent.mouseEnter(button);
  fireEvent.mouseMove(button);
  await waitFor(() => expect(label()?.textContent).toBe("Larger"));
  expect(fireEvent.keyDown(button, { key: "Escape" })).toBe(true);
  await waitFor(() => expect(label()).toBeNull());
  expect(onEscape).toHaveBeenCalledOnce();
});
