/** Props of an element that scrolls, which must be reachable by keyboard. */
export function scrollable(label: string, role: "group" | "region" = "group") {
  return { tabIndex: 0, role, "aria-label": label, "data-focus": "inset" } as const;
}
