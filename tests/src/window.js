// Finds one visible element by what a person or a screen reader calls it. Runs in the page as the
// body of a function; arguments[0] is the role, arguments[1] the accessible name (exact, a
// prefix that ends in "…", or a part between two "…"), arguments[2] the name of the region to look in, or null. The role "region"
// means that region itself, "label" what is seen of a radio button, which is invisible under it. What is
// disabled is waited for: a press on it would mean nothing.
const [role, wanted, region] = arguments;
const selectors = {
  button: "button, [role=button], summary",
  tab: "[role=tab]",
  option: "[role=option], [role=row], [role=treeitem], [role=listitem]",
  menuitem: "[role=menuitem]",
  checkbox: "input[type=checkbox], [role=checkbox], [role=switch]",
  label: "input[type=radio]",
  radio: "input[type=radio], [role=radio]",
  field: "input:not([type=checkbox]):not([type=radio]), textarea, select, [role=textbox], [role=combobox], [role=spinbutton], [contenteditable=true]",
  any: "*",
};
// What is hidden from assistive technology is no part of a name.
const spoken = (node) =>
  node.nodeType === Node.TEXT_NODE
    ? node.data
    : node.getAttribute?.("aria-hidden") === "true"
      ? ""
      : [...node.childNodes].map(spoken).join(" ");
const text = (node) => (node ? spoken(node) : "").replace(/\s+/g, " ").trim();
const named = (element) => {
  const ids = element.getAttribute("aria-labelledby");
  if (ids) return ids.split(/\s+/).map((id) => text(document.getElementById(id))).join(" ").trim();
  const label = element.getAttribute("aria-label");
  if (label) return label.trim();
  if (element.labels?.length) return [...element.labels].map(text).join(" ");
  return text(element) || element.getAttribute("placeholder") || element.dataset.tip || "";
};
const fits = (name) => {
  if (!wanted.endsWith("…")) return name === wanted;
  return wanted.length > 1 && wanted.startsWith("…") ? name.includes(wanted.slice(1, -1)) : name.startsWith(wanted.slice(0, -1));
};
const visible = (element) => {
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0 && getComputedStyle(element).visibility !== "hidden";
};
let root = document;
if (region) {
  root = [...document.querySelectorAll("[aria-label], [aria-labelledby]")].find(
    (element) => named(element) === region && visible(element),
  );
  if (!root || role === "region") return root ?? null;
}
const found = [...root.querySelectorAll(selectors[role] ?? `[role=${role}]`)].find(
  (element) => visible(element) && !element.matches(":disabled, [aria-disabled=true]") && fits(named(element)),
);
return (role === "label" ? found?.closest("label") : found) ?? null;
