// Returns Sonde's own words in a presentation: the visible texts, and those for a screen reader. Text of the server or
// the presenter is marked as quoted, text that only the presenter reads as his, and a name within a sentence is in
// quotation marks. Runs in the page as the body of a function.
const shown = (element) => element.getClientRects().length > 0 && getComputedStyle(element).visibility !== "hidden";
const own = (element) => element.closest("[data-quoted], [data-presenter], script, style") === null;
const words = [];
const say = (text) => words.push(text.trim().replace(/“[^”]*”/g, "“”"));
for (const element of document.body.querySelectorAll("*")) {
  if (!own(element) || !shown(element)) continue;
  for (const node of element.childNodes) {
    if (node.nodeType === Node.TEXT_NODE && node.data.trim() !== "") say(node.data);
  }
  // Labels of a form's controls contain the names of its fields.
  const names = element.closest("[data-plain]") ? ["placeholder"] : ["placeholder", "aria-label", "title"];
  for (const name of names) {
    const said = element.getAttribute(name);
    if (said) say(said);
  }
}
return words;
