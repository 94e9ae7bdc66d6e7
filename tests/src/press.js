// Presses an element as the pointer does, in one task of an idle page, so that nothing is drawn anew between finding it
// and pressing it. arguments[0] to arguments[2] are those of window.js; with arguments[3] all that the element holds is
// selected, for keys to replace it, and the element is answered. Answers a sentence where nothing was pressed.
const [role, name, region, select, done] = arguments;
const press = async () => {
  await window.sondeIdle?.();
  const element = find(role, name, region);
  if (!element) return "it is not there";
  /** The point in the middle of what is in sight of it, and what is there. */
  const middle = () => {
    const { left, top, right, bottom } = element.getClientRects()[0];
    const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
    const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
    return { x, y, there: document.elementFromPoint(x, y) };
  };
  if (!element.contains(middle().there)) element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  const { x, y, there } = middle();
  if (!element.contains(there)) return `it is covered by ${there?.outerHTML.slice(0, 200)}`;
  const fire = async (type, target, buttons) => {
    const init = { bubbles: true, cancelable: true, composed: true, clientX: x, clientY: y, view: window, detail: 1, buttons };
    const event = type.startsWith("pointer")
      ? new PointerEvent(type, { ...init, detail: 0, pointerId: 1, pointerType: "mouse", isPrimary: true })
      : new MouseEvent(type, init);
    const goesOn = target.dispatchEvent(event);
    // What a handler has set is drawn before the next event, as after one of the user's.
    await null;
    return goesOn;
  };
  for (const type of ["pointerover", "mouseover", "pointermove", "mousemove"]) await fire(type, there, 0);
  await fire("pointerdown", there, 1);
  if (await fire("mousedown", there, 1)) {
    let focused = there;
    for (; focused; focused = focused.parentElement) {
      focused.focus({ preventScroll: true });
      if (document.activeElement === focused) break;
    }
    if (!focused) document.activeElement?.blur();
    await null;
  }
  const below = document.elementFromPoint(x, y);
  if (!element.isConnected || !element.contains(below)) return "it went away while it was pressed";
  await fire("pointerup", below, 0);
  await fire("mouseup", below, 0);
  await fire("click", below, 0);
  if (!select) return true;
  await window.sondeIdle?.();
  const field = find(role, name, region);
  if (!field || field !== document.activeElement) return "it did not take the focus";
  document.execCommand("selectAll");
  return field;
};
press().then(done, (error) => done(String(error)));
