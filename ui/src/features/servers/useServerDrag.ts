import { useEffect, useRef, useState, type MouseEvent, type PointerEvent, type RefObject } from "react";

import type { ServerId } from "../../ipc/bindings";
import { listen } from "../../lib/listen";
import type { ServerPlace } from "../../state/serverGroups";

/** Distance up to which a press is a click, in CSS px. */
const STILL = 5;
/** Distance from an edge at which the list scrolls, and scroll distance per move, in CSS px. */
const EDGE = 24;
const SCROLL = 8;

/** A server that is being dragged. */
export interface ServerDrag {
  readonly server: ServerId;
  /** Place where the server would be dropped. */
  readonly to: ServerPlace;
  /** Position of the drop line, in CSS px from the top of the list's content. */
  readonly line: number;
}

/**
 * Makes servers draggable with the mouse or a pen; a finger scrolls. Rows are marked with `data-server` and `data-in`
 * (the group, empty for none), group heads with `data-group` and `aria-expanded`.
 */
export function useServerDrag(
  list: RefObject<HTMLElement | null>,
  drop: (server: ServerId, place: ServerPlace) => void,
) {
  const [drag, setDrag] = useState<ServerDrag | null>(null);
  const stop = useRef<(() => void) | null>(null);
  // The click that ends a drag selects nothing.
  const dragged = useRef(false);
  useEffect(() => () => stop.current?.(), []);

  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    dragged.current = false;
    const pressed = event.target instanceof Element ? event.target.closest("[data-select]") : null;
    const server = pressed?.closest<HTMLElement>("[data-server]")?.dataset["server"];
    if (server === undefined || event.button !== 0 || event.pointerType === "touch") return;
    const { clientX, clientY } = event;
    let now: ServerDrag | null = null;

    const onMove = (moved: globalThis.PointerEvent): void => {
      const element = list.current;
      if (!element) return;
      if (!now && Math.hypot(moved.clientX - clientX, moved.clientY - clientY) < STILL) return;
      const { top, bottom } = element.getBoundingClientRect();
      if (moved.clientY < top + EDGE) element.scrollTop -= SCROLL;
      if (moved.clientY > bottom - EDGE) element.scrollTop += SCROLL;
      now = { server, ...placeAt(element, moved.clientY, server) };
      setDrag(now);
    };
    const end = (): void => {
      stops.forEach((each) => each());
      stop.current = null;
      setDrag(null);
    };
    const onUp = (): void => {
      dragged.current = now !== null;
      if (now) drop(server, now.to);
      end();
    };
    const onKey = (key: KeyboardEvent): void => {
      if (key.key !== "Escape" || !now) return;
      key.preventDefault();
      key.stopPropagation();
      dragged.current = true;
      end();
    };
    const stops = [
      listen(document, { pointermove: onMove, pointerup: onUp, pointercancel: end }),
      listen(document, { keydown: onKey }, { capture: true }),
    ];
    stop.current = end;
  };

  const onClickCapture = (event: MouseEvent): void => {
    if (!dragged.current) return;
    dragged.current = false;
    event.preventDefault();
    event.stopPropagation();
  };

  return { drag, onPointerDown, onClickCapture };
}

/** Finds the drop position at a height in the list, as if the dragged server were not in it. */
function placeAt(list: HTMLElement, y: number, dragged: ServerId): Pick<ServerDrag, "to" | "line"> {
  const { top } = list.getBoundingClientRect();
  let to: ServerPlace = { group: null, index: 0 };
  let line = 0;
  for (const row of list.querySelectorAll<HTMLElement>("[data-server], [data-group]")) {
    const box = row.getBoundingClientRect();
    if (y < box.top + box.height / 2) break;
    const { group, server, in: inside = "", count = "0" } = row.dataset;
    const isOpen = row.querySelector("[data-group-toggle][aria-expanded='true']") !== null;
    if (group !== undefined) to = { group, index: isOpen ? 0 : Number(count) };
    else if (server !== dragged) {
      const own = inside === "" ? null : inside;
      to = { group: own, index: to.group === own ? to.index + 1 : 1 };
    }
    line = box.bottom - top + list.scrollTop;
  }
  return { to, line };
}
