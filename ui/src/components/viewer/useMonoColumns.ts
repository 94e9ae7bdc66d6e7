import { useLayoutEffect, useState, type RefObject } from "react";

const SETTLE_MS = 120;
const SAMPLE = "0".repeat(100);

/**
 * Counts the characters of the monospaced font that fit into an element, less `reserved` px. `null` until measured.
 * Updates once the element's width has settled.
 */
export function useMonoColumns(element: RefObject<HTMLElement | null>, reserved: number): number | null {
  const [columns, setColumns] = useState<number | null>(null);

  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let width = -1;

    const measure = () => {
      const probe = document.createElement("span");
      probe.textContent = SAMPLE;
      probe.style.cssText = "position:absolute;visibility:hidden;white-space:pre;font:inherit;left:0;top:0";
      target.append(probe);
      const character = probe.getBoundingClientRect().width / SAMPLE.length;
      probe.remove();
      if (character > 0) setColumns(Math.max(20, Math.floor((width - reserved) / character)));
    };

    const observer = new ResizeObserver(() => {
      const now = target.clientWidth;
      if (now === 0 || now === width) return;
      const first = width < 0;
      width = now;
      clearTimeout(timer);
      if (first) measure();
      else timer = setTimeout(measure, SETTLE_MS);
    });
    observer.observe(target);
    if (target.clientWidth > 0) {
      width = target.clientWidth;
      measure();
    }
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [element, reserved]);

  return columns;
}
