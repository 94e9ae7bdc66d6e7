/**
 * Returns the selected text of rows for copying: the browser would add a line break between any two rows, even if a row
 * continues the previous line. `null` if the selection is not within the rows.
 */
export function selectedText(rows: HTMLElement, selection: Selection | null): string | null {
  const range = selection && !selection.isCollapsed ? selection.getRangeAt(0) : null;
  if (!range || !rows.contains(range.commonAncestorContainer)) return null;
  let text: string | null = null;
  for (const line of rows.querySelectorAll("[data-line]")) {
    if (!range.intersectsNode(line)) continue;
    const part = document.createRange();
    part.selectNodeContents(line);
    if (line.contains(range.startContainer)) part.setStart(range.startContainer, range.startOffset);
    if (line.contains(range.endContainer)) part.setEnd(range.endContainer, range.endOffset);
    const goesOn = line.getAttribute("data-line") === "";
    text = text === null ? part.toString() : `${text}${goesOn ? "" : "\n"}${part.toString()}`;
  }
  return text;
}
