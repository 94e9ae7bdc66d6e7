import { useState } from "react";
import { expect, it } from "vitest";

import { fill, render, screen, waitFor } from "../../lib/render.test.helper";
import { JsonEditor } from "./JsonEditor";

function Form() {
  const [text, setText] = useState('{ "a": 1 }');
  return <JsonEditor label="Params" value={text} onChange={setText} />;
}

it("leaves the focus and the cursor where they are when the large editor comes", async () => {
  render(<Form />);
  const plain = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Params" });
  expect(plain.tagName).toBe("TEXTAREA");
  plain.focus();
  fill(plain, '{ "a": 12 }');
  plain.setSelectionRange(8, 9);
  await waitFor(() => expect(screen.getByRole("textbox", { name: "Params" }).tagName).not.toBe("TEXTAREA"));
  const large = screen.getByRole("textbox", { name: "Params" });
  expect(document.activeElement).toBe(large);
  expect(large.textContent).toContain('"a": 12');
  expect(document.getSelection()?.toString()).toBe("2");
});

it("takes no focus from elsewhere", async () => {
  render(
    <>
      <button type="button">Other</button>
      <Form />
    </>,
  );
  screen.getByRole("button", { name: "Other" }).focus();
  await waitFor(() => expect(screen.getByRole("textbox", { name: "Params" }).tagName).not.toBe("TEXTAREA"));
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Other" }));
});
