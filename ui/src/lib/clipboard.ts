/**
 * Copies a text. Answers false where the system refuses; fails as the text does.
 *
 * The click that allows it may be over when a text arrives: so the system is asked at once, and given the text later.
 */
export async function copyText(text: string | Promise<string>): Promise<boolean> {
  try {
    const plain = Promise.resolve(text).then((whole) => new Blob([whole], { type: "text/plain" }));
    // It is waited for elsewhere as well.
    plain.catch(() => undefined);
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": plain })]);
    return true;
  } catch {
    return copyBySelection(await text);
  }
}

/** For web views that offer no clipboard to a page outside a click. */
function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.setAttribute("aria-hidden", "true");
  area.style.position = "fixed";
  area.style.opacity = "0";
  const before = document.activeElement;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
}
