import { it } from "vitest";

import { act, render, screen } from "./render.test.helper";
import { useLater } from "./useLater";

const Text = ({ text }: { readonly text: string }) => <p>{`${useLater(text)} of ${text}`}</p>;
const frame = () => act(() => new Promise((next) => requestAnimationFrame(next)));

it("shows a changed value after the frame that follows the change, and skips a value changed meanwhile", async () => {
  const { rerender } = render(<Text text="a" />);
  screen.getByText("a of a");
  rerender(<Text text="b" />);
  await frame();
  screen.getByText("a of b");
  rerender(<Text text="c" />);
  await frame();
  screen.getByText("a of c");
  await frame();
  screen.getByText("c of c");
});
