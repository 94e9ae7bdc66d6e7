import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { expect, it } from "vitest";

import { whenIdle } from "./idle";

const LAST = 5;
const painted = (): Promise<void> => new Promise((next) => setTimeout(next, 0));
let start = (): void => undefined;

/** Counts up, each time by an effect of the rendering before. */
function Counter() {
  const [count, setCount] = useState(0);
  useEffect(() => {
    start = () => setCount(1);
  }, []);
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect
    if (count > 0 && count < LAST) setCount(count + 1);
  }, [count]);
  return <p>{count}</p>;
}

it("is idle only once all effects of what was rendered have run", async () => {
  const place = document.createElement("div");
  createRoot(place).render(<Counter />);
  await whenIdle(null, painted);
  expect(place.textContent).toBe("0");
  start();
  await whenIdle(null, painted);
  expect(place.textContent).toBe(String(LAST));
});
