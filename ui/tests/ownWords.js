// What a presentation says in Sonde's own words: the texts on show, and those for a screen reader. What the server or
// the presenter wrote is marked as quoted, what only the presenter looks at as his, and a name within a sentence stands in quotation marks. Runs in the page as the
// body of a function.
const shown = (element) => element.getClientRects().length > 0 && getComputedStyle(element).visibility !== "hidden";
const own = (element) => element.closest("[data-quoted], [data-presenter], script, style") === null;
const words = [];
const say = (text) => words.push(text.trim().replace(/“[^”]*”/g, "“”"));
for (const element of document.body.querySelectorAll("*")) {
  if (!own(element) || !shown(element)) continue;
  for (const node of element.childNodes) {
    if (node.nodeType === Node.TEXT_NODE && node.data.trim() !== "") say(node.data);
  }
  // The names of controls in a form are made of the names of its fields.
  const names = element.closest("[data-plain]") ? ["placeholder"] : ["placeholder", "aria-label", "title"];
  for (const name of names) {
    const said = element.getAttribute(name);
    if (said) say(said);
  }
}
return words;
