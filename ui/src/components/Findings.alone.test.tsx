import { expect, it, vi } from "vitest";

import { finding } from "../ipc/fake/finding";
import { fireEvent, render, screen } from "../lib/render.test.helper";
import { FindingList, FindingsCallout } from "./Findings";

const showIssues = vi.fn();

const MUTED: Record<string, readonly string[]> = { b: ["bad-role"] };

vi.mock("../state/hooks", () => ({
  useActions: () => ({ askToOpen: () => undefined, get: () => ({ showIssues }) }),
  useMutedRules: (server: string) => MUTED[server] ?? [],
}));

const isShown = (text: string) => screen.getByText(text).closest("[hidden]") === null;

const own = { ...finding("bad-role", "The role is wrong."), why: "It matters.", fix: "Do this." };

it("says why a finding matters and what to do about it, when it is asked", () => {
  render(<FindingList findings={[own]} />);
  expect(isShown("It matters.")).toBe(false);
  const button = screen.getByRole("button", { name: "What to do", expanded: false });
  fireEvent.click(button);
  expect(isShown("It matters.")).toBe(true);
  expect(isShown("Do this.")).toBe(true);
  fireEvent.click(screen.getByRole("button", { name: "What to do", expanded: true }));
  expect(isShown("It matters.")).toBe(false);
});

it("marks what is only likely, and says where a rule applies", () => {
  const { rerender } = render(<FindingList findings={[own]} />);
  expect(screen.queryByText("Heuristic")).toBeNull();
  expect(screen.queryByText(/Applies to/)).toBeNull();
  rerender(<FindingList findings={[{ ...own, certainty: "heuristic", revisions: "from 2025-06-18" }]} />);
  expect(isShown("Heuristic")).toBe(true);
  screen.getByText(/Applies to protocol versions: from 2025-06-18/);
});

it("leads to the issue among those of the server, where there are any", () => {
  const { rerender } = render(<FindingList findings={[own]} />);
  expect(screen.queryByRole("button", { name: "Show in Issues" })).toBeNull();
  rerender(<FindingList findings={[{ ...own, location: "/role" }]} at={{ server: "a", subject: "frame 7" }} />);
  fireEvent.click(screen.getByRole("button", { name: "Show in Issues" }));
  expect(showIssues).toHaveBeenCalledWith("a", "bad-role", "frame 7", "/role");
});

it("shows what a muted rule says one click below, and makes no warning of it", () => {
  const at = { server: "b", subject: "frame 7" };
  const other = finding("bad-content", "The content is wrong.");
  const title = (heard: number): string => `${heard} broken`;
  const { rerender } = render(<FindingsCallout title={title} findings={[own, other]} at={at} />);
  screen.getByText("1 broken");
  screen.getByText("The content is wrong.");
  expect(screen.queryByText("The role is wrong.")).toBeNull();
  rerender(<FindingsCallout title={title} findings={[own]} at={at} />);
  expect(screen.queryByText(/broken/)).toBeNull();
  const details = screen.getByText("Muted (1)").closest("details");
  if (details) details.open = true;
  if (details) fireEvent(details, new Event("toggle"));
  screen.getByText("The role is wrong.");
});
