/**
 * Copies a text. Resolves to false if the system refuses; rejects if the text does.
 *
 * The permission given by the click may have expired when a text arrives late, so the clipboard is asked at once and
 * receives the text later.
 */
export async function copyText(text: string | Promise<string>): Promise<boolean> {
  try {
    const plain = Promise.resolve(text).then((whole) => new Blob([whole], { type: "text/plain" }));
    // The caller handles the rejection of the text.
    plain.catch(() => undefined);
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": plain })]);
    return true;
  } catch {
    return copyBySelection(await text);
  }
}

/** Copies without the clipboard API, for web views that do not offer it. */
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
