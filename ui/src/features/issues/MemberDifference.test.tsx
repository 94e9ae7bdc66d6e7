import { expect, it } from "vitest";

import type { MemberText } from "../../ipc/bindings";
import { render } from "../../lib/render.test.helper";
import { MemberDifference } from "./MemberDifference";

function shownText(before: MemberText, after: MemberText): string {
  const { container } = render(<MemberDifference change={{ member: "description", before, after }} />);
  return container.textContent;
}

it("says why nothing is seen of a difference", () => {
  const hidden: MemberText = { type: "json", text: '{"default":"••••"}' };
  expect(shownText(hidden, hidden)).toBe("description: differs only in a value that is hidden as a secret.");
  const short: MemberText = { type: "text", text: "Loading with ••••…" };
  expect(shownText(short, short)).toBe("description: differs only in a value that is hidden as a secret.");
  const long: MemberText = { type: "text", text: `${"x".repeat(8_000)}…` };
  expect(shownText(long, long)).toContain("differs after the first 8,000 characters, or in a value");
  expect(shownText(long, { type: "not_kept" })).toContain("is not stored");
});
